import CNewsflashRDKafka
import NewsflashBasics
import NewsflashTimestamps

/// The owner of one `rd_kafka_t`.
///
/// Everything that librdkafka counts against the instance (messages, queues, topics) has a strong reference to this, so the
/// instance is destroyed after the last of them is released. `rd_kafka_destroy` blocks until its threads have ended, so it runs
/// on a separate thread, whichever reference was the last.
package final class ClientHandle: Sendable {
    // rd_kafka_t is thread safe and the pointer never changes.
    /// For calls into librdkafka; valid as long as this object.
    nonisolated(unsafe) package let pointer: OpaquePointer
    private let context: CallbackContext
    private let alarm: FetcherWakeup

    /// Creates an instance.
    ///
    /// - Parameters:
    ///   - kind: Consumer or producer.
    ///   - properties: The properties in the order in which they are set.
    ///   - client: The settings for log lines and tokens.
    ///   - events: The `RD_KAFKA_EVENT` kinds that come as events on the main queue.
    ///   - membership: Gets log lines, to detect whether the group is stable; for members of cooperative groups.
    /// - Throws: ``KafkaError`` with the name of a property that cannot be used.
    init(
        _ kind: rd_kafka_type_t,
        properties: [(String, String)],
        client: KafkaConfiguration,
        events: Int32,
        membership: Membership? = nil
    ) throws(KafkaError) {
        let context = CallbackContext(client, membership: membership)
        let configuration = ConfigurationHandle()
        for (name, value) in properties {
            try configuration.set(name, to: value)
        }
        let usesTokens = client.security.bearerToken != nil
        configuration.connect(to: context, events: events, usesTokens: usesTokens)
        self.context = context
        self.alarm = FetcherWakeup(properties: properties)
        self.pointer = try configuration.makeClient(kind)
        context.watch(self)
        if usesTokens, let error = rd_kafka_sasl_background_callbacks_enable(pointer) {
            throw KafkaError(consuming: error, doing: "asking for tokens in the background")
        }
    }

    deinit {
        nonisolated(unsafe) let pointer = pointer
        startThread(named: "kafka-destroy") { [context] in
            rd_kafka_destroy_flags(pointer, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE)
            withExtendedLifetime(context) {}
        }
    }

    /// Creates an instance without a user's configuration, for example for the mock cluster.
    ///
    /// - Parameter properties: The properties in the order in which they are set.
    /// - Throws: ``KafkaError`` with the name of a property that cannot be used.
    package convenience init(producerWith properties: [(String, String)]) throws(KafkaError) {
        let nobody = KafkaConfiguration(bootstrapServers: "", clientID: "")
        try self.init(RD_KAFKA_PRODUCER, properties: properties, client: nobody, events: 0)
    }

    /// librdkafka's name for the instance, for messages.
    var name: String { String(cString: rd_kafka_name(pointer)) }

    /// Returns the error with the latest failure of a connection, if no broker was reached: a request without an answer does
    /// not show whether a name cannot be resolved, or a certificate or a password is wrong.
    func explaining(_ error: KafkaError) -> KafkaError {
        guard error.meansUnreachable, let complaint = context.latestComplaint else { return error }
        var error = error
        error.message += "; the connection says: \(complaint)"
        error.connectionFailure = complaint
        return error
    }

    /// Wakes fetchers that wait because all queues were full, if librdkafka has no property for the longest wait; see
    /// ``FetcherWakeup``.
    func wakeFetchers() {
        if FetchLimits.queueBackoff.isEmpty { alarm.wake(pointer) }
    }

    /// Passes a password that has changed in its file to librdkafka, for its next connections.
    fileprivate func renew(_ password: String) { alarm.renew(password, of: pointer) }

    /// Keeps the instance forever, because destroying it might never end.
    func abandon() {
        Self.abandoned.withLock { $0.append(self) }
    }

    private static let abandoned = Locked<[ClientHandle]>([])
}

/// The owner of one `rd_kafka_conf_t` until an instance adopts it.
final class ConfigurationHandle {
    private var pointer: OpaquePointer? = rd_kafka_conf_new()

    deinit {
        if let pointer { rd_kafka_conf_destroy(pointer) }
    }

    func set(_ name: String, to value: String) throws(KafkaError) {
        var reason = [CChar](repeating: 0, count: 512)
        guard rd_kafka_conf_set(pointer, name, value, &reason, reason.count) != RD_KAFKA_CONF_OK else { return }
        // The reason contains the value, which must not happen for a secret.
        let detail =
            KafkaConfiguration.isSecret(name)
            ? "Invalid value" : String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        throw KafkaError(.invalidArgument, "the Kafka property \"\(name)\" cannot be set: \(detail)")
    }

