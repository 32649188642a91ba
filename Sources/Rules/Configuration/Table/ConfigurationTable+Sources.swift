extension ConfigurationTable {
    /// The section `sources`, without the rules of the format `fields`.
    static let sources: [ConfigurationRow] = [
        .group(
            "sources",
            names: "word",
            constraints: #"{"minProperties": 1, "maxProperties": 100}"#,
            """
            The topics to read, by a name that you choose; logs and metrics contain it. Default: desk, which reads \
            newsroom.breaking.v1. An agency feed needs its own topic and format; guides/feeds.md explains its keys.
            """
        ),
        .group(
            "sources.*",
            definition: "source",
            constraints: #"""
                {"allOf": [{"if": {"properties": {"format": {"const": "fields"}}, "required": ["format"]}, "then":
                {"required": ["fields"], "properties": {"story": false, "schemes": false, "categories": false,
                "headline": false, "status": false, "timeZone": false}}, "else": {"not": {"required": ["fields"]}}},
                {"if": {"properties": {"format": {"const": "event"}}}, "then": {"properties": {"revision": false,
                "story": false, "push": false, "kinds": false, "html": false, "url": false, "readers": false,
                "notes": false, "schemes": false, "categories": false, "headline": false, "status": false,
                "timeZone": false}}}]}
                """#,
            "One topic, and how its records are read."
        ),
        .key(
            "sources.*.topic",
            .form(.topic),
            standard: .value("newsroom.breaking.v1"),
            isInDigest: true,
            examples: ["desk": "newsroom.breaking.v1"],
            further: ["wire": "wire.ninjs.v1", "feed": "articles.v1"],
            isActive: true,
            "The topic to read."
        ),
        .key(
            "sources.*.format",
            .choice(["event", "ninjs", "superdesk", "ap", "fields"]),
            standard: .value("event"),
            isInDigest: true,
            examples: ["desk": "event"],
            further: ["wire": "ninjs", "feed": "fields"],
            isActive: true,
            """
            The format of the records. event: breaking-news event, version 1 \
            (schemas/breaking-news-event-v1.schema.json). ninjs: IPTC's ninjs 1.x to 3.x; superdesk and ap: their \
            variants of it, which ninjs also recognises automatically. fields: any JSON, read by `fields`. With \
            every format, CloudEvents and frames of a schema registry are recognised.
            """
        ),
        .key(
            "sources.*.maximumBytes",
            .number(1024...104_857_600),
            standard: .derived("262144 for events, 1048576 (the brokers' usual limit) for feeds", "262144"),
            isInDigest: true,
            examples: ["desk": "262144"],
            """
            The maximum number of bytes of a record's value. A larger record is a dead letter, unless it withdraws \
            or holds its story.
            """
        ),
        .key(
            "sources.*.mode",
            .choice(["live", "test"]),
            standard: .value("live"),
            isInDigest: true,
            examples: ["desk": "live"],
            """
            live: an event goes to the hubs of its own mode; test: no event of the source goes to a live hub, \
            whatever mode it has, for training and staging systems.
            """
        ),
        .key(
            "sources.*.id",
            .form(.uriReference),
            standard: .derived("the source's name here, and newsroom for a source desk without a topic"),
            isInDigest: true,
            examples: ["desk": "\"https://cms.example.org/desk\""],
            isActive: true,
            """
            The source of events that do not name one, a URI reference; together with the event's id it identifies \
            duplicates.
            """
        ),
        .key(
            "sources.*.revision",
            .choice(["version", "versioncreated"]),
            standard: .derived(
                "versioncreated for Superdesk and for an item whose version is not a whole number, otherwise version",
                "version"
            ),
            isInDigest: true,
            examples: ["wire": "version"],
            """
            The member with the revision of a feed's items: version, which must then be a whole number, or \
            versioncreated, its time in milliseconds. In Superdesk the versions of a rewrite begin at 1 again. Set \
            it if a feed numbers only some of the items of a story.
            """
        ),
        .key(
            "sources.*.story",
            .form(.storyRules),
            isInDigest: true,
            examples: ["wire": "[associations.translationOf]"],
            """
            The member of an item that contains its story, if that is not its uri or guid. It is a JSON Pointer (RFC \
            6901), altids.ROLE, associations.NAME (the uri there), or a pattern for the item's name that contains \
            {story}, and ends with * if the rest does not matter. The first that the item has is used; otherwise the \
            item's name. With anything but patterns the revision is versioncreated unless it is set, because the \
            items of a story have independent versions.
            """
        ),
        .group(
            "sources.*.push",
            isInline: true,
            """
            The items of a feed that are pushed; others are skipped silently. Kills and holds always pass, and so do \
            corrections of any urgency.
            """
        ),
        .key(
            "sources.*.push.urgency",
            .form(.urgencies),
            standard: .derived("all"),
            isInDigest: true,
            examples: ["wire": "1..3"],
            "Urgencies; 1 is the highest. An item without one has the urgency of its kind."
        ),
        .key(
            "sources.*.push.type",
            .form(.itemTypes),
            standard: .derived("text and composite", "composite, text"),
            isInDigest: true,
            examples: ["wire": "[text, composite]"],
            "Types of items. event and planning are never pushed."
        ),
        .group(
            "sources.*.kinds",
            isInline: true,
            pattern: "^[1-9]$",
            constraints: #"{"minProperties": 1}"#,
            """
            The kind of a story's first revision by its urgency. First revisions of other urgencies, and later \
            revisions, are updates.
            """
        ),
        .key(
            "sources.*.kinds.*",
            .choice(["flash", "alert", "update"]),
            standard: .derived("flash for 1, alert for 2 and 3"),
            isInDigest: true,
            examples: ["wire/1": "flash", "wire/2": "alert", "wire/3": "alert"],
            "The kind of a first revision with this urgency."
        ),
        .key(
            "sources.*.html",
            .flag,
            standard: .value("false"),
            isInDigest: true,
            examples: ["wire": "true"],
            "Whether headlines and summaries are HTML: entities are resolved, and tags are removed."
        ),
        .key(
            "sources.*.url",
            .form(.link),
            standard: .derived("altids.web, extra.web_url, links.canonical"),
            isInDigest: true,
            examples: ["wire": "altids.web"],
            """
            The member of an item with its link: altids.ROLE, extra.NAME, links.RELATION, or a pattern in which \
            {story} and {id} stand for those of the event, percent-encoded. If it is not found, the default applies.
            """
        ),
        .key(
            "sources.*.readers",
            .choice(["all", "own"]),
            standard: .value("all"),
            isInDigest: true,
            examples: ["wire": "all"],
            """
            The subscribers who get the items of a feed. all: the whole audience, each with the nearest text. own: \
            only subscribers whose locale has the item's language, for a feed with one item for each language; it \
            requires {locale} in the tags. Withdrawals reach everybody who was notified.
            """
        ),
        .group(
            "sources.*.notes",
            isInline: true,
            """
            Phrases in notes to editors (ednote; with fields the result of the rule for note), genres, signals and \
            tags of a headline, added to the built-in phrases of some 30 languages (deploy/guides/feeds.md). An \
            added phrase counts if it begins within the first eight words, or is a tag of the headline in capitals \
            or brackets. If it ends with a colon, it counts only if its part of the note, from one punctuation mark \
            to the next, contains nothing else. Case and accents are ignored.
            """
        ),
        .key(
            "sources.*.notes.hold",
            .form(.phrases),
            isInDigest: true,
            examples: ["wire": "[desk stop]"],
            "The item holds its story."
        ),
        .key(
            "sources.*.notes.kill",
            .form(.phrases),
            isInDigest: true,
            examples: ["wire": "[MANDATORY KILL]"],
            """
            The item withdraws its story. No phrase is built in, because words are less reliable than status fields.
            """
        ),
        .key(
            "sources.*.notes.correction",
            .form(.phrases),
            isInDigest: true,
            examples: ["wire": "[new figure]"],
            "The item is a correction."
        ),
        .group(
            "sources.*.schemes",
            isInline: true,
            constraints: #"{"maxProperties": 100}"#,
            """
            The prefix of the categories of a subject scheme, by the scheme's name without regard to case: medtop \
            for Media Topics, subj for IPTC's old subject codes, or a word of your own. Other schemes keep their \
            name.
            """
        ),
        .key(
            "sources.*.schemes.*",
            .form(.prefix),
            isInDigest: true,
            examples: ["wire/subject_custom": "subj"],
            "The prefix of the codes of this scheme."
        ),
        .key(
            "sources.*.categories",
            .form(.itemCategories),
            isInDigest: true,
            examples: ["wire": "[world]"],
            """
            Categories for items without a subject, service or place, or with only unmapped subjects. An item with a \
            place, or with a subject that cannot be read, never gets them.
            """
        ),
        .key(
            "sources.*.headline",
            .form(.headlines),
            isInDigest: true,
            examples: ["wire": "[/headline_push]"],
            """
            Paths of the headline that are tried before the usual ones, as JSON Pointers; the first with text is \
            used.
            """
        ),
        .group(
            "sources.*.status",
            isInline: true,
            constraints: #"{"maxProperties": 32}"#,
            "The meaning of values of pubstatus that ninjs does not define, without regard to case."
        ),
        .key(
            "sources.*.status.*",
            .choice(["usable", "withheld", "canceled"]),
            isInDigest: true,
            examples: ["wire/published": "usable"],
            "The meaning of this word."
        ),
        .key(
            "sources.*.timeZone",
            .form(.timeZone),
            isInDigest: true,
            examples: ["wire": "Europe/Stockholm"],
            """
            The time zone of times without an offset. Without it, an embargo or expiry without an offset is refused, \
            and any other such time counts as missing.
            """
        ),
    ]
}
