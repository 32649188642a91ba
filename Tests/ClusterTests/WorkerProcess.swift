import FoundationEssentials
import HubEmulator
import Kafka
import KafkaTestCluster
import Testing

/// `newsflash run` in a process of its own.
struct WorkerProcess: Sendable {
    /// How it is called in its sends.
    let name: String
    let program: LeashedProgram
    /// Twice what the replacement of a dead coordinator was seen to take here, beside a busy disk.
    private static let sessionTimeout = Duration.seconds(30)

    /// Starts a worker; it has not joined its group yet.
    ///
    /// - Parameters:
    ///   - name: How it is called in its sends.
    ///   - newsroom: Where it reads and sends.
    ///   - folder: Takes its configuration and its secret.
    ///   - drain: How many seconds a stop may take.
    /// - Throws: `ChildProcess.Failure` when it cannot be started.
    init(_ name: String, in newsroom: Newsroom, folder: String, drain: Int) async throws {
        let secret = "\(folder)/hub"
        try write(try #require(newsroom.hub.connectionStrings.first), to: secret)
        let configuration = "\(folder)/\(name).yaml"
        try write(
            """
            version: 1
            kafka:
              bootstrapServers: "\(newsroom.client.bootstrapServers)"
              group: \(newsroom.group)
              clientId: \(name)
              sessionTimeout: \(Self.sessionTimeout.components.seconds)s
            sources: { desk: { topic: \(newsroom.source) } }
            hubs: { main: { name: newsroom, connectionStringFile: \(secret) } }
            locales: { offered: [en], default: en }
            send:
              tags: "{category}"
              properties: { worker: "\(name)" }
            categories: { World: [world] }
            delivery: { concurrency: 32, drain: \(drain)s }
            topics: { outcomes: \(newsroom.outcomes), deadLetters: \(newsroom.deadLetters) }
            admin: { listen: "off" }
            log: { level: notice }

            """,
            to: configuration
        )
        self.name = name
        // Variables of ours would override the file.
        let variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("NEWSFLASH_") }
        program = try await LeashedProgram(
            [try Self.executable(), "run", "--config", configuration],
            environment: variables.map { "\($0.key)=\($0.value)" }
        )
    }

    /// Waits until the group has given it partitions so many times, and gives those of the last time.
    func assignment(_ number: Int, of newsroom: Newsroom) async throws -> [KafkaTopicPartition] {
        let line = try await program.lines.wait { lines in
            lines.lazy.filter { $0.contains("partitions were assigned") }.dropFirst(number - 1).first
        }
        return newsroom.sourcePartitions.filter { line.contains($0.description) }
    }

    /// What it said of its partitions and of its commits, for the text of a failure.
    var saidOfPartitions: String {
        program.lines.events
            .filter { $0.contains("partitions") || $0.contains("offsets") || $0.contains("SESSTMOUT") }
            .map { "\(name): \($0)" }
            .joined(separator: "\n")
    }

    /// The program of the same build: it lies beside the bundle of tests.
    private static func executable() throws -> String {
        #if os(Linux)
        let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        #else
        let bundle = try #require(CommandLine.arguments.lazy.compactMap(bundlePath).first)
        #endif
        let path = bundle.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/newsflash"
        try #require(FileManager.default.isExecutableFile(atPath: path), "\(path) is not built")
        return path
    }

    #if !os(Linux)
    private static func bundlePath(in argument: String) -> String? {
        guard let end = argument.range(of: ".xctest") else { return nil }
        return String(argument[..<end.upperBound])
    }
    #endif
}

/// Writes a file that only we may read.
private func write(_ text: String, to path: String) throws {
    guard
        FileManager.default.createFile(
            atPath: path,
            contents: Data(text.utf8),
            attributes: [.posixPermissions: 0o600]
        )
    else { throw ChildProcess.Failure(description: "\(path) cannot be written") }
}

/// Runs a test with a folder that is gone afterwards.
func withTemporaryFolder(_ body: (String) async throws -> Void) async throws {
    let path = FileManager.default.temporaryDirectory.path + "/newsflash-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await body(path)
}
