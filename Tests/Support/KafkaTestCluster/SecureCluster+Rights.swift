import Kafka
import TestSupport

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension SecureCluster {
    /// A resource with an access list.
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

    /// Restricts ``user`` to some operations. Clients of the listener without authentication may do everything.
    ///
    /// - Parameters:
    ///   - operations: Names of operations in Kafka's access lists, such as `Read`.
    ///   - resource: The resource.
    /// - Throws: ``ChildProcess/Failure`` when Kafka's own tool fails.
    package func allowOnly(_ operations: [String], with resource: Resource) async throws {
        let list = operations.flatMap { ["--operation", $0] }
        try await changeRights(["--add", "--allow-principal", "User:\(Self.user)"] + list + resource.words)
    }

    /// Permits everything to everyone again.
    ///
    /// - Parameter resource: The resource.
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
