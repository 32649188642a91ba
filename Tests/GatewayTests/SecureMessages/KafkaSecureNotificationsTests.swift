import Kafka
import KafkaTestCluster
import NewsEvents
import StructuredLog
import Testing
import Timestamps
import Worker

@testable import Gateway

/// Secure events in topics, and what their readers fetch.
@Suite(.timeLimit(.minutes(1)))
struct KafkaSecureNotificationsTests {
    /// A source of events and one of a house's own, in topics of this test alone.
    private struct Stage {
        let cluster: KafkaTestCluster
        let desk: String
        let house: String
        let configuration: WorkerConfiguration
        let log = EventLog<LogEntry>()

        init(hasTopics: Bool = true) async throws {
            cluster = try await KafkaTestCluster.shared()
            desk = hasTopics ? try await cluster.makeTopic(partitions: 2) : cluster.uniqueName("desk")
            house = try await cluster.makeTopic()
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
                hub: newsroom
                locales: { offered: [en, fr, pt-BR], default: en }
                categories: { World: [world] }
                policy: { life: { alert: 36500d, correction: 36500d, kill: 36500d } }
                text:
                  kill: "Withdrawn: {headline}"
                  correction: { en: "Correction: {headline}", fr: "Rectificatif : {headline}" }
                  secure: "You have a message"
                """
            configuration = try ConfigurationReader(environment: [:]).read(text: text, source: "test.yaml")
                .configuration
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

        func withNotifications(_ body: (KafkaSecureNotifications) async throws -> Void) async throws {
            let logger = Logger(label: "gateway", level: .trace, handler: Recorder(log: log))
            let notifications = KafkaSecureNotifications(configuration, logger: logger)
            try notifications.open()
            do {
                try await body(notifications)
            } catch {
                await notifications.close()
                throw error
            }
            await notifications.close()
        }

        /// Waits until a record of the desk's first partition is taken up.
        func read(_ offset: Int64) async throws {
            let place = LogValue(offset)
            try await log.wait { entries in
                entries.contains { $0.metadata["kafka.offset"] == place && $0.message == "events were read" } ? () : nil
            }
        }
    }

    private struct Recorder: LogHandler {
        let log: EventLog<LogEntry>

        func log(_ entry: LogEntry) { log.append(entry) }
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

    @Test func `a reader fetches the words in his language, as they would have been told`() async throws {
        let stage = try await Stage()
        try await stage.write(Self.event("71a0"))
        try await stage.withNotifications { notifications in
            await notifications.waitUntilReady()
            #expect(
                await notifications.notification("71a0", for: "anna", languages: ["xx", "en-GB"])
                    == .found(
                        SecureText(
                            id: "71a0",
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
            let inFrench = await notifications.notification("71a0", for: "anna", languages: ["fr-CA"])
            guard case .found(let text) = inFrench else {
                Issue.record("\(inFrench)")
                return
            }
            #expect(text.headline == "Votre article est relu" && text.locale == "fr" && text.summary == nil)
            #expect(await notifications.notification("71a0", for: "eve", languages: []) == .notFound)
            #expect(await notifications.notification("71a1", for: "anna", languages: []) == .notFound)
        }
    }

    @Test func `corrections and kills are followed as they come`() async throws {
        let stage = try await Stage()
        try await stage.write(Self.event("71a0"))
        try await stage.withNotifications { notifications in
            await notifications.waitUntilReady()
            try await stage.write(Self.event("71a1", revision: 2, kind: .correction, users: ["ben"]))
            try await stage.read(1)
            for id in ["71a0", "71a1"] {
                guard case .found(let text) = await notifications.notification(id, for: "anna", languages: ["fr"])
                else {
                    Issue.record("\(id) is not found")
                    continue
                }
                #expect(text.headline == "Rectificatif : Votre article est relu" && text.id == id)
            }
            var kill = Self.event("71a2", revision: 3, kind: .kill, users: [])
            kill.text = []
            kill.delivery = .open
            try await stage.write(kill)
            try await stage.read(2)
            for id in ["71a0", "71a1", "71a2"] {
                #expect(await notifications.notification(id, for: "anna", languages: []) == .withdrawn)
                #expect(await notifications.notification(id, for: "ben", languages: []) == .notFound)
            }
        }
    }

    @Test func `every source is read by its own form, and what is none is passed over`() async throws {
        let stage = try await Stage()
        try await stage.cluster.write([
            KafkaRecord(topic: stage.desk, partition: 1, value: Array("no event".utf8)),
            KafkaRecord(topic: stage.desk, partition: 1, value: nil),
            KafkaRecord(
                topic: stage.house,
                value: Array(
                    #"{"id":"h-1","rev":1,"at":"2026-03-02T08:00:00Z","for":["clara"],"title":"House news"}"#.utf8
                )
            ),
        ])
        try await stage.withNotifications { notifications in
            await notifications.waitUntilReady()
            guard case .found(let text) = await notifications.notification("h-1", for: "clara", languages: []) else {
                Issue.record("it is not found")
                return
            }
            #expect(text.headline == "House news")
            #expect(await notifications.notification("h-1", for: "anna", languages: []) == .notFound)
        }
    }

    @Test func `nothing is said before all is read that was there, since a kill may be the last of it`() async throws {
        let stage = try await Stage()
        try await stage.write(Self.event("71a0"), Self.event("k", revision: 2, kind: .kill))
        let logger = Logger(label: "gateway", level: .trace, handler: Recorder(log: stage.log))
        let closed = KafkaSecureNotifications(stage.configuration, logger: logger)
        #expect(await closed.notification("71a0", for: "anna", languages: []) == .unavailable)
        try await stage.withNotifications { notifications in
            await notifications.waitUntilReady()
            #expect(await notifications.notification("71a0", for: "anna", languages: []) == .withdrawn)
        }
    }

    @Test func `a cluster that does not answer is waited for, and nobody is told that there is nothing`() async throws {
        let stage = try await Stage()
        var configuration = stage.configuration
        configuration.kafka.bootstrapServers = "127.0.0.1:1"
        let logger = Logger(label: "gateway", level: .trace, handler: Recorder(log: stage.log))
        let notifications = KafkaSecureNotifications(configuration, logger: logger)
        try notifications.open()
        try await stage.log.wait { $0.isEmpty ? nil : () }
        #expect(await notifications.notification("71a0", for: "anna", languages: []) == .unavailable)
        await notifications.close()
    }

    @Test func `a topic that is not there has nothing to say, and is read once it is`() async throws {
        let stage = try await Stage(hasTopics: false)
        try await stage.withNotifications { notifications in
            await notifications.waitUntilReady()
            #expect(await notifications.notification("71a0", for: "anna", languages: []) == .notFound)
            try await stage.cluster.makeTopic(named: stage.desk)
            try await stage.write(Self.event("71a0"))
            try await stage.read(0)
            guard case .found = await notifications.notification("71a0", for: "anna", languages: []) else {
                Issue.record("it is not found")
                return
            }
        }
    }

    @Test func `no line of the log names an event, a reader or a word`() async throws {
        let stage = try await Stage()
        try await stage.write(Self.event("71a0"))
        try await stage.withNotifications { notifications in
            await notifications.waitUntilReady()
            _ = await notifications.notification("71a0", for: "anna", languages: [])
        }
        for entry in stage.log.events {
            let line = "\(entry.message) \(entry.metadata)"
            for word in ["71a0", "anna", "paper", "review"] { #expect(!line.contains(word)) }
        }
    }
}
