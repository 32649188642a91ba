import FoundationEssentials
import NewsflashEvents
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashPublishing
import NewsflashStrictJSON
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashTopicPartitions
import NotificationHubs
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A newsroom for one test: its own topics, a hub in this process, and workers and commands in processes of their own.
final class ReplayNewsroom: Sendable {
    /// A newsroom's mapping and texts.
    struct Rules: Sendable {
        var categories: String
        var text = #"alert: "{headline}", kill: "Withdrawn: {headline}""#

        /// The rules before: one tag for each category.
        static let before = Rules(
            categories: "World: [world], Sports: [sports], Politics: [politics], Weather: [weather]"
        )
        /// The rules after: one tag is renamed, one category has a further tag, one has lost its tag, and updates have
        /// other texts.
        static let after = Rules(
            categories: "World: [world], Sport: [sports], Politics: [politics], Capital: [politics]",
            text: #"alert: "{headline}", update: "More: {headline}", kill: "Withdrawn: {headline}""#
        )
    }

    let cluster: KafkaTestCluster
    let hub: HubEmulator
    let source: String
    let outcomes: String
    let partitions: Int
    private let names: [String: String]
    private let folder: TemporaryFolder
    private let program: String

    private init(_ cluster: KafkaTestCluster, _ hub: HubEmulator, partitions: Int) async throws {
        self.cluster = cluster
        self.hub = hub
        self.partitions = partitions
        source = try await cluster.makeTopic(partitions: partitions)
        outcomes = try await cluster.makeTopic()
        names = [
            "deadLetters": try await cluster.makeTopic(), "control": try await cluster.makeTopic(isCompacted: true),
            "ledger": try await cluster.makeTopic(partitions: partitions, isCompacted: true),
            "group": cluster.uniqueName("workers"),
        ]
        folder = try TemporaryFolder()
        program = try TestProgram.path()
        try folder.write(try #require(hub.connectionStrings.first), to: "key")
    }

    /// Creates a newsroom, runs a test in it and closes it in any case.
    static func open(partitions: Int = 1, _ body: (ReplayNewsroom) async throws -> Void) async throws {
        let hub = HubEmulator()
        try hub.start()
        do {
            let newsroom = try await ReplayNewsroom(try await KafkaTestCluster.shared(), hub, partitions: partitions)
            try await body(newsroom)
        } catch {
            await hub.stop()
            throw error
        }
        await hub.stop()
    }

    // MARK: - Processes

    /// Runs workers, one after the other, until the test is finished with them.
    func withWorker(_ rules: Rules, _ body: (LeashedProgram) async throws -> Void) async throws {
        let worker = try await startWorker(rules)
        defer { worker.end() }
        try await body(worker)
        worker.signal(SIGTERM)
        #expect(try await worker.waitForEnd() == 0)
    }

    /// Starts a worker, which the test ends.
    func startWorker(_ rules: Rules) async throws -> LeashedProgram {
        let file = try configuration(rules)
        return try await LeashedProgram([program, "run", "--config", file], environment: TestProgram.environment)
    }

    /// Starts `newsflash replay`.
    func startReplay(_ words: [String], by rules: Rules) async throws -> LeashedProgram {
        let words = [program, "replay", "--config", try configuration(rules)] + words
        return try await LeashedProgram(words, environment: TestProgram.environment)
    }

    /// Runs `newsflash replay` to its end.
    func replay(_ words: [String], by rules: Rules) async throws -> (status: Int32, lines: [String]) {
        let program = try await startReplay(words, by: rules)
        let status = try await program.waitForEnd()
        // The first line is the leash's own.
        return (status, Array(program.lines.events.dropFirst()))
    }

    private func configuration(_ rules: Rules) throws -> String {
        let text = """
            version: 1
            kafka:
              bootstrapServers: "\(cluster.bootstrapServers)"
              group: \(names["group"] ?? "")
              sessionTimeout: 6s
              instance: the-one
              properties: { fetch.wait.max.ms: \(cluster.fetchWait) }
            sources: { desk: { topic: \(source) } }
            hubs: { main: { name: newsroom, connectionStringFile: "\(folder.file("key"))" } }
            locales: { offered: [en], default: en }
            categories: { \(rules.categories) }
            text: { \(rules.text) }
            policy: { life: { alert: 36500d, update: 36500d } }
            delivery: { drain: 5s, commitInterval: 20ms, retry: { base: 20ms, cap: 100ms } }
            topics:
              outcomes: \(outcomes)
              deadLetters: \(names["deadLetters"] ?? "")
              ledger: \(names["ledger"] ?? "")
              control: \(names["control"] ?? "")
            admin: { listen: "off" }
            """
        return try folder.write(text, to: "\(UUID().uuidString).yaml")
    }

    // MARK: - News

    /// Creates an event of its own story.
    static func event(_ id: String, _ category: String, kind: EventKind = .alert) -> NewsEvent {
        NewsEvent(
            id: id,
            source: "https://cms.example.org/desk",
            story: "story-of-\(id)",
            revision: 1,
            kind: kind,
            published: .now(),
            categories: [category],
            text: [EventText(language: "en", headline: "A headline of \(id)")]
        )
    }

    /// Writes events and waits until the broker has them.
    func publish(_ events: [NewsEvent]) async throws {
        try await cluster.write(
            events.map { event in
                KafkaRecord(
                    topic: source,
                    partition: Int32(event.story.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % partitions),
                    key: Array(event.story.utf8),
                    value: EventEncoder.encode(event)
                )
            }
        )
    }

    /// Returns the number of records in the source.
    func countOfRecords() async throws -> Int {
        let places = (0..<partitions).map { TopicPartition(topic: source, partition: Int32($0)) }
        let ends = try await KafkaAdmin(cluster.client()).watermarks(of: places)
        return ends.values.reduce(0) { $0 + Int($1.high) }
    }

    /// Reads all records of the source.
    func records() async throws -> [KafkaMessage] {
        let count = try await countOfRecords()
        let places = (0..<partitions).map { TopicPartition(topic: source, partition: Int32($0)) }
        var found: [KafkaMessage] = []
        try await cluster.withConsumer(
            assigned: Dictionary(uniqueKeysWithValues: places.map { ($0, .beginning) })
        ) { _, recorder in
            found = try await recorder.log.wait { events in
                let messages = events.messages
                return messages.count >= count ? messages : nil
            }
        }
        return found
    }

    /// Runs a test with a reader of the outcomes.
    func withOutcomes(_ body: (ConsumerRecorder) async throws -> Void) async throws {
        let place = TopicPartition(topic: outcomes, partition: 0)
        try await cluster.withConsumer(assigned: [place: .beginning]) { _, recorder in try await body(recorder) }
    }
}

extension ConsumerRecorder {
    /// Waits until a number of acts have a final outcome that meets a condition.
    func outcomes(
        _ count: Int,
        where isMeant: @escaping @Sendable (OutcomeRecord) -> Bool = { _ in true }
    ) async throws -> [OutcomeRecord] {
        try await log.wait { events in
            let outcomes = events.messages.compactMap { message in
                message.value.flatMap { try? OutcomeRecordReader.read($0.span) }
            }.filter { $0.isFinal && isMeant($0) }
            return Set(outcomes.map(\.event)).count >= count ? outcomes : nil
        }
    }
}

extension SendRecord {
    /// The id of the event of the outcome.
    var event: String { (try? JSONReader.read(body))?[member: "id"]?.string ?? "" }
}
