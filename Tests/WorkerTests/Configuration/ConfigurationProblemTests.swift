import Testing
import Worker

/// What the reader finds wrong, with the line and the remedy.
@Suite(.timeLimit(.minutes(1)))
struct ConfigurationProblemTests {
    /// A line that spoils a sound configuration, and what is said of it.
    struct Fault: Sendable {
        let text: String
        let problem: String

        init(_ text: String, _ problem: String) {
            self.text = text
            self.problem = problem
        }
    }

    private static let faults = [
        Fault(
            "kafka: 5",
            "line 5: kafka: must be a mapping of keys to values"
        ),
        Fault(
            "kafka: { startAt: yesterday }",
            "line 5: kafka.startAt: 'yesterday' is none of: earliest, latest, error"
        ),
        Fault(
            "kafka: { group: \"\" }",
            "line 5: kafka.group: is empty; name the consumer group, such as newsflash"
        ),
        Fault(
            "kafka: { bootstrapServers: [] }",
            "line 5: kafka.bootstrapServers: is empty; name at least one broker as host:port"
        ),
        Fault(
            "kafka: { tls: maybe }",
            "line 5: kafka.tls: 'maybe' is neither true nor false"
        ),
        Fault(
            "kafka: { sasl: { mechanism: GSSAPI } }",
            "line 5: kafka.sasl.mechanism: 'GSSAPI' is none of: PLAIN, SCRAM-SHA-256, SCRAM-SHA-512, "
                + "OAUTHBEARER"
        ),
        Fault(
            "kafka: { sasl: { mechanism: PLAIN, passwordFile: a } }",
            "line 5: kafka.sasl.username: is missing; PLAIN needs it"
        ),
        Fault(
            "kafka: { sasl: { mechanism: PLAIN, username: desk } }",
            "line 5: kafka.sasl.passwordFile: is missing; name the file that holds the password"
        ),
        Fault(
            "kafka: { certificateFile: /a, keyFile: /b, keyPasswordFile: /does/not/exist }",
            "line 5: kafka.keyPasswordFile: '/does/not/exist' cannot be read: there is no such file; check the path"
        ),
        Fault(
            "kafka:\n  sasl:\n    mechanism: PLAIN\n    username: desk\n    passwordVariable: NOT_SET",
            "line 9: kafka.sasl.passwordVariable: names the variable NOT_SET, which is not set"
        ),
        Fault(
            "sources: { wire: { format: nitf } }",
            "line 5: sources.wire.format: 'nitf' is none of: event, ninjs, superdesk, ap, fields"
        ),
        Fault(
            "sources:\n  one: {}\n  two: {}",
            "line 7: sources.two.topic: 'newsroom.breaking.v1' is the topic of sources.one already; a topic has one "
                + "format"
        ),
        Fault(
            "hubs: { main: { name: other } }",
            "line 5: hubs: stands beside 'hub', which is short for it; keep one"
        ),
        Fault(
            "hub: other",
            "line 5: the key 'hub' stands already in line 2"
        ),
        Fault(
            "send: { as: [apns, apns] }",
            "line 5: send.as: names apns twice: devices would be told twice"
        ),
        Fault(
            "send: { as: gcm }",
            "line 5: send.as: 'gcm' is none of: template, apns, fcmv1, wns, adm, browser"
        ),
        Fault(
            "send:\n  tags: \"{topic}\"",
            "line 6: send.tags: {topic} at character 1 is no part of a tag; there are {category} and "
                + "{locale}"
        ),
        Fault(
            "send:\n  properties:\n    ok: \"{headline}\"\n    bad name: \"{headline}\"",
            "line 8: send.properties.bad name: a property's name has 1 to 120 letters, digits and _ "
                + "of ASCII; templates read no other"
        ),
        Fault(
            "text: { alert: \"{headline}\" }",
            "line 5: text.kill: is missing: a withdrawn story would be told in the words of an alert"
        ),
        Fault(
            "text:\n  flash:\n    en: \"{headline}\"\n    fr: \"{headlin}\"",
            "line 8: text.flash.fr: {headlin} is not an argument; there are {headline} {summary} "
                + "{id} {story} {revision} {kind} {url} {image} (at character 1)"
        ),
        Fault(
            "unknown: Sport",
            "line 5: unknown: \"Sport\" is no category; write drop, dead-letter or one of categories:"
        ),
        Fault(
            "limits: { headline: 5 }",
            "line 5: limits.headline: '5' is not a whole number from 10 to 1000"
        ),
        Fault(
            "policy: { life: { flash: [1h] } }",
            "line 5: policy.life.flash: must be one value, not a list or a mapping"
        ),
        Fault(
            "delivery: 5",
            "line 5: delivery: must be a mapping of keys to values"
        ),
        Fault(
            "delivery: { concurrency: 0 }",
            "line 5: delivery.concurrency: '0' is not a whole number from 1 to 1024"
        ),
        Fault(
            "delivery: { probeTag: 'a b' }",
            "line 5: delivery.probeTag: a blank may not stand in a tag; allowed are letters and digits of ASCII and _ @ # . : - (at byte 1) "
                + "[tag_invalid_character]"
        ),
        Fault(
            "delivery: { scout: sometimes }",
            "line 5: delivery.scout: 'sometimes' is neither true nor false"
        ),
        Fault(
            "delivery: { longestPause: 0s }",
            "line 5: delivery.longestPause: is no time at all; write a length of time, such as 7d"
        ),
        Fault(
            "delivery: { connectionAge: 0s }",
            "line 5: delivery.connectionAge: is no time at all; write a length of time, such as 7d"
        ),
        Fault(
            "delivery: { connectionIdleTime: 0s }",
            "line 5: delivery.connectionIdleTime: is no time at all; write a length of time, such as 7d"
        ),
        Fault(
            "delivery: { drain: 20 }",
            "line 5: delivery.drain: '20' is not a length of time; write a whole number with ms, s, "
                + "m, h or d, such as 30s"
        ),
        Fault(
            "delivery: { readAhead: 64MB }",
            "line 5: delivery.readAhead: '64MB' is not a size; write a whole number, with KiB, MiB "
                + "or GiB if you like"
        ),
        Fault(
            "delivery: { readAhead: 0 }",
            "line 5: delivery.readAhead: is too little to work with; write 1MiB or more"
        ),
        Fault(
            "delivery:\n  storyMemory: 1023KiB",
            "line 6: delivery.storyMemory: is too little to work with; write 1MiB or more"
        ),
        Fault(
            "delivery: { drain: 5m }",
            "line 5: delivery.drain: must be between 100ms and 4m: the last commit needs time, and a group waits 5m for "
                + "partitions to be given back"
        ),
        Fault(
            "kafka: { sessionTimeout: 5500ms }",
            "line 5: kafka.sessionTimeout: must be between 6s and 30m: brokers take no other"
        ),
        Fault(
            "kafka: { sessionTimeout: 31m }",
            "line 5: kafka.sessionTimeout: must be between 6s and 30m: brokers take no other"
        ),
        Fault(
            "kafka: { instance: \"worker 1\" }",
            "line 5: kafka.instance: 'worker 1' is no name of a member; write 1 to 249 letters, digits, dots, - and _ "
                + "of ASCII"
        ),
        Fault(
            "kafka: { assignment: roundrobin }",
            "line 5: kafka.assignment: 'roundrobin' is none of: cooperative-sticky, range"
        ),
        Fault(
            "topics:\n  ledger: newsflash.outcomes.v1",
            "line 6: topics.ledger: 'newsflash.outcomes.v1' is the topic of topics.outcomes already; each needs a topic "
                + "of its own"
        ),
        Fault(
            "kafka: { group: \"the night desk\" }",
            "line 5: kafka.group: 'the night desk' cannot be part of the names of the control topic and the ledger; write "
                + "at most 249 letters, digits, dots, - and _ of ASCII, or give both names without {group} in topics"
        ),
        Fault(
            "ledger: { use: maybe }",
            "line 5: ledger.use: 'maybe' is none of: required, off"
        ),
        Fault(
            "ledger: { damaged: repair }",
            "line 5: ledger.damaged: 'repair' is none of: refuse, ignore"
        ),
        Fault(
            "ledger: { retention: 0d }",
            "line 5: ledger.retention: is no time at all; write a length of time, such as 7d"
        ),
        Fault(
            "policy: { maximumEmbargo: 0s }",
            "line 5: policy.maximumEmbargo: is no time at all; write a length of time, such as 7d"
        ),
        Fault(
            "delivery: { retry: { bse: 1s } }",
            "line 5: delivery.retry.bse: is no key of this section; known here: base, cap"
        ),
        Fault(
            "topics: { outcome: a }",
            "line 5: topics.outcome: is no key of this section; known here: control, deadLetters, ledger, outcomes"
        ),
        Fault(
            "admin: { listen: 9464 }",
            "line 5: admin.listen: '9464' is no address; write host and port, such as "
                + "127.0.0.1:9464, or off"
        ),
        Fault(
            "log: { level: loud }",
            "line 5: log.level: 'loud' is none of: trace, debug, info, notice, warning, error, "
                + "critical"
        ),
        Fault(
            "colour: blue",
            "line 5: colour: is no key of this section; known here: admin, categories, delivery, gateway, "
                + "hub, hubs, interruption, kafka, ledger, limits, locales, log, narrower, policy, reload, secure, send, "
                + "sources, text, topics, unknown, version"
        ),
    ]

