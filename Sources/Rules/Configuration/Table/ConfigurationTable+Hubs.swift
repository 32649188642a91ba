extension ConfigurationTable {
    /// The hubs, the languages and the form of requests.
    static let hubs: [ConfigurationRow] = [
        .key(
            "hub",
            .form(.hubName),
            example: "newsroom",
            """
            The hub's name in its namespace, in place of `hubs`. Short for hubs: { main: { name: … } }, so its key \
            is main. The connection string then comes from the environment variable NEWSFLASH_HUB_CONNECTION_STRING \
            or the file that NEWSFLASH_HUB_CONNECTION_STRING_FILE names.
            """
        ),
        .group(
            "hubs",
            names: "word",
            constraints: #"{"minProperties": 1, "maxProperties": 64}"#,
            """
            The notification hubs; at least one must be live. You choose the key. It is the hub's identity in the \
            ledger, outcomes, dead letters, logs and metrics, whatever the order and the names of hubs, and a \
            withdrawal goes to the hub with the key of the alert. Keep it while stories of the hub are alive. If the \
            key is given to another hub (another endpoint or name), workers refuse to start, because a withdrawal \
            would not reach the notified subscribers.
            """
        ),
        .group(
            "hubs.*",
            definition: "hub",
            constraints: #"""
                {"not": {"required": ["connectionStringFile", "connectionStringVariable"]}}
                """#,
            "One hub."
        ),
        .key(
            "hubs.*.name",
            .form(.hubName),
            standard: .required,
            isInDigest: true,
            examples: ["main": "newsroom"],
            further: ["test": "newsroom-test"],
            isActive: true,
            "The hub's name in its namespace."
        ),
        .key(
            "hubs.*.connectionStringFile",
            .form(.path),
            namesSecret: true,
            examples: ["main": "/run/secrets/hub-connection-string"],
            isActive: true,
            """
            The file with the connection string (a policy with Send is enough). It is read again when the hub \
            responds with 401, so a key can be changed without a restart. The variable \
            NEWSFLASH_HUBS_<KEY>_CONNECTION_STRING takes precedence over it, and so does \
            NEWSFLASH_HUB_CONNECTION_STRING for the first live hub.
            """
        ),
        .key(
            "hubs.*.connectionStringVariable",
            .form(.variable),
            namesSecret: true,
            examples: ["test": "TEST_HUB"],
            "The environment variable with the connection string."
        ),
        .key(
            "hubs.*.replaces",
            .form(.hubAddresses),
            examples: ["main": "news-old.servicebus.windows.net/newsroom"],
            """
            The addresses of earlier hubs (ENDPOINT/NAME) with this key, all of whose devices have moved to this \
            hub. A worker that refuses to start prints the address. Withdrawals of stories that the earlier hub has \
            sent go to this hub.
            """
        ),
        .key(
            "hubs.*.mode",
            .choice(["live", "test"]),
            standard: .derived("live, and test for a hub with the key test", "live"),
            isInDigest: true,
            examples: ["test": "test"],
            """
            live: the hub is for subscribers; test: it is for events of mode test and no others, and must not be a \
            hub with subscribers.
            """
        ),
        .key(
            "hubs.*.tags",
            .form(.tagPattern),
            standard: .derived("that of send.tags"),
            reload: .rule,
            examples: ["test": "test"],
            "The tags of this hub's devices, if they differ from those of send.tags."
        ),
        .key(
            "hubs.*.as",
            .form(.sendForms),
            standard: .derived("that of send.as"),
            reload: .rule,
            examples: ["test": "[apns, fcmv1]"],
            "The form of requests to this hub, if it differs from send.as."
        ),
        .group(
            "locales",
            definition: "locales",
            """
            The languages that subscribers can choose. If an event lacks one, its nearest language is used, so no \
            text is empty.
            """
        ),
        .key(
            "locales.offered",
            .form(.languages),
            standard: .required,
            reload: .rule,
            example: "[en, fr, cs]",
            isActive: true,
            """
            The languages as BCP 47 tags. Every event has a text in each of them, by fallback if the event lacks it.
            """
        ),
        .key(
            "locales.default",
            .form(.languageTag),
            standard: .required,
            reload: .rule,
            example: "en",
            isActive: true,
            "One of the offered languages; the language of `headline` and `summary` without a locale."
        ),
        .group(
            "locales.timeZone",
            isInline: true,
            names: "languageTag",
            constraints: #"{"maxProperties": 64}"#,
            "The time zone of the subscribers of an offered locale, for policy.quiet."
        ),
        .key(
            "locales.timeZone.*",
            .form(.timeZone),
            reload: .rule,
            examples: ["fr": "Europe/Paris", "cs": "Europe/Prague"],
            "The time zone of this locale."
        ),
        .group(
            "send",
            definition: "send",
            """
            The form of the requests to the hub. With as: template, one request reaches all platforms: every device \
            has registered a template that selects its language, such as {"aps":{"alert":"$(headline_fr)"}}. The \
            request carries headline_en, headline_fr, url, story and more.
            """
        ),
        .key(
            "send.as",
            .form(.sendForms),
            standard: .value("template"),
            reload: .rule,
            isActive: true,
            """
            One form or several. template: one request reaches all platforms, and the device's own template selects \
            the property of its language. The others are native payloads of that platform, each in one language: the \
            language of {locale} in the tags, otherwise the default one.
            """
        ),
        .key(
            "send.tags",
            .form(.tagPattern),
            standard: .value("{category}"),
            reload: .rule,
            example: "\"{category}\"",
            isActive: true,
            """
            The tag of an audience: {category}, and {locale} if devices register by language, which makes one \
            request per language. Without {category} there is one audience for all news.
            """
        ),
        .key(
            "send.users",
            .form(.userPattern),
            standard: .value("username:{user}"),
            reload: .rule,
            example: "\"username:{user}\"",
            """
            The tag of a user whom an event names (audience.users); {user} is the name. username:{user} is the tag \
            that the application back end gives registrations; $UserId:{user} becomes $UserId:{name}, which the hub \
            itself gives installations.
            """
        ),
        .key(
            "send.maximumTags",
            .number(1...20),
            standard: .value("20"),
            reload: .rule,
            """
            The maximum number of tags in one request; more are split into several requests. The hub accepts 20.
            """
        ),
        .group(
            "send.properties",
            names: "propertyWord",
            constraints: #"{"maxProperties": 64}"#,
            """
            Further properties, for templates of existing apps: name: text with placeholders such as {headline} or \
            {headline_en}. The sample has the names of the breaking-news tutorial, which the library \
            NewsSubscriptions uses too; without them its apps show an empty alert. {category} is the category of the \
            request, or several separated by commas; {category, select, World {…} other {…}} uses the first branch \
            that names one of them.
            """
        ),
        .key(
            "send.properties.*",
            .text(0...4096),
            reload: .rule,
            examples: [
                "messageParam": "\"{headline}\"", "News_English": "\"{headline_en}\"",
                "News_French": "\"{headline_fr}\"", "News_Czech": "\"{headline_cs}\"",
            ],
            isActive: true,
            "The text of this property."
        ),
    ]
}
