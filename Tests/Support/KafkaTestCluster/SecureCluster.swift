package import NewsflashKafka
import NewsflashTestSupport

/// A real broker that requires authentication, shared by the tests of one process. It needs `KAFKA_HOME` and the
/// openssl program.
///
/// Each listener has its own port. Each broker has a new authority, which signed its certificate.
package final class SecureCluster: Sendable {
    /// The listeners of the broker.
    package enum Listener: Sendable {
        /// Without authentication, to prepare a test and to check its results.
        case open
        /// TLS.
        case tls
        /// TLS with client certificates.
        case mutualTLS
        /// TLS with SASL: a password by PLAIN or SCRAM-SHA-512, or a bearer token.
        case sasl
    }

    /// The user with a password.
    package static let user = "news"
    /// The password.
    package static let password = "open-sesame-42"

    private let ports: [Listener: UInt16]
    /// The folder of the PEM files.
    private let certificates: String
    // The end of the script stops the broker and removes the folder.
    private let script: ChildProcess

    // All tests wait for this one start. The broker lives until the process ends.
    private static let start = SharedStart { () async throws -> SecureCluster in
        let ports = try freePorts(5)
        let words = ["--secure", password] + ports.map { String($0) }
        let script = try ChildProcess([ChildProcess.scripts + "/kafka-cluster.sh"] + words)
        let certificates = try await script.line(after: "certificates ")
        _ = try await script.line(after: "ready ")
        // The last port is the controller's.
        let listeners: [Listener: UInt16] = [.tls: ports[0], .mutualTLS: ports[1], .sasl: ports[2], .open: ports[3]]
        return SecureCluster(ports: listeners, certificates: certificates, script: script)
    }

    private init(ports: [Listener: UInt16], certificates: String, script: ChildProcess) {
        self.ports = ports
        self.certificates = certificates
        self.script = script
    }

    /// The broker, started on first use.
    package static func shared() async throws -> SecureCluster {
        try await start.value
    }

    /// The configuration of a client of a listener.
    ///
    /// - Parameters:
    ///   - listener: The listener.
    ///   - security: The authentication of the client.
    ///   - host: The broker's name; its certificate is for `127.0.0.1`.
    /// - Returns: A configuration for any client.
    package func client(
        at listener: Listener = .open,
        _ security: KafkaSecurity = .plaintext,
        host: String = "127.0.0.1"
    ) -> KafkaConfiguration {
        KafkaConfiguration(
            bootstrapServers: "\(host):\(ports[listener] ?? 0)",
            clientID: "tests",
            security: security,
            // A name may also have an IPv6 address, on which nobody listens.
            properties: ["broker.address.family": "v4"]
        )
    }

    /// The certificate of the authority that signed the broker's.
    package var authorityFile: String { certificates + "/authority.pem" }

    /// The settings of a client that trusts the broker's authority.
    package var tls: KafkaTLS { KafkaTLS(authorityFile: authorityFile) }

    /// The settings of a client that trusts another authority only.
    package var tlsOfStranger: KafkaTLS { KafkaTLS(authorityFile: certificates + "/stranger.pem") }

    /// The settings of a client that has a certificate.
    package var tlsWithCertificate: KafkaTLS {
        KafkaTLS(
            authorityFile: authorityFile,
            certificateFile: certificates + "/client.pem",
            keyFile: certificates + "/client.key"
        )
    }
}

extension SecureCluster {
    /// The mechanisms of SASL with a password.
    package enum PasswordMechanism: String, Sendable, CaseIterable {
        case plain = "PLAIN"
        case scramSHA512 = "SCRAM-SHA-512"

        /// Authenticates ``SecureCluster/user`` with a password.
        package func sasl(_ password: String) -> KafkaSASL {
            switch self {
            case .plain: .plain(user: SecureCluster.user, password: KafkaSecret(password))
            case .scramSHA512: .scramSHA512(user: SecureCluster.user, password: KafkaSecret(password))
            }
        }
    }
}
