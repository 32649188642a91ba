extension ConfigurationTable {
    /// The rules of the format `fields`: for each member of an event its path in a document of the feed.
    static let fields: [ConfigurationRow] = [
        .group(
            "sources.*.fields",
            """
            With the format fields: for each member of an event, its path in a document of the feed. Members without \
            a rule are absent. The limits of events apply.
            """
        ),
        .key(
            "sources.*.fields.id",
            .form(.field),
            standard: .derived("the story and the revision, joined by #"),
            isInDigest: true,
            examples: ["feed": "/guid"],
            "The event's id."
        ),
        .key(
            "sources.*.fields.source",
            .form(.field),
            isInDigest: true,
            examples: ["feed": "/publisher"],
            "The event's source."
        ),
        .key(
            "sources.*.fields.story",
            .form(.field),
            isInDigest: true,
            examples: ["feed": "/article/id"],
            "The event's story, which all revisions share."
        ),
        .key(
            "sources.*.fields.revision",
            .form(.timeField),
            isInDigest: true,
            examples: ["feed": "/rev"],
            "A whole number, or with `time` the time of the story's last change."
        ),
        .key(
            "sources.*.fields.kind",
            .form(.field),
            isInDigest: true,
            examples: ["feed": "{ pointer: /type, map: { BREAKING: flash, DELETED: kill }, default: update }"],
            """
            The event's kind. Without a rule the first revision has the kind that `kinds` gives, and later ones are \
            updates. A value that is not a kind, whatever its case, holds the story, because it may be a withdrawal.
            """
        ),
        .key(
            "sources.*.fields.urgency",
            .form(.field),
            isInDigest: true,
            examples: ["feed": "/priority"],
            "The event's urgency, from 1 (highest) to 9."
        ),
        .key(
            "sources.*.fields.published",
            .form(.timeField),
            isInDigest: true,
            examples: ["feed": "{ pointer: /ts, time: epochSeconds }"],
            "The time of publication."
        ),
        .key(
            "sources.*.fields.embargo",
            .form(.timeField),
            isInDigest: true,
            examples: ["feed": "/embargo"],
            """
            The latest time that any rule finds. Zero, a time before 1970-01-02, and null are not an embargo; any \
            other unreadable value holds the story.
            """
        ),
        .key(
            "sources.*.fields.expires",
            .form(.timeField),
            isInDigest: true,
            examples: ["feed": "/expires"],
            "The earliest time that any rule finds."
        ),
        .key(
            "sources.*.fields.users",
            .form(.field),
            isInDigest: true,
            examples: ["feed": "/users/*/name"],
            """
            All names that the rules find: the event's audience.users. An element without a name, or a value that is \
            not a list, makes the event invalid.
            """
        ),
        .key(
            "sources.*.fields.delivery",
            .form(.field),
            isInDigest: true,
            examples: ["feed": "{ default: open }"],
            """
            open or secure, the strictest value that any rule finds; any other value makes the event invalid. { \
            default: secure } is for a feed whose text must never be sent in the open.
            """
        ),
        .key(
            "sources.*.fields.categories",
            .form(.field),
            isInDigest: true,
            examples: ["feed": "[/section, { pointer: /tags/*/code, prefix: \"tag:\" }]"],
            "The first 64 values that are found; values that cannot be categories are ignored."
        ),
        .key(
            "sources.*.fields.language",
            .form(.field),
            isInDigest: true,
            examples: ["feed": "/language"],
            "The language of the texts."
        ),
        .key(
            "sources.*.fields.text",
            .form(.textRules),
            standard: .required,
            isInDigest: true,
            examples: ["feed": "{ headline: /title, summary: /lead }"],
            "The texts in the language that `language` finds, or the texts of each language."
        ),
        .key(
            "sources.*.fields.url",
            .form(.field),
            isInDigest: true,
            examples: ["feed": "/link"],
            "The link to the article."
        ),
        .key(
            "sources.*.fields.image",
            .form(.field),
            isInDigest: true,
            examples: ["feed": "/picture"],
            "The link to an image."
        ),
        .key(
            "sources.*.fields.approvedBy",
            .form(.field),
            isInDigest: true,
            examples: ["feed": "/approvals/*/name"],
            "The names of the people who approved the event, for policy.approvals."
        ),
        .key(
            "sources.*.fields.mode",
            .form(.field),
            isInDigest: true,
            examples: ["feed": "/mode"],
            """
            The strictest value that any rule finds: backfill, test, live. Case is ignored. In a map, yes, on, y and \
            1 count as true, and no, off, n and 0 as false, which means absent unless the map contains it. Any other \
            value that is neither a mode nor in the map makes the event invalid.
            """
        ),
        .key(
            "sources.*.fields.note",
            .form(.field),
            isInDigest: true,
            examples: ["feed": "/note"],
            "The note to editors, in which the phrases of `notes` are looked for."
        ),
        .key(
            "sources.*.fields.type",
            .form(.field),
            isInDigest: true,
            examples: ["feed": "/kind"],
            "The value that `push.type` is compared with."
        ),
        .key(
            "sources.*.fields.skip",
            .form(.field),
            isInDigest: true,
            examples: ["feed": "[/silent, { pointer: /kind, map: { gallery: true } }]"],
            """
            The event is not pushed if any rule finds true, yes, on, y or 1. Without a map, any other value except \
            false, no, off, n and 0 makes the event invalid. A kill or a hold is obeyed anyway.
            """
        ),
    ]
}
