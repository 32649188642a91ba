import NewsflashTimestamps

/// The pause before the next attempt after a failure: as long as the server asks for, otherwise twice the last pause.
struct RetryPause: Sendable {
    static let first = Duration.seconds(5)
    static let longest = Duration.seconds(900)

    /// The error of the last attempt; `nil` after a success. During a pause, the error that is the reason for it.
    private(set) var error: SubscriptionError?
    private var failures = 0
    private var end: Timestamp?

    /// Records the result of an attempt.
    ///
    /// - Parameters:
    ///   - error: The error; `nil` for a success.
    ///   - now: The end of the attempt.
    ///   - share: From 0 to 1. Spreads the retries of devices that failed together over a fifth of the pause before and after
    ///     its end.
    mutating func record(_ error: SubscriptionError?, now: Timestamp, share: Double = .random(in: 0...1)) {
        if let error, error.code == .cancelled {
            // An interrupted attempt shows nothing about the server: the pauses do not grow, and one that the server asked for
            // stays in force.
            if remaining(at: now) == .zero { self.error = error }
            return
        }
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

    /// The time until the next attempt may begin; never negative.
    func remaining(at now: Timestamp) -> Duration {
        end.map { max(.zero, $0 - now) } ?? .zero
    }
}
