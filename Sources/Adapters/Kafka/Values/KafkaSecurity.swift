/// How the client authenticates to the brokers, and how it authenticates them.
public enum KafkaSecurity: Sendable {
    /// Unencrypted, without authentication.
    case plaintext
    /// Encrypted; with a client certificate if the TLS settings contain one.
    case tls(KafkaTLS)
    /// With credentials, encrypted if TLS settings are given.
    case sasl(KafkaSASL, tls: KafkaTLS?)
}

/// The TLS settings of a connection. Files are PEM.
public struct KafkaTLS: Sendable, Hashable {
    /// The certificate authorities for the brokers' certificates; `nil` for those of the system.
    public var authorityFile: String?
    /// Our own certificate, for mutual TLS.
    public var certificateFile: String?
    /// The key of our own certificate, for mutual TLS.
    public var keyFile: String?
    /// Whether the broker's certificate must contain the host name of the connection.
    public var verifiesHostName: Bool

    /// Creates TLS settings.
    ///
    /// - Parameters:
    ///   - authorityFile: The certificate authorities for the brokers' certificates; `nil` for those of the system.
    ///   - certificateFile: Our own certificate, for mutual TLS.
    ///   - keyFile: The key of our own certificate.
    ///   - verifiesHostName: Whether the broker's certificate must contain the host name of the connection.
    public init(
        authorityFile: String? = nil,
        certificateFile: String? = nil,
        keyFile: String? = nil,
        verifiesHostName: Bool = true
    ) {
        self.authorityFile = authorityFile
        self.certificateFile = certificateFile
        self.keyFile = keyFile
        self.verifiesHostName = verifiesHostName
    }
}

/// The SASL mechanisms that clients use with Kafka.
public enum KafkaSASL: Sendable {
    /// Name and password in plain text: only use it over TLS. Azure Event Hubs accepts `$ConnectionString` as the name.
    case plain(user: String, password: KafkaSecret)
    /// Salted challenge and response, SHA-256. With Kafka 4 see ``KafkaLibrary/speaksSCRAMWithKafka4``.
    case scramSHA256(user: String, password: KafkaSecret)
    /// Salted challenge and response, SHA-512. With Kafka 4 see ``KafkaLibrary/speaksSCRAMWithKafka4``.
    case scramSHA512(user: String, password: KafkaSecret)
    /// A bearer token, which is read again when the last one is about to expire: at the `exp` of a JWT, or after an hour for
    /// other tokens. The broker may require extensions in addition (KIP-342), such as `logicalCluster` of Confluent Cloud.
    case oauthBearer(token: KafkaSecret, extensions: [String: String] = [:])

    /// Returns the reason why an extension of OAUTHBEARER cannot be sent (RFC 7628, section 3.1).
    ///
    /// - Returns: `nil` if it can be sent.
    package static func problem(withExtension name: String, value: String) -> String? {
        guard !name.isEmpty, name.utf8.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }) else {
            return "is not a valid extension name; use only letters from A to Z"
        }
        if name == "auth" { return "is the name of the token itself; remove it" }
        guard !value.isEmpty, value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            return "must have at least one character, and only printable ASCII characters"
        }
        return nil
    }
}

extension KafkaSecurity {
    /// The source of bearer tokens, if we authenticate with tokens.
    var bearerToken: KafkaSecret? {
        if case .sasl(.oauthBearer(let token, _), _) = self { token } else { nil }
    }

    /// The extensions of bearer tokens.
    var extensions: [String: String] {
        if case .sasl(.oauthBearer(_, let extensions), _) = self { extensions } else { [:] }
    }

    /// The source of the password, if we authenticate with a name and a password.
    var password: KafkaSecret? {
        switch self {
        case .plaintext, .tls, .sasl(.oauthBearer, _): nil
        case .sasl(.plain(_, let password), _), .sasl(.scramSHA256(_, let password), _),
            .sasl(.scramSHA512(_, let password), _):
            password
        }
    }

