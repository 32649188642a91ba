import NewsflashWorker
import Testing

/// The problems that the reader finds, with line and remedy.
@Suite(.timeLimit(.minutes(1)))
struct ConfigurationProblemTests {
    /// A line that makes a valid configuration invalid, and the expected message.
    struct InvalidSetting: Sendable {
        let text: String
        let problem: String

        init(_ text: String, _ problem: String) {
            self.text = text
            self.problem = problem
        }
    }

    private static let faults = [
        InvalidSetting(
            "kafka: 5",
            "line 5: kafka: must be a mapping of keys to values"
        ),
        InvalidSetting(
            "kafka: { startAt: yesterday }",
            "line 5: kafka.startAt: 'yesterday' is not one of: earliest, latest, error"
        ),
        InvalidSetting(
            "kafka: { group: \"\" }",
            "line 5: kafka.group: is empty; name the consumer group, such as newsflash"
        ),
        InvalidSetting(
            "kafka: { bootstrapServers: [] }",
            "line 5: kafka.bootstrapServers: is empty; name at least one broker as host:port"
        ),
        InvalidSetting(
            "kafka: { tls: maybe }",
            "line 5: kafka.tls: 'maybe' is neither true nor false"
        ),
        InvalidSetting(
            "kafka: { sasl: { mechanism: GSSAPI } }",
            "line 5: kafka.sasl.mechanism: 'GSSAPI' is not one of: PLAIN, SCRAM-SHA-256, SCRAM-SHA-512, "
                + "OAUTHBEARER"
        ),
        InvalidSetting(
            "kafka: { sasl: { mechanism: PLAIN, passwordFile: a } }",
            "line 5: kafka.sasl.username: is missing; PLAIN needs it"
        ),
        InvalidSetting(
            "kafka: { sasl: { mechanism: PLAIN, username: desk } }",
            "line 5: kafka.sasl.passwordFile: is missing; name the file that holds the password"
        ),
        InvalidSetting(
            "kafka: { certificateFile: /a, keyFile: /b, keyPasswordFile: /does/not/exist }",
            "line 5: kafka.keyPasswordFile: '/does/not/exist' cannot be read: there is no such file; check the path"
        ),
        InvalidSetting(
            "kafka:\n  sasl:\n    mechanism: PLAIN\n    username: desk\n    passwordVariable: NOT_SET",
            "line 9: kafka.sasl.passwordVariable: names the variable NOT_SET, which is not set"
        ),
        InvalidSetting(
            "sources: { wire: { format: nitf } }",
            "line 5: sources.wire.format: 'nitf' is not one of: event, ninjs, superdesk, ap, fields"
        ),
        InvalidSetting(
            "sources:\n  one: {}\n  two: {}",
            "line 7: sources.two.topic: 'newsroom.breaking.v1' is already the topic of sources.one; a topic has one "
                + "format"
        ),
        InvalidSetting(
            "hubs: { main: { name: other } }",
            "line 5: hubs: use either 'hub' or 'hubs', not both"
        ),
        InvalidSetting(
            "hub: other",
            "line 5: the key 'hub' is already in line 2"
        ),
        InvalidSetting(
            "send: { as: [apns, apns] }",
            "line 5: send.as: contains apns twice: devices would be notified twice"
        ),
        InvalidSetting(
            "send: { as: gcm }",
            "line 5: send.as: 'gcm' is not one of: template, apns, fcmv1, wns, adm, browser"
        ),
        InvalidSetting(
            "send:\n  tags: \"{topic}\"",
            "line 6: send.tags: {topic} at character 1 is unknown; use {category} and "
                + "{locale}"
        ),
        InvalidSetting(
            "send:\n  properties:\n    ok: \"{headline}\"\n    bad name: \"{headline}\"",
            "line 8: send.properties.bad name: a property's name must have 1 to 120 ASCII letters, "
                + "digits and _"
        ),
        InvalidSetting(
            "text: { alert: \"{headline}\" }",
            "line 5: text.kill: is missing: a withdrawal would be announced in the words of an alert"
        ),
        InvalidSetting(
            "text:\n  kill: \"{headline}\"\n  flash:\n    en: \"{headline}\"\n    fr: \"{headlin}\"",
            "line 9: text.flash.fr: {headlin} is not an argument; use one of {headline} {summary} "
                + "{id} {story} {revision} {kind} {url} {image} (at character 1)"
        ),
        InvalidSetting(
            "unknown: Sport",
            "line 5: unknown: \"Sport\" is not a category; write drop, dead-letter or one of categories:"
        ),
        InvalidSetting(
            "limits: { headline: 5 }",
            "line 5: limits.headline: '5' is not a whole number from 10 to 1000"
        ),
        InvalidSetting(
            "policy: { life: { flash: [1h] } }",
            "line 5: policy.life.flash: must be one value, not a list or a mapping"
        ),
        InvalidSetting(
            "delivery: 5",
            "line 5: delivery: must be a mapping of keys to values"
        ),
        InvalidSetting(
            "delivery: { concurrency: 0 }",
            "line 5: delivery.concurrency: '0' is not a whole number from 1 to 1024"
        ),
        InvalidSetting(
            "delivery: { probeTag: 'a b' }",
            "line 5: delivery.probeTag: a blank is not allowed in a tag; allowed are ASCII letters and digits and _ @ # . : - (at byte 1) "
                + "[tag_invalid_character]"
        ),
        InvalidSetting(
            "delivery: { scout: sometimes }",
            "line 5: delivery.scout: 'sometimes' is neither true nor false"
        ),
        InvalidSetting(
            "delivery: { longestPause: 0s }",
            "line 5: delivery.longestPause: must be greater than zero, for example 7d"
        ),
        InvalidSetting(
            "delivery: { connectionAge: 0s }",
            "line 5: delivery.connectionAge: must be greater than zero, for example 7d"
        ),
        InvalidSetting(
            "delivery: { connectionIdleTime: 0s }",
            "line 5: delivery.connectionIdleTime: must be greater than zero, for example 7d"
        ),
        InvalidSetting(
            "delivery: { drain: 20 }",
            "line 5: delivery.drain: '20' is not a duration; write a whole number with ms, s, "
                + "m, h or d, such as 30s"
        ),
        InvalidSetting(
            "delivery: { readAhead: 64MB }",
            "line 5: delivery.readAhead: '64MB' is not a size; write a whole number, optionally with KiB, MiB "
                + "or GiB"
        ),
        InvalidSetting(
            "delivery: { readAhead: 0 }",
            "line 5: delivery.readAhead: must be at least 1MiB"
        ),
        InvalidSetting(
            "delivery:\n  storyMemory: 1023KiB",
            "line 6: delivery.storyMemory: must be at least 1MiB"
        ),
        InvalidSetting(
            "delivery: { drain: 5m }",
            "line 5: delivery.drain: must be between 100ms and 4m (the last commit needs time, and a group waits 5m for "
                + "partitions to be given back)"
        ),
        InvalidSetting(
            "kafka: { sessionTimeout: 5500ms }",
            "line 5: kafka.sessionTimeout: must be between 6s and 30m (the brokers' limits)"
        ),
        InvalidSetting(
            "kafka: { sessionTimeout: 31m }",
            "line 5: kafka.sessionTimeout: must be between 6s and 30m (the brokers' limits)"
        ),
        InvalidSetting(
            "kafka: { instance: \"worker 1\" }",
            "line 5: kafka.instance: 'worker 1' is not a valid member name; write 1 to 249 letters, digits, dots, - and _ "
                + "of ASCII"
        ),
        InvalidSetting(
            "kafka: { assignment: roundrobin }",
            "line 5: kafka.assignment: 'roundrobin' is not one of: cooperative-sticky, range"
        ),
        InvalidSetting(
            "topics:\n  ledger: newsflash.outcomes.v1",
            "line 6: topics.ledger: 'newsflash.outcomes.v1' is already the topic of topics.outcomes; each needs its own "
                + "topic"
        ),
        InvalidSetting(
            "kafka: { group: \"the night desk\" }",
            "line 5: kafka.group: 'the night desk' cannot be part of the names of the control topic and the ledger; write "
                + "at most 249 letters, digits, dots, - and _ of ASCII, or set both names without {group} in topics"
        ),
        InvalidSetting(
            "ledger: { use: maybe }",
            "line 5: ledger.use: 'maybe' is not one of: required, off"
        ),
        InvalidSetting(
            "ledger: { damaged: repair }",
            "line 5: ledger.damaged: 'repair' is not one of: refuse, ignore"
        ),
        InvalidSetting(
            "ledger: { retention: 0d }",
            "line 5: ledger.retention: must be greater than zero, for example 7d"
        ),
        InvalidSetting(
            "policy: { maximumEmbargo: 0s }",
            "line 5: policy.maximumEmbargo: must be greater than zero, for example 7d"
        ),
        InvalidSetting(
            "delivery: { retry: { bse: 1s } }",
            "line 5: delivery.retry.bse: unknown key; did you mean 'base'?"
        ),
        InvalidSetting(
            "topics: { outcome: a }",
            "line 5: topics.outcome: unknown key; did you mean 'outcomes'?"
        ),
        InvalidSetting(
            "admin: { listen: 9464 }",
            "line 5: admin.listen: '9464' is not an address; write host and port, such as "
                + "127.0.0.1:9464, or off"
        ),
        InvalidSetting(
            "log: { level: loud }",
            "line 5: log.level: 'loud' is not one of: trace, debug, info, notice, warning, error, "
                + "critical"
        ),
        InvalidSetting(
            "colour: blue",
            "line 5: colour: unknown key; allowed: admin, categories, delivery, gateway, "
                + "hub, hubs, interruption, kafka, ledger, limits, locales, log, narrower, policy, reload, secure, send, "
                + "sources, text, topics, unknown, version"
        ),
    ]