    @Test(arguments: faults)
    func `a fault is told with its key, its line and what to write`(fault: Fault) {
        #expect(SoundConfiguration.problems(adding: fault.text) == [fault.problem])
    }

    @Test
    func `all problems are told at once`() {
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

    @Test
    func `what is missing is told without a line`() {
        #expect(
            SoundConfiguration.problems(in: "log: { level: info }") == [
                "version: is missing; write 'version: 1' so that later versions can tell",
                "hub: is missing; name the hub, as in 'hub: newsroom', or several in 'hubs'",
                "locales.offered: is missing; list the languages, such as [en, fr]",
                "categories: is missing; map each tag to the codes of the desk",
            ]
        )
    }

    @Test(arguments: [
        ("version: 1\n\tkafka: 1", 2), ("version: 1\nhub: [a", 3), ("a: &b 1", 1), ("a: 1\n---\nb: 2", 2),
    ])
    func `a text that is no document we read is one problem with its line`(text: String, line: Int) {
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
    func `a property that the worker's promises stand on is refused`(property: String) {
        #expect(
            SoundConfiguration.problems(adding: "kafka:\n  properties:\n    \(property): x") == [
                "line 7: kafka.properties.\(property): is set by the worker itself: what it promises depends on it. "
                    + "Leave it out"
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
    func `a property that has a key of ours leads to it`(property: String, key: String) {
        #expect(
            SoundConfiguration.problems(adding: "kafka:\n  properties:\n    \(property): x") == [
                "line 7: kafka.properties.\(property): is set by \(key); write it there, and leave it out here"
            ]
        )
    }

    @Test(arguments: ["client.rack", "fetch.wait.max.ms", "linger.ms", "ssl.curves.list", "statistics.interval.ms"])
    func `a property that no promise stands on may be set`(property: String) {
        #expect(SoundConfiguration.problems(adding: "kafka:\n  properties:\n    \(property): 5") == [])
    }
}