    /// Returns the corresponding properties of librdkafka.
    func properties() throws(KafkaError) -> [(String, String)] {
        switch self {
        case .plaintext: return [("security.protocol", "plaintext")]
        case .tls(let tls): return [("security.protocol", "ssl")] + tls.properties
        case .sasl(let sasl, let tls):
            let channel = [("security.protocol", tls == nil ? "sasl_plaintext" : "sasl_ssl")] + (tls?.properties ?? [])
            return try channel + sasl.properties()
        }
    }
}

extension KafkaTLS {
    fileprivate var properties: [(String, String)] {
        var properties = [("ssl.endpoint.identification.algorithm", verifiesHostName ? "https" : "none")]
        if let authorityFile { properties.append(("ssl.ca.location", authorityFile)) }
        if let certificateFile { properties.append(("ssl.certificate.location", certificateFile)) }
        if let keyFile { properties.append(("ssl.key.location", keyFile)) }
        return properties
    }
}

extension KafkaSASL {
    fileprivate func properties() throws(KafkaError) -> [(String, String)] {
        switch self {
        case .plain(let user, let password): try named("PLAIN", user, password)
        case .scramSHA256(let user, let password): try named("SCRAM-SHA-256", user, password)
        case .scramSHA512(let user, let password): try named("SCRAM-SHA-512", user, password)
        case .oauthBearer(_, let extensions): try tokens(extensions)
        }
    }

    private func tokens(_ extensions: [String: String]) throws(KafkaError) -> [(String, String)] {
        for (name, value) in extensions.sorted(by: { $0.key < $1.key }) {
            guard let problem = Self.problem(withExtension: name, value: value) else { continue }
            throw KafkaError(.invalidArgument, "the extension \"\(name)\" of OAUTHBEARER \(problem)")
        }
        return [("sasl.mechanisms", "OAUTHBEARER")]
    }

    private func named(
        _ mechanism: String,
        _ user: String,
        _ password: KafkaSecret
    ) throws(KafkaError) -> [(String, String)] {
        [
            ("sasl.mechanisms", mechanism),
            ("sasl.username", user),
            ("sasl.password", try password.read(for: "sasl.password")),
        ]
    }
}

/// The reason why a secret cannot be read, in words that contain nothing of it.
public protocol KafkaSecretFault: Error {
    /// The failure, its place, and what to do.
    var explanation: String { get }
}

/// A password or token, or a way to get one, that is never shown in a description, dump or error.
public struct KafkaSecret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let source: @Sendable () throws -> String

    /// Keeps a text.
    ///
    /// - Parameter text: The secret itself.
    public init(_ text: String) {
        self.source = { text }
    }

    /// Keeps a way to get the secret, which is used each time a secret is needed: a password when a client is created and when
    /// brokers refuse it, a token when the last one is about to expire.
    ///
    /// - Parameter source: Returns the secret; runs on a thread that may block for a moment, such as for a file.
    public init(reading source: @escaping @Sendable () throws -> String) {
        self.source = source
    }

    /// Returns the secret itself.
    ///
    /// - Parameter purpose: Its purpose, for the error.
    /// - Returns: The text as it was given or read.
    /// - Throws: ``KafkaError`` if the source fails, with the explanation of a ``KafkaSecretFault``; for other errors it
    ///   contains only the type, because their text might contain the secret.
    func read(for purpose: String) throws(KafkaError) -> String {
        do {
            return try source()
        } catch {
            let reason = (error as? any KafkaSecretFault)?.explanation ?? "\(type(of: error))"
            throw KafkaError(.authentication, "the secret for \(purpose) cannot be read: \(reason)")
        }
    }

    /// `<redacted>`.
    public var description: String { "<redacted>" }
    /// `<redacted>`.
    public var debugDescription: String { "<redacted>" }
    /// Has no children, so that a dump shows nothing.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
