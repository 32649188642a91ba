/// How the client shows itself to the brokers, and how it knows them.
public enum KafkaSecurity: Sendable {
    /// In the clear, without a name.
    case plaintext
    /// Encrypted; with a client certificate when the TLS settings name one.
    case tls(KafkaTLS)
    /// By name and secret, encrypted when TLS settings are given.
    case sasl(KafkaSASL, tls: KafkaTLS?)
}

/// The TLS side of a connection. Files are PEM.
public struct KafkaTLS: Sendable, Hashable {
    /// The certificates that brokers must stem from; nil for those of the system.
    public var authorityFile: String?
    /// Our own certificate, for mutual TLS.
    public var certificateFile: String?
    /// The key of our own certificate, for mutual TLS.
    public var keyFile: String?
    /// Whether the broker's certificate must carry the name we connected to.
    public var verifiesHostName: Bool

    /// Makes TLS settings.
    ///
    /// - Parameters:
    ///   - authorityFile: The certificates that brokers must stem from; nil for those of the system.
    ///   - certificateFile: Our own certificate, for mutual TLS.
    ///   - keyFile: The key of our own certificate.
    ///   - verifiesHostName: Whether the broker's certificate must carry the name we connected to.
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

/// The mechanisms of SASL that clients use against Kafka.
public enum KafkaSASL: Sendable {
    /// Name and password in the clear: only sensible over TLS. Azure Event Hubs takes `$ConnectionString` as the name.
    case plain(user: String, password: KafkaSecret)
    /// Salted challenge and response, SHA-256. With Kafka 4 see ``KafkaLibrary/speaksSCRAMWithKafka4``.
    case scramSHA256(user: String, password: KafkaSecret)
    /// Salted challenge and response, SHA-512. With Kafka 4 see ``KafkaLibrary/speaksSCRAMWithKafka4``.
    case scramSHA512(user: String, password: KafkaSecret)
    /// A bearer token, read again whenever the last one nears its end: that of the JWT, or one hour for other tokens. The
    /// extensions are what the broker wants to know beside it (KIP-342), such as `logicalCluster` of Confluent Cloud.
    case oauthBearer(token: KafkaSecret, extensions: [String: String] = [:])

    /// The reason why an extension of OAUTHBEARER cannot be sent (RFC 7628, section 3.1).
    ///
    /// - Returns: `nil` if it can be.
    package static func problem(withExtension name: String, value: String) -> String? {
        guard !name.isEmpty, name.utf8.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }) else {
            return "is not the name of an extension, which has only letters from A to Z"
        }
        if name == "auth" { return "is the name of the token itself; leave it out" }
        guard !value.isEmpty, value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            return "must have at least one character, and only printable ones of ASCII"
        }
        return nil
    }
}

extension KafkaSecurity {
    /// The token source, when tokens are how we show ourselves.
    var bearerToken: KafkaSecret? {
        if case .sasl(.oauthBearer(let token, _), _) = self { token } else { nil }
    }

    /// The extensions of bearer tokens.
    var extensions: [String: String] {
        if case .sasl(.oauthBearer(_, let extensions), _) = self { extensions } else { [:] }
    }

    /// The password source, when a name and a password are how we show ourselves.
    var password: KafkaSecret? {
        switch self {
        case .plaintext, .tls, .sasl(.oauthBearer, _): nil
        case .sasl(.plain(_, let password), _), .sasl(.scramSHA256(_, let password), _),
            .sasl(.scramSHA512(_, let password), _):
            password
        }
    }

    /// The properties of librdkafka that say the same.
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
