import Timestamps

/// When to try again after a failure: when the other side asks for it, otherwise after twice the time of the last pause.
struct RetryPause: Sendable {
    static let first = Duration.seconds(5)
    static let longest = Duration.seconds(900)

    /// Why the last attempt failed; `nil` after a success.
    private(set) var error: SubscriptionError?
    private var failures = 0
    private var end: Timestamp?

    /// Records how an attempt ended.
    ///
    /// - Parameters:
    ///   - error: Why it failed; `nil` for a success.
    ///   - now: The end of the attempt.
    ///   - share: From 0 to 1. Spreads devices that failed together over a fifth of the pause before and after its end.
    mutating func record(_ error: SubscriptionError?, now: Timestamp, share: Double = .random(in: 0...1)) {
        self.error = error
        guard let error, error.isRetriable else {
            failures = 0
            end = nil
            return
        }
        let doubled = Self.first * (1 << min(failures, 10))
        let pause = error.retryAfter ?? min(doubled, Self.longest) * (0.8 + 0.4 * share)
        failures += 1
        end = now + pause
    }

    /// How long to wait before the next attempt; zero if it may begin now.
    ///
    /// - Returns: Never less than zero.
    func remaining(at now: Timestamp) -> Duration {
        end.map { max(.zero, $0 - now) } ?? .zero
    }
}