    @Test(arguments: faults)
    func `a problem has its key, its line and a remedy`(fault: InvalidSetting) {
        #expect(SoundConfiguration.problems(adding: fault.text) == [fault.problem])
    }

    @Test
    func `all problems are reported at once`() {
        let text = """
            version: 2
            hub: regional
            locales: { offered: [en, xx_, en], default: de }
            categories: { World: [world], "Bad/Tag": [bad] }
            delivery: { concurrency: many, drain: soon }
            """
        let problems = SoundConfiguration.problems(in: text)
        let paths = problems.map { $0.split(separator: ": ").prefix(2).joined(separator: " ") }
        #expect(
            paths == [
                "line 1 version", "line 3 locales.offered[1]", "line 3 locales.offered[2]", "line 3 locales.default",
                "line 4 categories.Bad/Tag", "line 5 delivery.concurrency", "line 5 delivery.drain",
            ]
        )
    }

    @Test func `wrong texts are reported whatever else is wrong`() {
        func places(_ locales: String, _ text: String) -> [String] {
            let categories = "categories: { World: [world] }"
            return SoundConfiguration.problems(in: "version: 1\nhub: n\nlocales: \(locales)\n\(categories)\n\(text)")
                .map { $0.split(separator: ": ").prefix(2).joined(separator: " ") }
        }
        let faulty = "text:\n  kill: \"{headline}\"\n  flash: { fr: \"{headlin}\" }\n  alert: { fr: \"{headline}\" }"
        #expect(
            places("{ offered: [en, fr], default: de }", faulty) == ["line 3 locales.default", "line 7 text.flash.fr"],
            "an alert in French alone is right if French is the default"
        )
        #expect(places("{ offered: [en, fr], default: fr }", faulty) == ["line 7 text.flash.fr"])
        let withoutKill = "text:\n  alert: \"{headlin}\""
        #expect(
            places("{ offered: [en] }", withoutKill) == ["line 6 text.kill", "line 6 text.alert"],
            "a missing kind is reported although a pattern is wrong"
        )
        #expect(
            places("{ offered: [en] }\nsend: { tags: \"{x}\", properties: { a: \"{y}\" } }", withoutKill)
                == ["line 4 send.tags", "line 4 send.properties.a", "line 7 text.kill", "line 7 text.alert"]
        )
    }

    @Test
    func `a missing key is reported without a line`() {
        #expect(
            SoundConfiguration.problems(in: "log: { level: info }") == [
                "version: is missing; write 'version: 1' so that later versions know the format",
                "hub: is missing; name the hub, as in 'hub: newsroom', or several in 'hubs'",
                "locales.offered: is missing; list the languages, such as [en, fr]",
                "categories: is missing; map each tag to the newsroom's codes",
            ]
        )
    }

    @Test(arguments: [
        ("version: 1\n\tkafka: 1", 2), ("version: 1\nhub: [a", 3), ("a: &b 1", 1), ("a: 1\n---\nb: 2", 2),
    ])
    func `an unreadable document is one problem with its line`(text: String, line: Int) {
        let error = #expect(throws: ConfigurationError.self) {
            try ConfigurationReader(environment: [:]).read(text: text, source: "test.yaml")
        }
        #expect(error?.problems.map(\.line) == [line])
        #expect(error?.problems.first?.message.isEmpty == false)
    }

    @Test(arguments: [
        "acks", "allow.auto.create.topics", "api.version.request", "auto.commit.enable", "delivery.report.only.error",
        "delivery.timeout.ms", "enable.auto.commit", "enable.auto.offset.store", "enable.gapless.guarantee",
        "enable.idempotence", "enable.partition.eof", "enabled_events", "group.protocol.type", "isolation.level",
        "enable.ssl.certificate.verification", "log.queue", "max.in.flight", "retries", "max.poll.interval.ms",
        "message.timeout.ms", "offset.store.method", "partitioner",
        "queuing.strategy", "request.required.acks", "topic.blacklist", "transactional.id",
    ])
    func `a property on which the worker's guarantees depend is refused`(property: String) {
        #expect(
            SoundConfiguration.problems(adding: "kafka:\n  properties:\n    \(property): x") == [
                "line 7: kafka.properties.\(property): is set by the worker, whose guarantees depend on it; "
                    + "remove it"
            ]
        )
    }

    @Test(arguments: [
        ("auto.offset.reset", "kafka.startAt"), ("bootstrap.servers", "kafka.bootstrapServers"),
        ("group.id", "kafka.group"), ("group.instance.id", "kafka.instance"),
        ("heartbeat.interval.ms", "kafka.sessionTimeout"), ("metadata.broker.list", "kafka.bootstrapServers"),
        ("partition.assignment.strategy", "kafka.assignment"),
        ("queued.max.messages.kbytes", "delivery.readAhead"), ("queued.min.messages", "delivery.readAhead"),
        ("session.timeout.ms", "kafka.sessionTimeout"),
    ])
    func `the error about a property with a key of its own names the key`(property: String, key: String) {
        #expect(
            SoundConfiguration.problems(adding: "kafka:\n  properties:\n    \(property): x") == [
                "line 7: kafka.properties.\(property): is set by \(key); set it there and remove it here"
            ]
        )
    }

    @Test(arguments: ["${OUTCOMES}", "$(OUTCOMES)"])
    func `the error about a name with a shell variable says that variables are not replaced`(name: String) {
        let problems = SoundConfiguration.problems(adding: "topics: { outcomes: \"\(name)\" }")
        let hint = "; variables are not replaced in this file: set the key's own variable NEWSFLASH_… instead"
        #expect(problems.count == 1)
        #expect(problems.first?.hasSuffix(hint) == true, "\(problems)")
    }

    @Test(arguments: ["client.rack", "fetch.wait.max.ms", "linger.ms", "ssl.curves.list", "statistics.interval.ms"])
    func `a property on which no guarantee depends may be set`(property: String) {
        #expect(SoundConfiguration.problems(adding: "kafka:\n  properties:\n    \(property): 5") == [])
    }
}
