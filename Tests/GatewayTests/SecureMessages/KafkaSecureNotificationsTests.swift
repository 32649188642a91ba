import NewsflashEvents
import NewsflashKafka
import NewsflashKafkaMock
import NewsflashKafkaTestCluster
import NewsflashObservability
import NewsflashPublishing
import NewsflashRendering
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashTopicPartitions
import NewsflashWorker
import NotificationHubs
import Testing

@testable import NewsflashGateway

/// Secure events and their outcomes in topics, and the texts that users fetch.
@Suite(.timeLimit(.minutes(1)))
struct KafkaSecureNotificationsTests {
    /// A source of events and a topic of outcomes, for this test only.
    private struct Stage {
        let cluster: KafkaTestCluster
        let desk: String
        let house: String
        let outcomes: String
        let configuration: WorkerConfiguration
        let log = EventLog<LogEntry>()

        init(hasTopics: Bool = true) async throws {
            cluster = try await KafkaTestCluster.shared()
            desk = hasTopics ? try await cluster.makeTopic(partitions: 2) : cluster.uniqueName("desk")
            house = try await cluster.makeTopic()
            outcomes = try await cluster.makeTopic()
            let key = try KeyFile("0123456789abcdef")
            let text = """
                version: 1
                kafka: { bootstrapServers: "\(cluster.bootstrapServers)" }
                sources:
                  desk: { topic: \(desk), id: "https://cms.example.org/desk" }
                  house:
                    topic: \(house)
                    format: fields
                    fields:
                      { id: /id, story: /id, revision: /rev, published: /at, users: /for/*, language: { default: en },
                        delivery: { default: secure }, kind: { default: alert }, text: { headline: /title } }
                topics: { outcomes: \(outcomes) }
                hub: newsroom
                locales: { offered: [en, fr, pt-BR], default: en }
                categories: { World: [world] }
                policy: { life: { alert: 36500d, correction: 36500d, kill: 36500d } }
                secure: { keyFile: "\(key.path)" }
                text:
                  kill: "Withdrawn: {headline}"
                  correction: { en: "Correction: {headline}", fr: "Rectificatif : {headline}" }
                  secure: "You have a message"
                """
            configuration = try ConfigurationReader(environment: [:]).read(text: text, source: "test.yaml")
                .configuration
            withExtendedLifetime(key) {}
        }

        func write(_ events: NewsEvent..., partition: Int32 = 0) async throws {
            try await cluster.write(
                events.map { event in
                    KafkaRecord(
                        topic: desk,
                        partition: partition,
                        key: Array(event.story.utf8),
                        value: EventEncoder.encode(event)
                    )
                }
            )
        }

        /// Writes the outcome of an event that was sent.
        func end(_ event: NewsEvent, offset: Int64, of topic: String? = nil, sent tags: String...) async throws {
            let targets = tags.map { tags in
                var report = OutcomeRecord.Report()
                report.status = .accepted
                return OutcomeRecord.Target(
                    OutcomeRecord.Request(hub: "main", platform: "template", tags: tags),
                    report
                )
            }
            let record = OutcomeRecord(
                of: event,
                verdict: EventVerdict(tags.isEmpty ? .suppressed : .sent),
                origin: RecordOrigin(partition: TopicPartition(topic: topic ?? desk, partition: 0), offset: offset),
                config: "c",
                at: event.published,
                targets: targets,
                isSecure: true
            )
            try await cluster.write([KafkaRecord(topic: outcomes, value: record.json)])
        }

        func withNotifications(
            patience: Duration = .seconds(2),
            _ body: (KafkaSecureNotifications) async throws -> Void
        ) async throws {
            let logger = Logger(label: "gateway", level: .trace, handler: log)
            let notifications = KafkaSecureNotifications(configuration, logger: logger, patience: patience)
            try notifications.open()
            do {
                try await body(notifications)
            } catch {
                await notifications.close()
                throw error
            }
            await notifications.close()
        }

        /// Waits until a record of a topic's first partition was read.
        func read(_ offset: Int64, of topic: String) async throws {
            let place = [LogValue.string(topic), LogValue(offset)]
            try await log.wait { entries in
                entries.contains { [$0.metadata["kafka.topic"], $0.metadata["kafka.offset"]] == place } ? () : nil
            }
        }

