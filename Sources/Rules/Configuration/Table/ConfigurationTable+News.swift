extension ConfigurationTable {
    /// Categories, interruption levels and texts.
    static let news: [ConfigurationRow] = [
        .group(
            "categories",
            names: "tag",
            constraints: #"{"minProperties": 1, "maxProperties": 1000}"#,
            """
            Each tag that devices register, and the codes of events that are mapped to it. Codes are compared \
            without case. medtop: codes are IPTC Media Topics; codes below a listed one are mapped too, and the \
            deepest listed one counts. An event with several categories reaches the union of their audiences, each \
            device once.
            """
        ),
        .key(
            "categories.*",
            .form(.categoryRule),
            standard: .required,
            reload: .rule,
            examples: [
                "World": "[world, \"medtop:16000000\", \"medtop:03000000\", \"medtop:17000000\"]",
                "Politics": "[politics, \"medtop:11000000\"]",
                "Business": "[business, \"medtop:04000000\", \"medtop:09000000\"]",
                "Technology": "[technology, \"medtop:20000756\"]",
                "Science": "[science, \"medtop:13000000\", \"medtop:06000000\", \"medtop:07000000\"]",
                "Sports": "[sports, sport, \"medtop:15000000\"]",
            ],
            isActive: true,
            """
            The codes of this tag. A list: any of the codes. { all: [codes] }: all of the codes. { each: "geo:*", \
            tag: "geo.{code}" }: one tag for each code of a family.
            """
        ),
        .key(
            "unknown",
            .form(.unknownCodes),
            standard: .value("drop"),
            reload: .rule,
            isActive: true,
            """
            The handling of codes that no category lists: drop, dead-letter, or the name of a category. drop: the \
            code is ignored, and an event without any other code is a dead letter. dead-letter: the event is a dead \
            letter. The name of a category: the code is mapped to it.
            """
        ),
        .group(
            "narrower",
            isInline: true,
            names: "tag",
            constraints: #"{"maxProperties": 1000}"#,
            """
            For each category, the wider categories that an event with it does not go to, so that nobody gets two \
            notifications.
            """
        ),
        .key(
            "narrower.*",
            .form(.tags),
            reload: .rule,
            examples: ["Technology": "[Business]"],
            "The wider categories of this category."
        ),
        .group(
            "interruption",
            isInline: true,
            pattern: "^[1-9]$",
            """
            The interruption level of each urgency: passive without light and sound, active with both, timeSensitive \
            also during a subscriber's Focus or Do Not Disturb.
            """
        ),
        .key(
            "interruption.*",
            .choice(["passive", "active", "timeSensitive"]),
            standard: .derived("timeSensitive for 1 and 2, active for 3 to 5, passive for 6 to 9"),
            reload: .rule,
            examples: ["3": "timeSensitive", "9": "passive"],
            "The level of this urgency."
        ),
        .group(
            "text",
            definition: "text",
            constraints: #"{"required": ["kill"]}"#,
            """
            The words around the headline, by kind of event: one text for all languages, or one per language. A \
            language without its own text uses that of the nearest language with one. Arguments: headline, summary, \
            id, story, revision, kind (the kind as which the event is sent: a correction of a story that was never \
            sent is an alert), url, image. The words may depend on kind and revision, in a subset of ICU's \
            MessageFormat: {kind, select, flash {…} other {…}}.
            """
        ),
        .key(
            "text.alert",
            .form(.words),
            standard: .value("{headline}"),
            reload: .rule,
            example: "\"{headline}\"",
            isActive: true,
            "News worth a push."
        ),
        .key(
            "text.flash",
            .form(.words),
            standard: .value("{headline}"),
            reload: .rule,
            example:
                "{ en: \"Breaking: {headline}\", fr: \"Alerte : {headline}\", cs: \"Mimořádná zpráva: {headline}\" }",
            isActive: true,
            "The first news of something grave."
        ),
        .key(
            "text.update",
            .form(.words),
            standard: .value("{headline}"),
            reload: .rule,
            example: "\"{headline}\"",
            "More facts on a story."
        ),
        .key(
            "text.correction",
            .form(.words),
            standard: .value("{headline}"),
            reload: .rule,
            example:
                "{ en: \"Correction: {headline}\", fr: \"Rectificatif : {headline}\", cs: \"Oprava: {headline}\" }",
            isActive: true,
            "The meaning of what was sent has changed."
        ),
        .key(
            "text.kill",
            .form(.words),
            standard: .derived("required if any other text is given; otherwise {headline}", "{headline}"),
            reload: .rule,
            example:
                "{ en: \"Withdrawn: {headline}\", fr: \"Annulation : {headline}\", cs: \"Zpráva stažena: {headline}\" }",
            isActive: true,
            "The story is withdrawn; {headline} is the headline that was sent."
        ),
        .key(
            "text.secure",
            .form(.notice),
            reload: .rule,
            example: "{ en: \"You have a message\", fr: \"Vous avez un message\", cs: \"Máte zprávu\" }",
            """
            The text that everybody may see of an event with delivery secure, and of every later event of its story. \
            The push contains only a token, made with secure.keyFile, and the app fetches the words. No \
            placeholders, at most 512 bytes. Without this text such events are dead letters \
            (invalid.no_secure_text); they are never sent in the open.
            """
        ),
        .group(
            "limits",
            definition: "limits",
            """
            The maximum lengths of texts, counted in characters as subscribers see them (graphemes); longer texts \
            are cut at a word. A headline with the words around it also has at most 1,024 bytes and a summary 2,048, \
            in JSON: 341 characters of three bytes, whatever the headline's limit is. A payload that is too large \
            for a platform is cut further.
            """
        ),
        .key(
            "limits.headline",
            .number(10...1000),
            standard: .value("178"),
            reload: .rule,
            isActive: true,
            "The maximum number of characters of a headline with the words around it."
        ),
        .key(
            "limits.summary",
            .number(10...4000),
            standard: .value("400"),
            reload: .rule,
            isActive: true,
            "The maximum number of characters of a summary."
        ),
        .key(
            "limits.ellipsis",
            .text(0...16),
            standard: .value("…"),
            reload: .rule,
            example: "\"…\"",
            isActive: true,
            "The end of a text that was cut, also if a payload is cut because it is too large for a platform."
        ),
    ]
}
