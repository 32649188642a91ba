extension OddConfiguration {
    private static let tries = "must be between 1ms and 1h"
    private static let timeouts = "must be between 10ms and 10m"
    private static let part = "is longer than delivery"

    /// Durations.
    static let times: [Self] = [
        .adding("delivery: { drain: 200s }"),
        .adding(
            "delivery: { drain: 0s }",
            "11 delivery.drain: must be between 100ms and 4m (the last commit needs time"
        ),
        .adding("delivery: { commitInterval: 0s }", "11 delivery.commitInterval: must be between 1ms and 1m (a crash"),
        .adding("delivery: { commitInterval: 10d }", "11 delivery.commitInterval: must be between 1ms and 1m (a crash"),
        .adding("delivery: { retry: { base: 10m, cap: 1s } }", "11 delivery.retry.base: base is longer than cap"),
        .adding(
            "delivery: { retry: { base: 0s, cap: 0s } }",
            "11 delivery.retry.base: \(tries)",
            "11 delivery.retry.cap: \(tries)"
        ),
        .adding(
            "delivery: { connectTimeout: 0s, firstByteTimeout: 0s, requestTimeout: 0s }",
            "11 delivery.connectTimeout: \(timeouts)",
            "11 delivery.firstByteTimeout: \(timeouts)",
            "11 delivery.requestTimeout: \(timeouts)"
        ),
        .adding(
            "delivery: { firstByteTimeout: 60s, requestTimeout: 1s }",
            "11 delivery.firstByteTimeout: \(part).requestTimeout, which includes it; write less here or more there"
        ),
        .adding(
            "delivery: { connectTimeout: 60s, firstByteTimeout: 1s }",
            "11 delivery.connectTimeout: \(part).firstByteTimeout, which includes it"
        ),
        .adding("delivery: { requestTimeout: 2s }", shows: ("delivery.firstByteTimeout", "2s")),
        .adding("delivery: { firstByteTimeout: 60s }", shows: ("delivery.requestTimeout", "1m")),
        .adding("reload: { within: 0s }", "11 reload.within: "),
        .adding("ledger: { retention: 1s }", "warning 11 ledger.retention: is shorter than policy.maximumLife"),
    ]

    /// Numbers, sizes and addresses.
    static let delivery: [Self] = [
        .adding(
            "delivery: { concurrency: 1, expressReserve: 1023 }",
            "warning 11 delivery.expressReserve: is more than delivery.concurrency (1)"
        ),
        .adding(
            "delivery: { concurrency: 0x10 }",
            "11 delivery.concurrency: '0x10' is not a whole number from 1 to 1024"
        ),
        .adding("delivery: { concurrency: 1_000 }", "11 delivery.concurrency: '1_000' is not a whole number"),
        .adding("delivery: { concurrency: +5 }"),
        .adding(
            "delivery: { readAhead: 64MB }",
            "11 delivery.readAhead: '64MB' is not a size; write a whole number, optionally with KiB"
        ),
        .adding("delivery: { readAhead: 1024GiB }", "warning 11 delivery.readAhead: is more than 1GiB"),
        .adding(
            "delivery: { storyMemory: 1 }",
            "11 delivery.storyMemory: must be at least 1MiB"
        ),
        .adding("admin: { listen: 9464 }", "11 admin.listen: '9464' is not an address; write host and port, such as"),
        .adding("admin: { listen: \":9464\" }", "11 admin.listen: ':9464' is not an address"),
        .adding("admin: { listen: \"[::1]:9464\" }"),
        .adding("admin: { listen: OFF }", "11 admin.listen: 'OFF' is not an address; write host and port"),
        .adding("admin: { listen: false }", "11 admin.listen: 'false' is not an address"),
        .adding("admin: { listen: \"localhost:9464\" }"),
        .adding("admin: { listen: \"127.0.0.1:0\" }"),
        .adding("admin: { listen: \"127.0.0.1:70000\" }", "11 admin.listen: '127.0.0.1:70000' is not an address"),
        .adding("log: { level: DEBUG }", "11 log.level: 'DEBUG' is not one of: trace, debug, info"),
        .adding("log: { format: json }"),
        .adding("reload: { canary: -1 }", "11 reload.canary: '-1' is not a whole number from 0 to"),
    ]

    private static let own = "each needs its own topic"

    /// Topics that are equal or empty.
    static let topics: [Self] = [
        .adding(
            "topics: { outcomes: newsroom.breaking.v1 }",
            taken("outcomes", "newsroom.breaking.v1", "sources.desk.topic")
        ),
        .adding(
            "topics: { deadLetters: newsroom.breaking.v1 }",
            taken("deadLetters", "newsroom.breaking.v1", "sources.desk.topic")
        ),
        .adding(
            "topics: { control: newsroom.breaking.v1 }",
            taken("control", "newsroom.breaking.v1", "sources.desk.topic")
        ),
        .adding(
            "topics: { control: newsflash.newsroom.breaking.v1.ledger }",
            taken("control", "newsflash.newsroom.breaking.v1.ledger", "topics.ledger")
        ),
        .adding(
            "topics: { control: newsflash.outcomes.v1 }",
            taken("control", "newsflash.outcomes.v1", "topics.outcomes")
        ),
        .adding("topics: { outcomes: x, deadLetters: x }", taken("deadLetters", "x", "topics.outcomes")),
        .adding(
            "topics: { ledger: newsflash.outcomes.v1 }",
            taken("ledger", "newsflash.outcomes.v1", "topics.outcomes")
        ),
        .adding(
            "sources: { desk: { topic: newsflash.control } }",
            "11 sources.desk.topic: 'newsflash.control' is already the topic of topics.control; \(own)"
        ),
        .adding(
            "topics: { outcomes: \"a b/c\" }",
            "11 topics.outcomes: 'a b/c' is not a valid topic name; write at most 249"
        ),
        .adding("topics: { deadLetters: \"\" }", "11 topics.deadLetters: '' is not a valid topic name"),
        .adding("sources: { desk: { topic: \"a b\" } }", "11 sources.desk.topic: 'a b' is not a valid topic name"),
        .adding("sources: { desk: { topic: \"\" } }", "11 sources.desk.topic: '' is not a valid topic name"),
        .adding(
            "sources: { desk: { topic: \"^news.*\" } }",
            "11 sources.desk.topic: '^news.*' is not a valid topic name"
        ),
        .adding(
            "sources: { desk: { topic: \"^news.*\" } }\nledger: { use: \"off\" }",
            "11 sources.desk.topic: '^news.*' is not a valid topic name"
        ),
    ]

    /// Values that have the right form at first sight.
    static let values: [Self] = [
        .adding(
            "policy: { quiet: { hours: \"22:00-22:00\", timeZone: Europe/Prague } }",
            "11 policy.quiet.hours: '22:00-22:00' is not a period of the day; write two different times"
        ),
        .adding(
            "policy: { volumeLimits: { perSource: 0/1m } }",
            "11 policy.volumeLimits.perSource: '0/1m' is not a rate; write a count and a period, such as 6 per 10m"
        ),
        .adding(
            "policy: { maximumLife: 10m, life: { flash: 1h } }",
            "warning 11 policy.maximumLife: is shorter than policy.life.hold"
        ),
        .adding("delivery: { drain: -5s }", "11 delivery.drain: '-5s' is not a duration; write a whole number with ms"),
        .adding(
            "delivery: { concurrency: 1e3 }",
            "11 delivery.concurrency: '1e3' is not a whole number from 1 to 1024"
        ),
        .adding("log: { level: verbose }", "11 log.level: 'verbose' is not one of: trace, debug, info"),
        .adding("admin: { listen: \"0.0.0.0\" }", "11 admin.listen: '0.0.0.0' is not an address; write host and port"),
        .adding("ledger: { damaged: skip }", "11 ledger.damaged: 'skip' is not one of: refuse, ignore"),
    ]

    private static func taken(_ key: String, _ name: String, _ other: String) -> String {
        "11 topics.\(key): '\(name)' is already the topic of \(other); \(own)"
    }

    private static let noConnection = "no connection string for the hub n: set the variable"

    /// Sources and hubs.
    static let hubsAndSources: [Self] = [
        .adding("sources: {}", shows: ("sources.desk.id", "newsroom")),
        .adding("sources: { desk: }", shows: ("sources.desk.id", "newsroom")),
        .adding("sources: [ { topic: a } ]", "11 sources: must be a mapping of keys to values"),
        .adding(
            "sources: { a: { topic: ta, id: x }, b: { topic: tb, id: x } }",
            "warning 11 sources.b.id: 'x' is also the id of sources.a"
        ),
        .adding(
            "sources: { a: {}, b: {} }",
            "11 sources.b.topic: 'newsroom.breaking.v1' is already the topic of sources.a"
        ),
        .adding("hub: newsroom", "3 hubs: use either 'hub' or 'hubs', not both"),
        .hubs(
            "hub: \"news/room\"",
            "3 hub: 'news/room' is not a valid hub name; write 1 to 260 letters, digits, dots, - and _"
        ),
        .hubs("hub: \" \"", "3 hub: ' ' is not a valid hub name"),
        .hubs("hub: \"\"", "3 hub: '' is not a valid hub name"),
        .hubs(
            "hubs: { main: { name: a/b, connectionStringFile: /x } }",
            "3 hubs.main.name: 'a/b' is not a valid hub name"
        ),
        .hubs("hub: null", "3 hub: is missing; name the hub, as in 'hub: newsroom', or several in 'hubs'"),
        .hubs("hubs: { main: { name: n, connectionStringFile: /nonexistent } }"),
        .hubs("hubs: { main: { name: n } }", "warning 3 hubs.main: \(noConnection) NEWSFLASH_HUB_CONNECTION_STRING"),
        .hubs(
            "hubs: { main: { name: n, connectionStringVariable: NOPE } }",
            "warning 3 hubs.main: \(noConnection) NOPE, or hubs.main.connectionStringFile"
        ),
        .hubs(
            "hubs: { main: { name: n, connectionString: hunter2, connectionStringFile: /x } }",
            "3 hubs.main.connectionString: unknown key; did you mean 'connectionStringFile'?"
        ),
    ]

    /// Languages, categories and texts.
    static let rules: [Self] = [
        .replacing(
            "default: en",
            "default: de",
            "4 locales.default: \"de\" is not among locales.offered; add it there"
        ),
        .replacing("[en, fr], default: en", "[no, fr], default: no", "8 text.flash.no: is missing"),
        .replacing("World: [world]", "World:", "warning 6 categories.World: has no codes; no event reaches it"),
        .replacing("World: [world]", "World: []", "warning 6 categories.World: has no codes; no event reaches it"),
        .replacing("World: [world]", "World: [04000000]"),
        .replacing("World: [world]", "World: [[a], b]", "6 categories.World: must be a list of plain values"),
        .replacing(
            "alert: \"{headline}\"",
            "alert: [a, b]",
            "9 text.alert: must be one value, not a list or a mapping"
        ),
        .replacing(
            "alert: \"{headline}\"",
            "alert: \"{headlin}\"",
            "9 text.alert: {headlin} is not an argument; use one of"
        ),
        .replacing(
            "alert: \"{headline}\"",
            "alert: |\n    {headline}",
            "warning 9 text.alert: ends with a line break, which becomes part of the value; write |- instead of |"
        ),
        .replacing(
            "alert: \"{headline}\"",
            "alert: \"\"",
            "9 text.alert: the pattern is empty; write at least {headline}"
        ),
    ]

    private static let noEffect =
        "the variable has no effect, because this configuration has no such key."
    private static func unknown(_ name: String, _ hint: String) -> String { "warning \(name): \(noEffect) \(hint)" }

    /// Variables of the environment.
    static let variables: [Self] = [
        .variable(
            "NEWSFLASH_KAFKA_BOOTSTRAP_SERVER",
            "x:1",
            unknown("NEWSFLASH_KAFKA_BOOTSTRAP_SERVER", "Did you mean NEWSFLASH_KAFKA_BOOTSTRAP_SERVERS?")
        ),
        .variable("NEWSFLASH_FOO", "x", "warning NEWSFLASH_FOO: the variable has no effect"),
        .variable("NEWSFLASH_GATEWAY_SERVICE_HOST", "10.0.0.1"),
        .variable(
            "newsflash_kafka_group",
            "q",
            unknown("newsflash_kafka_group", "Did you mean NEWSFLASH_KAFKA_GROUP?")
        ),
        .variable(
            "NEWSFLASH_KAFKA_PROPERTIES_CLIENT_RACK",
            "a",
            unknown("NEWSFLASH_KAFKA_PROPERTIES_CLIENT_RACK", "Write the key into the file first")
        ),
        .variable("NEWSFLASH_CATEGORIES_SPORT", "sports", unknown("NEWSFLASH_CATEGORIES_SPORT", "")),
        .variable(
            "NEWSFLASH_TEXT_FLASH",
            "X",
            unknown("NEWSFLASH_TEXT_FLASH", "Did you mean NEWSFLASH_TEXT_FLASH_EN?")
        ),
        .variable("NEWSFLASH_KAFKA_GROUP", "", "kafka.group: is empty; name the consumer group"),
        .variable("NEWSFLASH_KAFKA_CA_FILE", "", shows: ("kafka.tls", "false")),
        .variable(
            "NEWSFLASH_KAFKA_TLS",
            "",
            "kafka.tls: '' is neither true nor false (from the variable NEWSFLASH_KAFKA_TLS)"
        ),
        .variable("NEWSFLASH_KAFKA_SASL_MECHANISM", "", "kafka.sasl.mechanism: '' is not one of: PLAIN"),
        .variable(
            "NEWSFLASH_KAFKA_BOOTSTRAP_SERVERS",
            "",
            "kafka.bootstrapServers: is empty; name at least one broker"
        ),
        .variable("NEWSFLASH_ADMIN_LISTEN", "", "admin.listen: '' is not an address; write host and port"),
        .variable("NEWSFLASH_DELIVERY_DRAIN", "", "delivery.drain: '' is not a duration"),
        .variable(
            "NEWSFLASH_HUB",
            "other",
            "hub: cannot be used together with 'hubs' in the file; unset the variable (from the variable NEWSFLASH_HUB)"
        ),
        .variable("NEWSFLASH_CATEGORIES_WORLD", "a,b", shows: ("categories.World", "a,b")),
        .variable("NEWSFLASH_TEXT_FLASH_FR", "X {headline}", shows: ("text.flash.fr", "X {headline}")),
        .variable("NEWSFLASH_SOURCES_DESK_TOPIC", "zzz", shows: ("sources.desk.topic", "zzz")),
        .variable(
            "NEWSFLASH_LOCALES_OFFERED",
            "en fr",
            "4 locales.offered[0]: \"en fr\" is not a BCP 47 language tag",
            "4 locales.default: \"en\" is not among locales.offered"
        ),
    ]
}
