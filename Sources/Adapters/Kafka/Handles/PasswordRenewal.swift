import Locks

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
