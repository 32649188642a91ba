import Kafka
import TestSupport

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension SecureCluster {
    /// What access lists are kept of.
    package enum Resource: Sendable {
        case topic(String)
        case group(String)

        fileprivate var words: [String] {
            switch self {
            case .topic(let name): ["--topic", name]
            case .group(let name): ["--group", name]
            }
        }
    }

    /// Lets ``user`` do so much and no more; who comes by the open door may do everything.
    ///
    /// - Parameters:
    ///   - operations: In the words of Kafka's access lists, such as `Read`.
    ///   - resource: With what.
    /// - Throws: ``ChildProcess/Failure`` when Kafka's own tool fails.
    package func allowOnly(_ operations: [String], with resource: Resource) async throws {
        let list = operations.flatMap { ["--operation", $0] }
        try await changeRights(["--add", "--allow-principal", "User:\(Self.user)"] + list + resource.words)
    }

    /// Lets everyone do everything again.
    ///
    /// - Parameter resource: With what.
    /// - Throws: ``ChildProcess/Failure`` when Kafka's own tool fails.
    package func allowEverything(with resource: Resource) async throws {
        try await changeRights(["--remove", "--force"] + resource.words)
    }

    private func changeRights(_ words: [String]) async throws {
        let home = variable("KAFKA_HOME") ?? ""
        let servers = ["--bootstrap-server", client().bootstrapServers]
        let run = [home + "/bin/kafka-run-class.sh", "org.apache.kafka.tools.AclCommand"]
        try await ChildProcess.run(run + servers + words)
    }
}
