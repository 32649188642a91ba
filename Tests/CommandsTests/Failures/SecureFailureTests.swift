import NewsflashKafka
import NewsflashKafkaMock
import NewsflashKafkaTestCluster
import NewsflashTestSupport
import NewsflashWorker
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// Each command that connects to Kafka, with each failure of encryption, authentication and rights.
@Suite(.timeLimit(.minutes(3)), .needsRealKafka, .needsOpenSSL)
struct SecureFailureTests {
    enum Failure: CaseIterable {
        case plainTextToTLS, unknownAuthority, wrongPassword

        /// The problem and what to do.
        var parts: [String] {
            switch self {
            case .plainTextToTLS: ["the port uses another protocol", "set kafka.tls and kafka.sasl to match"]
            case .unknownAuthority: ["TLS fails", ": set kafka.caFile to the authority of the broker's certificate"]
            case .wrongPassword: ["authentication failed", ": correct kafka.sasl"]
            }
        }
    }

    /// The section `kafka` of a user with a password.
    private static func keys(_ cluster: SecureCluster, _ folder: TemporaryFolder, password: String) throws -> String {
        let server = cluster.client(at: .sasl).bootstrapServers
        let file = try folder.write(password, to: "password")
        return "bootstrapServers: \"\(server)\", caFile: \(cluster.authorityFile), tls: true, "
            + "sasl: { mechanism: PLAIN, username: \(SecureCluster.user), passwordFile: \(file) }"
    }

    @Test(arguments: Failure.allCases)
    func `a connection that a broker refuses`(failure: Failure) async throws {
        let cluster = try await SecureCluster.shared()
        let folder = try TemporaryFolder()
        let server = cluster.client(at: failure == .wrongPassword ? .sasl : .tls).bootstrapServers
        let keys =
            switch failure {
            case .plainTextToTLS: "bootstrapServers: \"\(server)\""
            case .unknownAuthority:
                "bootstrapServers: \"\(server)\", tls: true, caFile: \(cluster.tlsOfStranger.authorityFile ?? "")"
            case .wrongPassword: try Self.keys(cluster, folder, password: "open-barley-43")
            }
        let newsroom = try FailingNewsroom(kafka: keys)
        // 'check' reports a refusal as a problem: 1. Its hub is not reached either: 69.
        let report = FailureReport(code: { _ in 69 }, parts: { _ in [server] + failure.parts })
        let ends = try await newsroom.run()
        let faults = ends.flatMap(report.faults)
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n\n"))")
        #expect(!ends.contains { $0.text.contains("open-barley-43") })
    }

    @Test(arguments: [AccessList.Operation.describe, .read])
    func `a user without the right that a command needs`(operation: AccessList.Operation) async throws {
        let cluster = try await SecureCluster.shared()
        let folder = try TemporaryFolder()
        let prefix = operation == .read ? "readable-" : "visible-"
        let newsroom = try FailingNewsroom(
            kafka: try Self.keys(cluster, folder, password: SecureCluster.password),
            prefix: prefix
        )
        for topic in ConnectingCommand.Topic.allCases {
            try await cluster.makeTopic(named: prefix + topic.rawValue)
            try await cluster.write([KafkaRecord(topic: prefix + topic.rawValue, partition: 0, value: [1])])
            try await cluster.allowOnly([operation], with: .topic(prefix + topic.rawValue))
        }
        // Commands that need no more than the right Describe succeed, or report the missing right as a problem.
        let reading = ["topics plan", "topics apply", "status", "check"]
        let writing = ["publish", "pause", "resume", "reload", "log-level"]
        let report = FailureReport(code: { _ in 69 }) { command in
            let isWritten = ["publish", "reload", "log-level"].contains { command.name.hasPrefix($0) }
            let right = operation == .read || isWritten ? "Write" : "Read"
            let topic = prefix + (command.first?.rawValue ?? "")
            return ["give the user '\(SecureCluster.user)' the right \(right) on the topic \(topic)"]
        }
        let ends = try await newsroom.run(
            where: { command in
                guard !command.runsOn, command.first != nil else { return false }
                let name = command.name.hasPrefix("publish") ? "publish" : command.name
                return operation == .read ? writing.contains(name) : !reading.contains(name)
            }
        )
        let faults = ends.flatMap(report.faults)
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n\n"))")
        for topic in ConnectingCommand.Topic.allCases {
            try await cluster.allowEverything(with: .topic(prefix + topic.rawValue))
        }
    }
}