    fileprivate func connect(to context: CallbackContext, events: Int32, usesTokens: Bool) {
        rd_kafka_conf_set_opaque(pointer, Unmanaged.passUnretained(context).toOpaque())
        rd_kafka_conf_set_events(pointer, events)
        rd_kafka_conf_set_log_cb(pointer) { client, level, facility, message in
            guard let client, let opaque = rd_kafka_opaque(client), let facility, let message else { return }
            let context = Unmanaged<CallbackContext>.fromOpaque(opaque).takeUnretainedValue()
            context.logged(level: level, facility: String(cString: facility), message: String(cString: message))
        }
        guard usesTokens else { return }
        rd_kafka_conf_enable_sasl_queue(pointer, 1)
        rd_kafka_conf_set_oauthbearer_token_refresh_cb(pointer) { client, _, opaque in
            guard let client, let opaque else { return }
            Unmanaged<CallbackContext>.fromOpaque(opaque).takeUnretainedValue().renewToken(of: client)
        }
    }

    func makeClient(_ kind: rd_kafka_type_t) throws(KafkaError) -> OpaquePointer {
        var reason = [CChar](repeating: 0, count: 512)
        guard let client = rd_kafka_new(kind, pointer, &reason, reason.count) else {
            let detail = String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            throw KafkaError(.invalidArgument, "cannot create a Kafka client: \(detail)")
        }
        pointer = nil
        return client
    }
}

/// The state for the callbacks of one instance; librdkafka has a single opaque pointer for all of them.
private final class CallbackContext: Sendable {
    private let log: @Sendable (KafkaLogLine) -> Void
    private let token: KafkaSecret?
    private let extensions: [String: String]
    private let password: PasswordRenewal?
    private let client = Locked(WeakClient())
    private let membership: Membership?
    private let hidesDebugLines: Bool
    private let complaint = Locked<(text: String, at: ContinuousClock.Instant)?>(nil)
    private let repeats = Locked(LogDeduplicator())

    /// How long a failure of a connection explains other errors.
    private static let memory = Duration.seconds(60)

    init(_ client: KafkaConfiguration, membership: Membership?) {
        self.log = client.log
        self.token = client.security.bearerToken
        self.extensions = client.security.extensions
        self.password = client.security.password.map(PasswordRenewal.init)
        self.membership = membership
        self.hidesDebugLines = membership != nil && client.properties["debug"] == nil
    }

    /// Sets the client that gets a password that has changed in its file.
    func watch(_ client: ClientHandle) { self.client.withLock { $0.handle = client } }

    /// The latest failure of a connection; `nil` if it is older than a minute.
    var latestComplaint: String? {
        complaint.withLock { complaint in
            complaint.flatMap { .now - $0.at < Self.memory ? $0.text : nil }
        }
    }

    func logged(level: Int32, facility: String, message: String) {
        membership?.read(facility: facility, message: message)
        if level <= KafkaLogLine.Level.info.rawValue, ["FAIL", "TOKEN"].contains(facility) {
            // The name of librdkafka's thread does not help anybody.
            let said = message.firstRange(of: "]: ").map { message[$0.upperBound...] }
            let text = message.hasPrefix("[thrd:") ? said.map(String.init) ?? message : message
            complaint.withLock { $0 = (text, .now) }
            if text.contains("authentication") { renewPassword() }
        }
        if hidesDebugLines, level >= KafkaLogLine.Level.debug.rawValue { return }
        guard repeats.withLock({ $0.isNew(facility, message, now: .now) }) else { return }
        log(KafkaLogLine(level: .init(rawValue: level) ?? .info, facility: facility, message: message))
    }

    /// Reads the password again after a broker has refused it, on a separate thread: this one is librdkafka's, and the file may
    /// be on a slow file system.
    private func renewPassword() {
        guard let password, password.begin(at: .now) else { return }
        startThread(named: "kafka-password") { [weak self] in
            guard let changed = password.readChanged() else { return }
            self?.client.withLock(\.handle)?.renew(changed)
        }
    }

