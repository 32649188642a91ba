import CRDKafka
import Locks

/// Wakes the fetchers of a librdkafka without a property for their longest wait (before 2.2.0).
///
/// A fetcher that finds the queues of all partitions of its broker full waits for up to a second in librdkafka 2.0.2,
/// whatever is taken out of them meanwhile. But new credentials wake the threads of all brokers, at once and without waiting, so
/// the client is given those that it has.
final class FetcherAlarm: Sendable {
    private let credentials: Locked<(user: KafkaSecret, password: KafkaSecret)?>

    /// Looks for the credentials that a client has.
    ///
    /// - Parameter properties: Those the client was made with, in the order they were set.
    init(properties: [(String, String)]) {
        let values = Dictionary(properties) { $1 }
        let mechanism = values["sasl.mechanisms"] ?? values["sasl.mechanism"]
        let usesSASL = values["security.protocol"]?.lowercased().hasPrefix("sasl") ?? false
        if let user = values["sasl.username"], let password = values["sasl.password"] {
            self.credentials = Locked((KafkaSecret(user), KafkaSecret(password)))
        } else if !usesSASL || mechanism?.uppercased() == "OAUTHBEARER" {
            // Nobody looks at them.
            self.credentials = Locked((KafkaSecret(""), KafkaSecret("")))
        } else {
            self.credentials = Locked(nil)
        }
    }

    /// Whether there are credentials that may be given again.
    var isUsable: Bool { credentials.withLock { $0 != nil } }

    /// Wakes the fetchers of a client.
    func ring(_ client: OpaquePointer) {
        guard let credentials = credentials.withLock({ $0 }),
            let user = try? credentials.user.read(for: "sasl.username"),
            let password = try? credentials.password.read(for: "sasl.password")
        else { return }
        if let error = rd_kafka_sasl_set_credentials(client, user, password) { rd_kafka_error_destroy(error) }
    }

    /// Gives a client another password, for its next connections.
    func renew(_ password: String, of client: OpaquePointer) {
        credentials.withLock { $0?.password = KafkaSecret(password) }
        ring(client)
    }
}

/// Says when fetchers are to be woken: each time half of what a full queue holds was taken out of one.
struct FetcherPace {
    private let messages: Int
    private let bytes: Int
    private var messagesTaken = 0
    private var bytesTaken = 0

    /// Begins with a queue of which nothing was taken.
    ///
    /// - Parameter limits: When a queue is full.
    init(_ limits: FetchLimits) {
        self.messages = max(1, limits.messages / 2)
        self.bytes = max(1, limits.bytes / 2)
    }

    /// Counts a message.
    ///
    /// - Parameter byteCount: Its bytes.
    /// - Returns: Whether the fetchers are to be woken now.
    mutating func took(bytes byteCount: Int) -> Bool {
        messagesTaken += 1
        bytesTaken += byteCount
        guard messagesTaken >= messages || bytesTaken >= bytes else { return false }
        (messagesTaken, bytesTaken) = (0, 0)
        return true
    }
}
