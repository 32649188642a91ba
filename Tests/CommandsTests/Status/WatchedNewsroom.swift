import NewsflashEvents
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashObservability
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashWorker
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// A newsroom whose workers run in this process, and whose configuration is in a file for commands.
struct WatchedNewsroom: Sendable {
    let cluster: KafkaTestCluster
    let hub: HubEmulator
    let folder: TemporaryFolder
    let configuration: WorkerConfiguration
    let log = EventLog<LogEntry>()

    /// The path of the configuration file.
    var file: String { folder.file("newsflash.yaml") }

    /// Creates a newsroom, runs a test in it and closes it in any case.
    static func open(partitions: Int = 1, _ body: (WatchedNewsroom) async throws -> Void) async throws {
        let cluster = try await KafkaTestCluster.shared()
        let hub = HubEmulator()
        try hub.start()
        let source = try await cluster.makeTopic(partitions: partitions)
        let ledger = try await cluster.makeTopic(partitions: partitions, isCompacted: true)
        let outcomes = try await cluster.makeTopic()
        let letters = try await cluster.makeTopic()
        let control = try await cluster.makeTopic(isCompacted: true)
        let text = """
            version: 1
            kafka:
              bootstrapServers: "\(cluster.bootstrapServers)"
              group: \(cluster.uniqueName("watched"))
              sessionTimeout: 6s
              properties: { fetch.wait.max.ms: \(cluster.fetchWait) }
            sources: { desk: { topic: \(source) } }
            hub: newsroom
            locales: { offered: [en], default: en }
            categories: { World: [world] }
            text: { alert: "{headline}", kill: "Withdrawn: {headline}" }
            delivery: { drain: 5s, commitInterval: 20ms, retry: { base: 20ms, cap: 100ms } }
            topics: { outcomes: \(outcomes), deadLetters: \(letters), ledger: \(ledger), control: \(control) }
            admin: { listen: "127.0.0.1:0" }
            """
        let folder = try TemporaryFolder()
        try folder.write(text, to: "newsflash.yaml")
        let environment = ["NEWSFLASH_HUB_CONNECTION_STRING": hub.connectionStrings.first ?? ""]
        let read = try ConfigurationReader(environment: environment).read(text: text, source: "the newsroom")
        let newsroom = WatchedNewsroom(cluster: cluster, hub: hub, folder: folder, configuration: read.configuration)
        do {
            try await body(newsroom)
        } catch {
            await hub.stop()
            throw error
        }
        await hub.stop()
    }

    /// Runs workers, and stops them in any case.
    ///
    /// - Parameters:
    ///   - count: The number of workers.
    ///   - body: Gets their admin ports as `host:port`.
    /// - Throws: The error of the test.
    func withWorkers(_ count: Int = 1, _ body: ([String]) async throws -> Void) async throws {
        var workers: [Worker] = []
        var failure: (any Error)?
        do {
            let logger = Logger(label: "worker", level: .info, handler: log)
            for _ in 0..<count { workers.append(try await Worker.start(configuration, logger: logger)) }
            let restored = configuration.sources.count
            try await log.wait { $0.count { $0.message == "a partition was restored" } >= restored ? () : nil }
            try await body(workers.map { "127.0.0.1:\($0.adminPort ?? 0)" })
        } catch {
            failure = error
        }
        for worker in workers { await worker.stop() }
        if let failure { throw failure }
    }

    /// Writes events and waits until the broker has them.
    func publish(_ count: Int, _ name: String = "event") async throws {
        let records = (1...count).map { number in
            let event = NewsEvent(
                id: "\(name)-\(number)",
                source: "https://cms.example.org/desk",
                story: "\(name)-\(number)",
                revision: 1,
                kind: .alert,
                published: .now(),
                categories: ["world"],
                language: "en",
                text: [EventText(language: "en", headline: "A bridge has opened")]
            )
            return KafkaRecord(
                topic: configuration.source.topic,
                partition: 0,
                key: nil,
                value: EventEncoder.encode(event)
            )
        }
        try await cluster.write(records)
    }

    /// Runs the program of the same build to its end.
    ///
    /// - Parameter words: The arguments after its name.
    /// - Returns: Its exit code and all its output.
    /// - Throws: If it cannot be started, or is killed.
    static func newsflash(_ words: String...) async throws -> (code: Int32, lines: [String]) {
        let process = try ChildProcess([TestProgram.path()] + words, environment: TestProgram.environment)
        guard case .exited(let code) = try await process.waitForEnd() else {
            throw ChildProcess.Failure(description: "newsflash was killed")
        }
        return (code, process.lines.events)
    }
}