    /// Runs on the instance's background thread, and so also while the consumer's thread waits for its delegate.
    func renewToken(of client: OpaquePointer) {
        do throws(KafkaError) {
            guard let token else { return }
            let now = Timestamp.now()
            let bearer = OAuthToken(try token.read(for: "the OAUTHBEARER token"), now: now)
            guard bearer.end > now else {
                // With the time, because librdkafka reports a failure only if its text differs.
                let text = "it expired at \(bearer.end.rfc3339); replace it (checked at \(now.rfc3339))"
                throw KafkaError(.authentication, "the OAUTHBEARER token: \(text)")
            }
            let response = bearer.give(to: client, extensions: extensions)
            guard response != RD_KAFKA_RESP_ERR_NO_ERROR else { return }
            // librdkafka's reason may contain the token.
            throw KafkaError(response, doing: "the OAUTHBEARER token", saying: "it cannot be used")
        } catch {
            rd_kafka_oauthbearer_set_token_failure(client, error.message)
            logged(level: 3, facility: "TOKEN", message: error.message)
        }
    }
}

private struct WeakClient: Sendable {
    weak var handle: ClientHandle?
}

/// Detects log lines of librdkafka that repeat the previous line.
///
/// A broker that is starting answers some questions with "retrying" a hundred times a second. Once a second is enough.
struct LogDeduplicator {
    private static let pause = Duration.seconds(1)
    private var latest: (facility: String, message: String, at: ContinuousClock.Instant)?

    /// Records a line.
    ///
    /// - Parameters:
    ///   - facility: librdkafka's word for the kind of line.
    ///   - message: The text.
    ///   - now: The current time.
    /// - Returns: Whether it should be logged.
    mutating func isNew(_ facility: String, _ message: String, now: ContinuousClock.Instant) -> Bool {
        if let latest, latest.message == message, latest.facility == facility, now - latest.at < Self.pause {
            return false
        }
        latest = (facility, message, now)
        return true
    }
}

/// Reads a password again if brokers refuse the current one, at most once a second. librdkafka reports a continuing refusal
/// twice a minute.
final class PasswordRenewal: Sendable {
    private struct State {
        var shown: KafkaSecret?
        var lastRead: ContinuousClock.Instant?
    }

    private static let pause = Duration.seconds(1)

    private let source: KafkaSecret
    private let state = Locked(State())

    /// Starts with a password that was read for the first connections.
    init(_ source: KafkaSecret) { self.source = source }

    /// Whether the password should be read now; at most once a second.
    func begin(at now: ContinuousClock.Instant) -> Bool {
        state.withLock { state in
            if let last = state.lastRead, now - last < Self.pause { return false }
            state.lastRead = now
            return true
        }
    }

    /// Reads the password.
    ///
    /// - Returns: `nil` if it is unchanged, or cannot be read: a later failure reads it again.
    func readChanged() -> String? {
        guard let password = try? source.read(for: "sasl.password") else { return nil }
        return state.withLock { state in
            if let shown = try? state.shown?.read(for: "sasl.password"), shown == password { return nil }
            state.shown = KafkaSecret(password)
            return password
        }
    }
}

/// The limits of librdkafka's own read-ahead, within the bounds of its properties.
struct FetchLimits {
    /// The maximum number of messages of a partition that are fetched and not dequeued.
    var messages: Int
    /// The maximum number of their bytes. The answer to one fetch is not larger either, unless a single record is: librdkafka
    /// derives
    /// `fetch.max.bytes` from it.
    var bytes: Int
    /// The maximum number of bytes of one partition in one fetch.
    var fetchBytes: Int

    /// The wait of a fetcher that finds all queues full, in versions of librdkafka with that property (2.2.0 and later).
    static let queueBackoff: [(String, String)] =
        KafkaLibrary.problem(withProperty: "fetch.queue.backoff.ms", value: "5") == nil
        ? [("fetch.queue.backoff.ms", "5")] : []

    /// Returns the properties with which all our consumers and readers read: committed and complete records, up to these
    /// limits, with offsets that only we keep.
    ///
    /// - Parameter wait: How long a broker may delay the answer to a fetch without data.
    /// - Returns: Names and values, in the order in which they are set.
    func properties(wait: Duration) -> [(String, String)] {
        [
            ("enable.auto.commit", "false"),
            ("enable.auto.offset.store", "false"),
            ("isolation.level", "read_committed"),
            ("check.crcs", "true"),
            // A broker answers as soon as one byte is available; the wait only limits empty answers.
            ("fetch.min.bytes", "1"),
            ("fetch.wait.max.ms", "\(wait.milliseconds)"),
            // 500 ms by default, which librdkafka 2.0.2 adds at each change of leader.
            ("fetch.error.backoff.ms", "50"),
            ("queued.min.messages", "\(min(max(1, messages), 10_000_000))"),
            ("queued.max.messages.kbytes", "\(min(max(1, bytes >> 10), 2_097_151))"),
            ("fetch.message.max.bytes", "\(min(max(1, fetchBytes), 1_000_000_000))"),
        ] + Self.queueBackoff
    }
}