        /// Fetches the text of an event by its token.
        func text(
            of event: NewsEvent,
            for user: String,
            devices: [[String]] = [],
            in languages: [String] = [],
            from notifications: KafkaSecureNotifications
        ) async -> SecureNotification {
            let reader = SecureReader(name: user) { () throws(GatewayRefusal) in
                devices.map { $0.compactMap { try? Tag($0) } }
            }
            return await notifications.notification(token(event), for: reader, languages: languages)
        }

        func token(_ event: NewsEvent) -> String { configuration.secure.tokens.token(for: event) }
    }

    private static let published = Timestamp(seconds: 1_772_438_400)

    private static func event(_ id: String, revision: Int64 = 1, kind: EventKind = .alert, users: [String] = ["anna"])
        -> NewsEvent
    {
        NewsEvent(
            id: id,
            source: "https://cms.example.org/desk",
            story: "review",
            revision: revision,
            kind: kind,
            published: published,
            text: [
                EventText(language: "en", headline: "Your  paper\u{202E} is under review", summary: "By Thursday."),
                EventText(language: "fr", headline: "Votre article est relu"),
            ],
            url: "https://news.example.org/review",
            users: users,
            delivery: .secure
        )
    }

    @Test func `a user fetches the text in the user's language, as it would have been sent`() async throws {
        let stage = try await Stage()
        let event = Self.event("71a0")
        try await stage.write(event)
        try await stage.end(event, offset: 0, sent: "username:anna")
        try await stage.withNotifications { notifications in
            await notifications.waitUntilReady()
            #expect(
                await stage.text(of: event, for: "anna", in: ["xx", "en-GB"], from: notifications)
                    == .found(
                        SecureText(
                            id: stage.token(event),
                            story: "review",
                            kind: "alert",
                            locale: "en",
                            headline: "Your paper is under review",
                            summary: "By Thursday.",
                            url: "https://news.example.org/review",
                            published: "2026-03-02T08:00:00.000Z"
                        )
                    )
            )
            let inFrench = await stage.text(of: event, for: "anna", in: ["fr-CA"], from: notifications)
            guard case .found(let text) = inFrench else {
                Issue.record("\(inFrench)")
                return
            }
            #expect(text.headline == "Votre article est relu" && text.locale == "fr" && text.summary == nil)
            #expect(await stage.text(of: event, for: "eve", from: notifications) == .notFound)
            // The id of the desk's event is not a token.
            let anna = SecureReader(name: "anna") { () throws(GatewayRefusal) in [] }
            #expect(await notifications.notification("71a0", for: anna, languages: []) == .notFound)
        }
    }

    @Test func `an event by category needs the user's devices, and an unreachable hub is waited for`() async throws {
        let stage = try await Stage()
        var event = Self.event("71a0", users: [])
        event.categories = ["world"]
        try await stage.write(event)
        try await stage.end(event, offset: 0, sent: "World")
        try await stage.withNotifications { notifications in
            await notifications.waitUntilReady()
            let world = [["Sports"], ["World", "username:rui"]]
            guard case .found = await stage.text(of: event, for: "rui", devices: world, from: notifications) else {
                Issue.record("it is not found")
                return
            }
            #expect(await stage.text(of: event, for: "eve", devices: [["Sports"]], from: notifications) == .notFound)
            #expect(await stage.text(of: event, for: "eve", from: notifications) == .notFound)
            let unlucky = SecureReader(name: "rui") { () throws(GatewayRefusal) in throw .unavailable("hub", "away") }
            let found = await notifications.notification(stage.token(event), for: unlucky, languages: [])
            #expect(found == .unavailable)
        }
    }

    @Test func `an event without an outcome is asked for again, and an unsent one is not found`() async throws {
        let stage = try await Stage()
        let event = Self.event("71a0")
        try await stage.write(event)
        try await stage.withNotifications { notifications in
            await notifications.waitUntilReady()
            #expect(await stage.text(of: event, for: "anna", from: notifications) == .unavailable)
            try await stage.end(event, offset: 0)
            try await stage.read(0, of: stage.outcomes)
            #expect(await stage.text(of: event, for: "anna", from: notifications) == .notFound)
        }
    }

    @Test func `a request that comes with the push waits for the outcome`() async throws {
        let stage = try await Stage()
        let event = Self.event("71a0")
        try await stage.write(event)
        try await stage.withNotifications(patience: .seconds(120)) { notifications in
            await notifications.waitUntilReady()
            // The tags of the devices decide who is in the audience of a category.
            async let byName = stage.text(of: event, for: "anna", from: notifications)
            async let byCategory = stage.text(of: event, for: "rui", devices: [["World"]], from: notifications)
            try await stage.end(event, offset: 0, sent: "username:anna || World")
            guard case .found = await byName, case .found = await byCategory else {
                Issue.record("it is not found")
                return
            }
        }
    }

    @Test func `a request that comes before the event is read waits for it`() async throws {
        let stage = try await Stage()
        let event = Self.event("71a0")
        try await stage.withNotifications(patience: .seconds(120)) { notifications in
            await notifications.waitUntilReady()
            async let text = stage.text(of: event, for: "anna", from: notifications)
            try await stage.write(event)
            try await stage.end(event, offset: 0, sent: "username:anna")
            guard case .found = await text else {
                Issue.record("it is not found")
                return
            }
        }
    }

    @Test func `corrections and kills are followed as they come`() async throws {
        let stage = try await Stage()
        let first = Self.event("71a0")
        try await stage.write(first)
        try await stage.end(first, offset: 0, sent: "username:anna")
        try await stage.withNotifications { notifications in
            await notifications.waitUntilReady()
            let second = Self.event("71a1", revision: 2, kind: .correction, users: ["ben"])
            try await stage.write(second)
            try await stage.end(second, offset: 1, sent: "username:anna")
            try await stage.read(1, of: stage.desk)
            try await stage.read(1, of: stage.outcomes)
            for event in [first, second] {
                guard case .found(let text) = await stage.text(of: event, for: "anna", in: ["fr"], from: notifications)
                else {
                    Issue.record("\(event.id) is not found")
                    continue
                }
                #expect(text.headline == "Rectificatif : Votre article est relu" && text.id == stage.token(event))
            }
            var kill = Self.event("71a2", revision: 3, kind: .kill, users: [])
            kill.text = []
            kill.delivery = .open
            try await stage.write(kill)
            try await stage.read(2, of: stage.desk)
            for event in [first, second] {
                #expect(await stage.text(of: event, for: "anna", from: notifications) == .withdrawn)
                #expect(await stage.text(of: event, for: "ben", from: notifications) == .notFound)
            }
        }
    }

    @Test func `every source is decoded in its own form, and invalid records are skipped`() async throws {
        let stage = try await Stage()
        try await stage.cluster.write([
            KafkaRecord(topic: stage.desk, partition: 1, value: Array("no event".utf8)),
            KafkaRecord(topic: stage.desk, partition: 1, value: nil),
            KafkaRecord(topic: stage.outcomes, value: Array(#"{"v":1,"delivery":"secure"}"#.utf8)),
            KafkaRecord(
                topic: stage.house,
                value: Array(
                    #"{"id":"h-1","rev":1,"at":"2026-03-02T08:00:00Z","for":["clara"],"title":"House news"}"#.utf8
                )
            ),
        ])
        let event = NewsEvent(
            id: "h-1",
            source: "house",
            story: "h-1",
            revision: 1,
            kind: .alert,
            published: Self.published
        )
        try await stage.end(event, offset: 0, of: stage.house, sent: "username:clara")
        try await stage.withNotifications { notifications in
            await notifications.waitUntilReady()
            guard case .found(let text) = await stage.text(of: event, for: "clara", from: notifications) else {
                Issue.record("it is not found")
                return
            }
            #expect(text.headline == "House news")
            #expect(await stage.text(of: event, for: "anna", from: notifications) == .notFound)
        }
    }

    @Test func `no text is returned before all records are read, because the last may be a kill`() async throws {
        let stage = try await Stage()
        let event = Self.event("71a0")
        try await stage.write(event, Self.event("k", revision: 2, kind: .kill))
        try await stage.end(event, offset: 0, sent: "username:anna")
        let logger = Logger(label: "gateway", level: .trace, handler: stage.log)
        let closed = KafkaSecureNotifications(stage.configuration, logger: logger)
        #expect(await stage.text(of: event, for: "anna", from: closed) == .unavailable)
        try await stage.withNotifications { notifications in
            await notifications.waitUntilReady()
            #expect(await stage.text(of: event, for: "anna", from: notifications) == .withdrawn)
        }
    }

    @Test func `an unresponsive cluster is waited for, and no text is reported as missing`() async throws {
        let stage = try await Stage()
        var configuration = stage.configuration
        configuration.kafka.bootstrapServers = "127.0.0.1:1"
        let logger = Logger(label: "gateway", level: .trace, handler: stage.log)
        let notifications = KafkaSecureNotifications(configuration, logger: logger)
        try notifications.open()
        try await stage.log.wait { $0.isEmpty ? nil : () }
        #expect(await stage.text(of: Self.event("71a0"), for: "anna", from: notifications) == .unavailable)
        await notifications.close()
    }

    @Test func `during an outage no text is reported as missing`() async throws {
        let stage = try await Stage()
        let cluster = try MockCluster(brokers: 1)
        for topic in [stage.desk, stage.house, stage.outcomes] { try cluster.createTopic(topic, partitions: 1) }
        var configuration = stage.configuration
        configuration.kafka.bootstrapServers = cluster.bootstrapServers
        let logger = Logger(label: "gateway", level: .trace, handler: stage.log)
        let notifications = KafkaSecureNotifications(configuration, logger: logger, patience: .zero)
        try notifications.open()
        await notifications.waitUntilReady()
        #expect(await stage.text(of: Self.event("71a0"), for: "anna", from: notifications) == .notFound)
        try cluster.stopBroker(1)
        try await stage.log.wait { entries in
            entries.contains { $0.message == "topics cannot be read" } ? () : nil
        }
        #expect(await stage.text(of: Self.event("71a0"), for: "anna", from: notifications) == .unavailable)
        await notifications.close()
    }

    @Test func `an outage is logged once, whatever librdkafka reports`() async throws {
        let log = EventLog<LogEntry>()
        let logger = Logger(label: "gateway", level: .trace, handler: log)
        let follower = TopicFollower(["news": .all], logger: logger) { _ in }
        var client = KafkaConfiguration(bootstrapServers: "127.0.0.1:1", clientID: "test")
        client.log = { _ in }
        let reader = try KafkaReader(KafkaReaderConfiguration(client: client, recovery: .tell), delegate: follower)
        let outage = [
            KafkaError(.transport, "Connection refused (after 0ms)"),
            KafkaError(.allBrokersDown, "1/1 brokers are down"),
            KafkaError(.transport, "Connection refused (after 1ms)"), KafkaError(.timedOut, "no answer"),
        ]
        for error in outage { follower.kafkaReader(reader, didFail: error, of: nil) }
        // The reader's own thread may have been the first to report, and may not have logged it yet.
        await reader.close(deadline: .seconds(5))
        #expect(log.events.map(\.message) == ["topics cannot be read"])
    }

    @Test func `a missing topic is read once it exists, and until then no text is reported as missing`() async throws {
        let stage = try await Stage(hasTopics: false)
        let event = Self.event("71a0")
        try await stage.withNotifications { notifications in
            await notifications.waitUntilReady()
            #expect(await stage.text(of: event, for: "anna", from: notifications) == .unavailable)
            try await stage.log.wait { entries in
                entries.contains { $0.message == "a topic is missing and cannot be read" } ? () : nil
            }
            try await stage.cluster.makeTopic(named: stage.desk)
            try await stage.write(event)
            try await stage.end(event, offset: 0, sent: "username:anna")
            try await stage.read(0, of: stage.desk)
            try await stage.read(0, of: stage.outcomes)
            try await waitUntil { notifications.isReady }
            guard case .found = await stage.text(of: event, for: "anna", from: notifications) else {
                Issue.record("it is not found")
                return
            }
            #expect(await stage.text(of: Self.event("none"), for: "anna", from: notifications) == .notFound)
        }
    }

    @Test func `no log line contains an event, a token, a user or a text`() async throws {
        let stage = try await Stage()
        let event = Self.event("71a0")
        try await stage.write(event)
        try await stage.end(event, offset: 0, sent: "username:anna")
        try await stage.withNotifications { notifications in
            await notifications.waitUntilReady()
            _ = await stage.text(of: event, for: "anna", from: notifications)
        }
        for entry in stage.log.events {
            let line = "\(entry.message) \(entry.metadata)"
            for word in ["71a0", stage.token(event), "anna", "paper", "review"] { #expect(!line.contains(word)) }
        }
    }
}
