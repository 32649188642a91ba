import NewsflashEvents
import NewsflashGateway
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashObservability
import NewsflashPublishing
import NewsflashRendering
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashTopicPartitions
import NewsflashWorker

/// Secure events with every outcome, in topics of their own.
struct SecureWorld: Sendable {
    /// The tokens by the outcome of the event.
    private(set) var tokens: [String: String] = [:]
    private let configuration: WorkerConfiguration

    init() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let (topic, outcomes) = (try await cluster.makeTopic(), try await cluster.makeTopic())
        let key = try KeyFile("0123456789abcdef")
        configuration = try ConfigurationReader(environment: [:]).read(
            text: """
                version: 1
                kafka: { bootstrapServers: "\(cluster.bootstrapServers)" }
                sources: { desk: { topic: \(topic) } }
                topics: { outcomes: \(outcomes) }
                hubs: { main: { name: newsroom }, test: { name: other } }
                locales: { offered: [en], default: en }
                categories: { World: [world], Sports: [sports] }
                text: { kill: Withdrawn, secure: You have a message }
                secure: { keyFile: "\(key.path)" }
                """,
            source: "newsflash.yaml"
        ).configuration
        withExtendedLifetime(key) {}
        try await write(to: cluster, topic, outcomes)
    }

    /// Runs a gateway that reads these events until the body ends.
    func run(_ body: (GatewayRig) async throws -> Void) async throws {
        let logger = Logger(label: "secure", handler: DiscardingLogHandler())
        let notifications = KafkaSecureNotifications(configuration, logger: logger)
        try notifications.open()
        await notifications.waitUntilReady()
        let section = "  { publishers: [desk], senders: [desk], rate: { perUser: 10000, perAddress: 100000 } }"
        do {
            try await GatewayRig.run(section, secure: notifications, body)
        } catch {
            await notifications.close()
            throw error
        }
        await notifications.close()
    }

    private struct Fate {
        let name: String
        var story: String { name.replacing(" ", with: "-") }
        var kind = EventKind.alert
        var outcome: OutcomeKind? = .sent
        var tags = "username:anna"
        var hub = "main"
        var status = OutcomeRecord.Report.Status.accepted
        var change: @Sendable (inout NewsEvent) -> Void = { _ in }
    }

    private static let fates: [Fate] = [
        Fate(name: "for anna"),
        Fate(name: "for World", tags: "Sports.en || World"),
        Fate(name: "held"), Fate(name: "held", kind: .hold, outcome: nil),
        Fate(name: "embargoed", outcome: .suppressed, status: .skipped) { $0.embargo = .now() + .seconds(-30) },
        Fate(name: "invalid", outcome: .invalid, status: .skipped),
        Fate(name: "refused", outcome: .failed, status: .rejected),
        Fate(name: "test", hub: "test") { $0.mode = .test },
        Fate(name: "open") { $0.delivery = .open },
        Fate(name: "expired") { $0.published = .now() + .seconds(-86_400) },
        Fate(name: "killed"), Fate(name: "killed", kind: .kill, outcome: nil),
        Fate(name: "undecided", outcome: nil),
    ]

    private mutating func write(to cluster: KafkaTestCluster, _ topic: String, _ outcomes: String) async throws {
        var records: [KafkaRecord] = []
        for (offset, fate) in Self.fates.enumerated() {
            var event = NewsEvent(
                id: fate.name == "for anna" ? "for-anna" : "e-\(offset)",
                source: "desk",
                story: fate.story,
                revision: Int64(offset + 1),
                kind: fate.kind,
                published: .now() + .seconds(-60),
                text: [EventText(language: "en", headline: "secret words")],
                users: ["anna"],
                delivery: .secure
            )
            fate.change(&event)
            if tokens[fate.name] == nil { tokens[fate.name] = configuration.secure.tokens.token(for: event) }
            try await cluster.write([
                KafkaRecord(topic: topic, key: Array(event.story.utf8), value: EventEncoder.encode(event))
            ])
            guard let outcome = fate.outcome else { continue }
            var report = OutcomeRecord.Report()
            report.status = fate.status
            let request = OutcomeRecord.Request(hub: fate.hub, platform: "template", tags: fate.tags)
            let record = OutcomeRecord(
                of: event,
                verdict: EventVerdict(outcome),
                origin: RecordOrigin(
                    partition: TopicPartition(topic: topic, partition: 0),
                    offset: Int64(offset),
                    timestamp: nil
                ),
                config: "c",
                at: .now(),
                targets: [OutcomeRecord.Target(request, report)]
            )
            records.append(KafkaRecord(topic: outcomes, value: record.json))
            guard fate.name == "for anna" else { continue }
            let other = SecureTokens(key: Array("fedcba9876543210".utf8))
            tokens["under another key"] = other?.token(for: event)
            tokens["part of a token"] = tokens[fate.name].map { String($0.dropLast()) }
            tokens["token in capitals"] = tokens[fate.name]?.uppercased()
        }
        try await cluster.write(records)
    }
}
