import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashTestSupport
import Testing

/// Topics, a hub and a configuration file for one worker in a process of its own.
struct ProgramNewsroom {
    let cluster: KafkaTestCluster
    let hub = HubEmulator()
    /// The topics of events, outcomes, dead letters, ledger and control.
    let topics: [String]
    let group: String
    private let folder: TemporaryFolder

    /// Creates a newsroom, runs a test in it and ends its hub in any case.
    ///
    /// - Parameters:
    ///   - lines: Further lines of the configuration.
    ///   - body: The test.
    /// - Throws: The error of the test.
    static func open(_ lines: String, _ body: (ProgramNewsroom) async throws -> Void) async throws {
        let newsroom = try await ProgramNewsroom()
        try newsroom.hub.start()
        do {
            try newsroom.folder.write(try #require(newsroom.hub.connectionStrings.first), to: "hub")
            try newsroom.write(lines)
            try await body(newsroom)
        } catch {
            await newsroom.hub.stop()
            throw error
        }
        await newsroom.hub.stop()
    }

    private init() async throws {
        cluster = try await KafkaTestCluster.shared()
        var topics: [String] = []
        for isCompacted in [false, false, false, true, true] {
            topics.append(try await cluster.makeTopic(isCompacted: isCompacted))
        }
        self.topics = topics
        group = cluster.uniqueName("workers")
        folder = try TemporaryFolder()
    }

    /// The path of the configuration file.
    var file: String { folder.file("newsflash.yaml") }

    /// Writes the configuration at once, as editors do.
    ///
    /// - Parameters:
    ///   - lines: Further lines.
    ///   - flash: The text before the headline of a flash.
    /// - Throws: An error of the file system.
    func write(_ lines: String, flash: String = "Breaking: ") throws {
        let text = """
            version: 1
            kafka: { bootstrapServers: "\(cluster.bootstrapServers)", group: \(group), sessionTimeout: 6s }
            sources: { desk: { topic: \(topics[0]) } }
            hubs: { main: { name: newsroom, connectionStringFile: \(folder.file("hub")) } }
            locales: { offered: [en], default: en }
            categories: { World: [world] }
            text: { flash: "\(flash){headline}", kill: "Withdrawn: {headline}" }
            topics: { outcomes: \(topics[1]), deadLetters: \(topics[2]), ledger: \(topics[3]), control: \(topics[4]) }
            admin: { listen: "off" }
            \(lines)

            """
        try folder.write(text, to: "newsflash.yaml")
    }

    /// Finds an address of this machine with a free port.
    static func freeAddress() throws -> String {
        let listener = try LoopbackListener()
        defer { listener.close() }
        return "127.0.0.1:\(listener.port)"
    }

    /// Starts a worker, and waits for a line of its log.
    ///
    /// - Parameters:
    ///   - line: A part of the line.
    ///   - admin: The address for health and metrics.
    /// - Returns: The worker.
    /// - Throws: If it ends before.
    func startWorker(until line: String, admin: String = "off") async throws -> LeashedProgram {
        let worker = try await LeashedProgram(
            [TestProgram.path(), "run", "--config", file],
            environment: TestProgram.environment(adding: ["NEWSFLASH_ADMIN_LISTEN": admin])
        )
        try await worker.waitForLine(with: line)
        return worker
    }
}

extension LeashedProgram {
    /// Waits for a line that contains a text.
    @discardableResult
    func waitForLine(with text: String) async throws -> String {
        try await lines.wait { $0.first { $0.contains(text) } }
    }
}
