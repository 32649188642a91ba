extension ConfigurationTable {
    /// The section `policy`.
    static let policy: [ConfigurationRow] = [
        .group(
            "policy",
            definition: "policy",
            "The rules that decide which events are sent, and until when."
        ),
        .group(
            "policy.life",
            isInline: true,
            "How long after `published` an event without `expires` may still be sent."
        ),
        .key(
            "policy.life.flash",
            .anyDuration,
            standard: .value("60m"),
            reload: .rule,
            isActive: true,
            "The life of a flash."
        ),
        .key(
            "policy.life.alert",
            .anyDuration,
            standard: .value("2h"),
            reload: .rule,
            isActive: true,
            "The life of an alert."
        ),
        .key(
            "policy.life.update",
            .anyDuration,
            standard: .value("2h"),
            reload: .rule,
            isActive: true,
            "The life of an update."
        ),
        .key(
            "policy.life.correction",
            .anyDuration,
            standard: .value("24h"),
            reload: .rule,
            isActive: true,
            "The life of a correction."
        ),
        .key(
            "policy.life.hold",
            .anyDuration,
            standard: .value("48h"),
            reload: .rule,
            isActive: true,
            "The life of a hold."
        ),
        .key(
            "policy.life.kill",
            .anyDuration,
            standard: .value("48h"),
            reload: .rule,
            isActive: true,
            "The life of a kill."
        ),
        .key(
            "policy.clockSkew",
            .anyDuration,
            standard: .value("5m"),
            reload: .rule,
            isActive: true,
            "How far `published` may be after the worker's clock."
        ),
        .key(
            "policy.maximumEmbargo",
            .positiveDuration,
            standard: .value("60d"),
            reload: .rule,
            isActive: true,
            "How far in the future `embargo` may be; a later embargo makes the event invalid."
        ),
        .key(
            "policy.embargoDropped",
            .choice(["hold", "send"]),
            standard: .value("hold"),
            reload: .rule,
            isActive: true,
            """
            The handling of news without an embargo if an earlier revision of its story has an embargo in the \
            future. hold: it waits until a revision has an embargo, past or future, or a person resumes the event. \
            send: it is sent at once.
            """
        ),
        .key(
            "policy.maximumLife",
            .positiveDuration,
            standard: .derived("7d, and the longest of `life` if that is longer", "7d"),
            reload: .rule,
            example: "7d",
            isActive: true,
            """
            The longest life of an event, from `published` or the end of its embargo; a later `expires` is reduced \
            to it.
            """
        ),
        .group(
            "policy.approvals",
            isInline: true,
            """
            How many different names an event of a kind must have in `approvedBy` before it is sent; 0 for none. A \
            hold and a kill take effect at once.
            """
        ),
        .key(
            "policy.approvals.flash",
            .number(0...9),
            standard: .value("0"),
            reload: .rule,
            example: "2",
            "The approvals of a flash."
        ),
        .key(
            "policy.approvals.alert",
            .number(0...9),
            standard: .value("0"),
            reload: .rule,
            example: "0",
            "The approvals of an alert."
        ),
        .key(
            "policy.approvals.update",
            .number(0...9),
            standard: .value("0"),
            reload: .rule,
            example: "0",
            "The approvals of an update."
        ),
        .key(
            "policy.approvals.correction",
            .number(0...9),
            standard: .value("0"),
            reload: .rule,
            example: "0",
            "The approvals of a correction."
        ),
        .key(
            "policy.approvalWait",
            .positiveDuration,
            standard: .value("3m"),
            reload: .rule,
            "How long an event waits for its approvals; after that it is a dead letter."
        ),
        .group(
            "policy.quiet",
            definition: "quiet",
            constraints: #"""
                {"dependentRequired": {"urgency": ["hours"], "then": ["hours"], "timeZone": ["hours"], "timeZones":
                ["hours"]}}
                """#,
            """
            Quiet hours, in the subscribers' local time. They do not apply to a flash and a kill. A time zone is \
            required, here or in locales.timeZone.
            """
        ),
        .key(
            "policy.quiet.hours",
            .form(.hours),
            reload: .rule,
            example: "\"22:00-07:00\"",
            """
            Beginning and end in local time, which must differ. If the end is before the beginning, the quiet hours \
            last past midnight.
            """
        ),
        .key(
            "policy.quiet.urgency",
            .form(.urgencies),
            standard: .value("4..9"),
            reload: .rule,
            "The urgencies that the quiet hours apply to, from 1 (highest) to 9."
        ),
        .key(
            "policy.quiet.then",
            .choice(["defer", "passive"]),
            standard: .value("defer"),
            reload: .rule,
            """
            defer: the news waits until the quiet hours of its subscribers end, or is sent without light and sound \
            if it would expire before that; passive: it is sent at once, without light and sound.
            """
        ),
        .key(
            "policy.quiet.timeZone",
            .form(.timeZone),
            reload: .rule,
            example: "Europe/London",
            """
            The time zone of subscribers without a more specific one. Without it, they have no quiet hours.
            """
        ),
        .group(
            "policy.quiet.timeZones",
            isInline: true,
            names: "code",
            constraints: #"{"maxProperties": 1000}"#,
            """
            Time zones by code in an event's categories, such as edition:cz. They take precedence over \
            locales.timeZone. With several, news waits until the quiet hours of all have ended.
            """
        ),
        .key(
            "policy.quiet.timeZones.*",
            .form(.timeZone),
            reload: .rule,
            examples: ["sports": "Europe/Prague"],
            "The time zone of subscribers of events with this code."
        ),
        .group(
            "policy.caps",
            isInline: true,
            names: "tagOrStar",
            constraints: #"{"maxProperties": 1000}"#,
            """
            How many pushes may have light and sound, by category or * for all; further ones are sent without. \
            Flashes are never capped.
            """
        ),
        .key(
            "policy.caps.*",
            .form(.caps),
            reload: .rule,
            examples: ["Sports": "2 per 10m per story", "*": "12 per day"],
            "The rates of this category. With per story at the end, each story is counted separately."
        ),
        .group(
            "policy.volumeLimits",
            isInline: true,
            "Volume limits. A source that sends more is paused until a person resumes it."
        ),
        .key(
            "policy.volumeLimits.sameText",
            .form(.rate),
            reload: .rule,
            example: "1 per 10m",
            "Events with the same words."
        ),
        .key(
            "policy.volumeLimits.perSource",
            .form(.rate),
            reload: .rule,
            example: "6 per 10m",
            "Events of one source. If there are more, this source is paused."
        ),
        .key(
            "policy.volumeLimits.all",
            .form(.rate),
            reload: .rule,
            example: "20 per hour",
            "Events of all sources. If there are more, all sources are paused."
        ),
    ]
}
