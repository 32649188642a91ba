import NewsflashBasics
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaMock
import NewsflashKafkaTestCluster
import NewsflashTestSupport
import NewsflashTopicPartitions
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Each command that connects to Kafka, with each failure of a connection: it prints what failed, where, and what to do,
/// and ends with code 69. Nothing is silent for more than 15 seconds.
///
/// The failures of a hub and of a clock concern 'check' alone; `HubCheckTests` has them.
@Suite(.timeLimit(.minutes(2)))
struct ConnectionFailureTests {
    enum Failure: CaseIterable {
        case closedPort, unknownName, otherProtocol, noAnswer

        /// The problem and what to do.
        var parts: [String] {
            switch self {
            case .closedPort: ["no process listens on the port", ": start the broker, or correct the port in"]
            case .unknownName: ["the name cannot be resolved", ": correct kafka.bootstrapServers (or --brokers)"]
            case .otherProtocol: ["the port uses another protocol", ": correct the port in kafka.bootstrapServers"]
            case .noAnswer: ["", ": check that "]
            }
        }
    }

    @Test(arguments: Failure.allCases)
    func `a broker that cannot be reached`(failure: Failure) async throws {
        let listener = try LoopbackListener()
        let server =
            switch failure {
            case .closedPort: "127.0.0.1:1"
            case .unknownName: "no-broker.invalid:9092"
            case .otherProtocol, .noAnswer: "127.0.0.1:\(listener.port)"
            }
        if failure == .otherProtocol { startThread(named: "web") { Self.answerAsWeb(listener) } }
        defer { listener.shutDown() }
        let newsroom = try FailingNewsroom(kafka: "bootstrapServers: \"\(server)\"")
        let report = FailureReport(code: { _ in 69 }, parts: { _ in [server] + failure.parts })
        let faults = try await newsroom.run().flatMap(report.faults)
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n\n"))")
    }

    /// Commands that report topics without leaders as problems.
    private static let checks = ["check", "topics plan"]

    /// Starts a cluster with all topics, whose partitions have no leader.
    private func leaderlessCluster() throws -> MockCluster {
        let cluster = try MockCluster(brokers: 1)
        for topic in ConnectingCommand.Topic.allCases {
            try cluster.createTopic(topic.rawValue, partitions: 1)
            try cluster.setLeader(nil, of: TopicPartition(topic: topic.rawValue, partition: 0))
        }
        return cluster
    }

    /// Runs a body with the connection string of a working hub.
    private func withHub<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let hub = HubEmulator()
        try hub.start()
        do {
            let result = try await body(hub.connectionStrings.first ?? "")
            await hub.stop()
            return result
        } catch {
            await hub.stop()
            throw error
        }
    }

    /// Answers each connection as a web server does that gets something else than HTTP.
    private static func answerAsWeb(_ listener: LoopbackListener) {
        let answer = Array("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
        while let connection = listener.acceptConnection() {
            _ = write(connection, answer, answer.count)
            close(connection)
        }
        listener.close()
    }

    @Test func `a cluster without the topics`() async throws {
        let cluster = try MockCluster(brokers: 1)
        let newsroom = try FailingNewsroom(kafka: "bootstrapServers: \"\(cluster.bootstrapServers)\"")
        let report = FailureReport(code: \.codeOfMissing) { command in
            [command.first?.rawValue ?? "", "newsflash topics apply"]
        }
        // The embedded cluster makes each topic that a worker asks for.
        let ends = try await withHub { hub in
            try await newsroom.run(where: { $0.first != nil && !$0.runsOn }, hub: hub)
        }
        let faults = ends.flatMap(report.faults)
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n\n"))")
    }

    @Test func `topics whose partitions have no leader`() async throws {
        let cluster = try leaderlessCluster()
        let newsroom = try FailingNewsroom(kafka: "bootstrapServers: \"\(cluster.bootstrapServers)\"")
        let report = FailureReport(code: { _ in 69 }) { command in
            ["of \(command.first?.rawValue ?? "") has no leader: bring its brokers back"]
        }
        // A worker waits for its orders.
        let ends = try await withHub { hub in
            try await newsroom.run(
                where: { $0.first != nil && !Self.checks.contains($0.name) },
                hub: hub,
                until: "waits for the commands"
            )
        }
        let faults = ends.flatMap(report.faults)
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n\n"))")
    }

    @Test func `checks report topics whose partitions have no leader as problems`() async throws {
        let cluster = try leaderlessCluster()
        let newsroom = try FailingNewsroom(kafka: "bootstrapServers: \"\(cluster.bootstrapServers)\"")
        let report = FailureReport(code: { _ in 1 }) { command in
            [command.first?.rawValue ?? "", "partition 0 has no leader: bring its brokers back"]
        }
        let ends = try await withHub { hub in
            try await newsroom.run(where: { Self.checks.contains($0.name) }, hub: hub)
        }
        let faults = ends.flatMap(report.faults)
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n\n"))")
    }

    @Test func `a group without a coordinator`() async throws {
        let cluster = try MockCluster(brokers: 1)
        for topic in ConnectingCommand.Topic.allCases { try cluster.createTopic(topic.rawValue, partitions: 1) }
        cluster.pushErrors(Array(repeating: .noCoordinator, count: 10_000), to: .findCoordinator)
        let newsroom = try FailingNewsroom(kafka: "bootstrapServers: \"\(cluster.bootstrapServers)\"")
        let report = FailureReport(code: { _ in 69 }) { _ in
            ["group \"failing\"", "coordinator", "brokers"]
        }
        let ends = try await newsroom.run { ["check", "status"].contains($0.name) }
        let faults = ends.flatMap(report.faults)
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n\n"))")
    }
}

extension MockError {
    /// The group has no coordinator at the moment.
    fileprivate static let noCoordinator = MockError(rawValue: 15)
}
