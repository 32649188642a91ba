import CNewsflashRDKafka
import NewsflashBasics

/// Wakes the fetchers of a librdkafka without a property for their longest wait (before 2.2.0).
///
/// In librdkafka 2.0.2 a fetcher that finds the queues of all partitions of its broker full waits for up to a second, even if
/// messages are dequeued meanwhile. New credentials wake the threads of all brokers at once, without waiting. So the client is
/// given the credentials that it already has.
final class FetcherWakeup: Sendable {
    private let credentials: Locked<(user: KafkaSecret, password: KafkaSecret)?>

    /// Finds the credentials of a client.
    ///
    /// - Parameter properties: The client's properties, in the order in which they were set.
    init(properties: [(String, String)]) {
        let values = Dictionary(properties) { $1 }
        let mechanism = values["sasl.mechanisms"] ?? values["sasl.mechanism"]
        let usesSASL = values["security.protocol"]?.lowercased().hasPrefix("sasl") ?? false
        if let user = values["sasl.username"], let password = values["sasl.password"] {
            self.credentials = Locked((KafkaSecret(user), KafkaSecret(password)))
        } else if !usesSASL || mechanism?.uppercased() == "OAUTHBEARER" {
            // They are not used.
            self.credentials = Locked((KafkaSecret(""), KafkaSecret("")))
        } else {
            self.credentials = Locked(nil)
        }
    }

    /// Whether there are credentials that can be set again.
    var isUsable: Bool { credentials.withLock { $0 != nil } }

    /// Wakes the fetchers of a client.
    func wake(_ client: OpaquePointer) {
        guard let credentials = credentials.withLock({ $0 }),
            let user = try? credentials.user.read(for: "sasl.username"),
            let password = try? credentials.password.read(for: "sasl.password")
        else { return }
        if let error = rd_kafka_sasl_set_credentials(client, user, password) { rd_kafka_error_destroy(error) }
    }

    /// Sets another password of a client, for its next connections.
    func renew(_ password: String, of client: OpaquePointer) {
        credentials.withLock { $0?.password = KafkaSecret(password) }
        wake(client)
    }
}

/// Decides when to wake fetchers: whenever half the content of a full queue was dequeued.
struct FetcherWakeupPolicy {
    private let messages: Int
    private let bytes: Int
    private var messagesTaken = 0
    private var bytesTaken = 0

    /// Starts with a queue from which nothing was dequeued.
    ///
    /// - Parameter limits: The limits at which a queue is full.
    init(_ limits: FetchLimits) {
        self.messages = max(1, limits.messages / 2)
        self.bytes = max(1, limits.bytes / 2)
    }

    /// Counts a message.
    ///
    /// - Parameter byteCount: Its bytes.
    /// - Returns: Whether the fetchers must be woken now.
    mutating func took(bytes byteCount: Int) -> Bool {
        messagesTaken += 1
        bytesTaken += byteCount
        guard messagesTaken >= messages || bytesTaken >= bytes else { return false }
        (messagesTaken, bytesTaken) = (0, 0)
        return true
    }
}
