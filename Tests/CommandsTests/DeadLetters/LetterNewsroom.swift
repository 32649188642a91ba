import FoundationEssentials
import NewsflashEvents
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashObservability
import NewsflashStrictJSON
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashWorker
import NotificationHubs
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// A newsroom for one test: its own topics in the shared cluster, a hub in this process, and configurations in files
/// for the program.
struct LetterNewsroom: Sendable {
    let cluster: KafkaTestCluster
    let hub: HubEmulator
    let folder: TemporaryFolder
    let source: String
    let outcomes: String
    let deadLetters: String
    let partitions: Int32
    private let ledger: String
    private let control: String
    private let group: String

    /// Creates a newsroom, runs a test in it and closes it in any case.
    ///
    /// - Parameters:
    ///   - partitions: The number of the source's partitions.
    ///   - body: The test.
    /// - Throws: The error of the test.
    static func open(partitions: Int = 1, _ body: (LetterNewsroom) async throws -> Void) async throws {
        let cluster = try await KafkaTestCluster.shared()
        let hub = HubEmulator()
        try hub.start()
        let newsroom = LetterNewsroom(
            cluster: cluster,
            hub: hub,
            folder: try TemporaryFolder(),
            source: try await cluster.makeTopic(partitions: partitions),
            outcomes: try await cluster.makeTopic(),
            deadLetters: try await cluster.makeTopic(),
            partitions: Int32(partitions),
            ledger: try await cluster.makeTopic(partitions: partitions, isCompacted: true),
            control: try await cluster.makeTopic(isCompacted: true),
            group: cluster.uniqueName("workers")
        )
        do {
            try newsroom.folder.write(try #require(hub.connectionStrings.first), to: "key")
            try await body(newsroom)
        } catch {
            await hub.stop()
            throw error
        }
        await hub.stop()
    }

    /// Writes a configuration.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - categories: The codes with an audience.
    /// - Returns: Its path.
    /// - Throws: If the file cannot be written.
    func configurationFile(_ name: String, categories: [String]) throws -> String {
        let tags = categories.map { "  \($0.capitalized): [\($0)]" }.joined(separator: "\n")
        let text = """
            version: 1
            kafka:
              bootstrapServers: "\(cluster.bootstrapServers)"
              group: \(group)
              sessionTimeout: 6s
              properties: { fetch.wait.max.ms: \(cluster.fetchWait) }
            sources: { desk: { topic: \(source), id: "urn:desk" } }
            hubs: { main: { name: newsroom, connectionStringFile: "\(folder.file("key"))" } }
            locales: { offered: [en], default: en }
            categories:
            \(tags)
            delivery: { drain: 5s, commitInterval: 20ms, retry: { base: 20ms, cap: 100ms } }
            topics:
              { outcomes: \(outcomes), deadLetters: \(deadLetters), ledger: \(ledger), control: \(control) }
            admin: { listen: "127.0.0.1:0" }
            """
        return try folder.write(text, to: name)
    }

    /// Reads the topic settings of a configuration file.
    func settings(_ file: String) throws -> TopicSettings {
        TopicSettings(try ConfigurationReader(environment: [:]).read(file: file).configuration)
    }

    /// Runs a worker, and stops it in any case.
    func withWorker(_ file: String, _ body: () async throws -> Void) async throws {
        let configuration = try ConfigurationReader(environment: [:]).read(file: file).configuration
        let worker = try await Worker.start(
            configuration,
            logger: Logger(label: "worker", level: .critical, handler: DiscardingLogHandler())
        )
        do {
            try await body()
        } catch {
            await worker.stop()
            throw error
        }
        #expect(await worker.stop(), "the worker stops in time")
    }

    /// Starts the program of this build, which the test will kill.
    func start(_ words: [String]) async throws -> LeashedProgram {
        try await LeashedProgram([try TestProgram.path()] + words, environment: TestProgram.environment)
    }

    /// Runs the program to its end.
    ///
    /// - Returns: Its exit code and what it wrote.
    func run(_ words: [String]) async throws -> (code: Int32, lines: [String]) {
        let process = try ChildProcess([try TestProgram.path()] + words, environment: TestProgram.environment)
        switch try await process.waitForEnd() {
        case .exited(let code): return (code, process.lines.events)
        case .signalled(let number): return (128 + number, process.lines.events)
        }
    }

    // MARK: - Records

    /// Creates an event whose story is its id.
    func event(_ id: String, category: String, headline: String = "A bridge has opened") -> NewsEvent {
        NewsEvent(
            id: id,
            source: "urn:desk",
            story: "story-of-\(id)",
            revision: 1,
            kind: .alert,
            published: .now(),
            categories: [category],
            language: "en",
            text: [EventText(language: "en", headline: "\(headline) (\(id))")]
        )
    }

    /// Writes events, each to the partition with its number.
    func publish(_ events: [NewsEvent]) async throws {
        try await publish(raw: events.map { (Array($0.story.utf8), EventEncoder.encode($0)) })
    }

    /// Writes bytes unchanged.
    func publish(raw records: [(key: [UInt8], value: [UInt8])]) async throws {
        try await cluster.write(
            records.enumerated().map { index, record in
                KafkaRecord(
                    topic: source,
                    partition: Int32(index) % partitions,
                    key: record.key,
                    value: record.value,
                    headers: [KafkaHeader(name: "content-type", text: "application/json")]
                )
            }
        )
    }

    /// Waits until a topic of one partition has a number of records.
    func wait(for count: Int, in topic: String) async throws -> [KafkaMessage] {
        let log = EventLog<KafkaMessage>()
        _ = try await TopicScan(cluster.client(), topics: [topic], from: .earliest, to: .never).run { messages in
            for message in messages { log.append(message) }
            return log.events.count < count
        }
        return log.events
    }

    /// Reads all records of a topic.
    func records(of topic: String) async throws -> [KafkaMessage] {
        let log = EventLog<KafkaMessage>()
        _ = try await TopicScan(cluster.client(), topics: [topic], from: .earliest, to: .present).run { messages in
            for message in messages { log.append(message) }
            return true
        }
        return log.events
    }

    /// The dead letters that have copies in the source, one entry a copy.
    func copies() async throws -> [String] {
        try await records(of: source).compactMap { message in
            message.headers.last { $0.name == RedriveHeader.letter }?.value.map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// The ids of the events that were pushed, one entry a push.
    var pushed: [String] {
        hub.pushes.compactMap { (try? JSONReader.read($0.body))?[member: "id"]?.string }
    }
}
