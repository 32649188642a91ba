import CNewsflashRDKafka

/// The settings of every client of a cluster: its brokers, our identity, and the log.
public struct KafkaConfiguration: Sendable {
    /// The brokers to ask first, `host:port`, separated by commas.
    public var bootstrapServers: String
    /// The name that brokers show in their logs, metrics and quotas.
    public var clientID: String
    /// How the client authenticates to the brokers.
    public var security: KafkaSecurity
    /// Properties of librdkafka by their own names. They override all other settings here, so a wrong one can break the
    /// guarantees of this library.
    public var properties: [String: String]
    /// Receives each line that librdkafka logs, on any of its threads. It must return soon and must not call the client.
    public var log: @Sendable (KafkaLogLine) -> Void

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - bootstrapServers: The brokers to ask first, `host:port`, separated by commas.
    ///   - clientID: The name that brokers show in their logs, metrics and quotas.
    ///   - security: How the client authenticates to the brokers.
    ///   - properties: Properties of librdkafka by their own names, which override all other settings.
    ///   - log: Receives each line that librdkafka logs, on any of its threads.
    public init(
        bootstrapServers: String,
        clientID: String,
        security: KafkaSecurity = .plaintext,
        properties: [String: String] = [:],
        log: @escaping @Sendable (KafkaLogLine) -> Void = { _ in }
    ) {
        self.bootstrapServers = bootstrapServers
        self.clientID = clientID
        self.security = security
        self.properties = properties
        self.log = log
    }
}

extension KafkaConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The settings with every secret replaced.
    public var description: String {
        let shown = properties.keys.sorted().map { "\($0)=\(Self.shown(properties[$0] ?? "", of: $0))" }
        return "\(clientID) at \(bootstrapServers), \(security), [\(shown.joined(separator: ", "))]"
    }

    /// The same as the description.
    public var debugDescription: String { description }

    /// Contains only the description, so that a dump does not show the raw properties.
    public var customMirror: Mirror { Mirror(self, children: ["settings": description]) }

    /// Whether the value of a property must not be shown: passwords, private keys, tokens and what may hold them.
    static func isSecret(_ property: String) -> Bool {
        let words = ["password", "secret", "pem", "jaas", "token", "sasl.oauthbearer.config", "plugin"]
        let name = property.lowercased()
        return words.contains { name.contains($0) }
    }

    private static func shown(_ value: String, of property: String) -> String {
        isSecret(property) ? "<redacted>" : value
    }
}

extension KafkaConfiguration {
    /// From 2.5.0 on librdkafka sends metrics to brokers that request them (KIP-714). Up to 2.10.0 each time breaks the
    /// connection (librdkafka#5106), and our own metrics have these figures.
    private static let telemetry =
        KafkaLibrary.problem(withProperty: "enable.metrics.push", value: "false") == nil
        ? [("enable.metrics.push", "false")] : []

    /// Returns the properties that all clients share, without those of a consumer or a producer only.
    func commonProperties() throws(KafkaError) -> [(String, String)] {
        let fixed = [
            ("bootstrap.servers", bootstrapServers),
            ("client.id", clientID),
            // Nagle's algorithm is on by default up to librdkafka 2.10 and delays small requests.
            ("socket.nagle.disable", "true"),
            ("socket.keepalive.enable", "true"),
            // Long enough for a machine that has died; short enough to reconnect soon to a broker that is available again, or
            // to another coordinator.
            ("reconnect.backoff.ms", "50"),
            ("reconnect.backoff.max.ms", "500"),
            ("topic.metadata.refresh.interval.ms", "30000"),
            ("log.connection.close", "false"),
            // A broker with Kafka's default settings creates topics that a client requests, with one partition and the cleanup
            // policy "delete". By default producers of librdkafka request this, consumers do not.
            ("allow.auto.create.topics", "false"),
        ]
        return try fixed + Self.telemetry + security.properties()
    }
}

extension Duration {
    /// Returns whole milliseconds for librdkafka, rounded up, never negative.
    var milliseconds: Int32 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        guard seconds < 2_000_000 else { return 2_000_000_000 }
        return Int32(seconds) * 1000 + Int32((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}

/// The librdkafka that this program runs with.
public enum KafkaLibrary {
    /// The version, such as `2.0.2`.
    public static var version: String { String(cString: rd_kafka_version_str()) }

    /// Whether SCRAM works with Kafka 4. Before 2.6.1 librdkafka repeats its nonce, and a broker of Kafka 4 then rejects the
    /// credentials although the password is right (librdkafka#4895).
    public static var speaksSCRAMWithKafka4: Bool { rd_kafka_version() >= 0x0206_0100 }

    /// Returns the reason why the library does not accept a property. Makes no connection.
    ///
    /// - Parameters:
    ///   - name: Its name in librdkafka.
    ///   - value: Its value; the reason does not contain it if it may be a secret.
    /// - Returns: `nil` if the property can be set.
    package static func problem(withProperty name: String, value: String) -> String? {
        let configuration = ConfigurationHandle()
        do throws(KafkaError) {
            try configuration.set(name, to: value)
            return nil
        } catch {
            let detail = error.message.split(separator: "cannot be set: ", maxSplits: 1).last
            return detail.map(String.init) ?? error.message
        }
    }
}
