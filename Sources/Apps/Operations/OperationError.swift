package import NewsflashKafka
import NewsflashTopicPartitions

/// The failure of an operation.
package struct OperationError: Error, CustomStringConvertible {
    /// The kind of failure. The raw value is the exit code of a command (sysexits.h).
    package enum Kind: Int32 {
        case foundProblems = 1
        case badData = 65
        case unavailable = 69
        case internalError = 70
        case badConfiguration = 78
    }

    package var kind: Kind
    /// The problem, its place, and what to do.
    package var description: String

    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}

extension OperationError {
    /// An error of Kafka: the cluster, the cause and the remedy.
    ///
    /// - Parameters:
    ///   - kind: The kind of failure, for the exit code.
    ///   - cluster: The cluster and the user.
    ///   - error: The error of the client.
    ///   - right: The right that the work needs, such as `Write on the topic newsflash.control`.
    ///   - state: The work that was done, and how to continue, such as `2 of 5 records written; run the command again`.
    package init(
        _ kind: Kind,
        _ cluster: KafkaConfiguration,
        _ error: KafkaError,
        right: String? = nil,
        state: String? = nil
    ) {
        let text = Self.text(of: error, right: right, user: cluster.user)
        self.init(kind, "Kafka at \(cluster.bootstrapServers): \(text)\(state.map { ". \($0)" } ?? "")")
    }

    /// The cause and the remedy.
    private static func text(of error: KafkaError, right: String?, user: String) -> String {
        if error.meansForbidden {
            let unnamed = error.partition.map { "a right on the topic \($0.topic)" } ?? "a right on the topic or group"
            let named = right.map { "the right \($0)" }
            let needed =
                error.code == .clusterForbidden
                ? "the right IdempotentWrite on the cluster, or Write on any topic" : named ?? unnamed
            return "\(error): give \(user) \(needed) (guide kafka-rights)"
        }
        if error.meansUnreachable || error.code == .authentication || error.code.rawValue == "_SSL" {
            var cause = error
            // The error of the connection has more detail than the timeout of the request.
            if let failure = error.connectionFailure { cause.message = failure }
            return UnreachableBroker(cause, complaints: []).message
        }
        return error.isRetriable
            ? "\(error): check that the brokers run and all partitions have a leader ('newsflash topics plan'), and try again"
            : error.description
    }
}

extension KafkaConfiguration {
    /// The user of the connection, for people.
    package var user: String {
        switch security {
        case .sasl(.plain(let user, _), _), .sasl(.scramSHA256(let user, _), _), .sasl(.scramSHA512(let user, _), _):
            "the user '\(user)'"
        case .sasl(.oauthBearer, _): "the user of the token"
        case .tls(let tls): tls.certificateFile.map { "the user of the certificate \($0)" } ?? "the user ANONYMOUS"
        case .plaintext: "the user ANONYMOUS"
        }
    }
}
