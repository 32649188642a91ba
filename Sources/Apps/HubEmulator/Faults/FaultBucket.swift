import Timestamps

/// A rate limiter per second that allows a burst of one second's worth after a pause.
struct FaultBucket {
    private let perSecond: Double
    private let capacity: Double
    private var tokens: Double
    private var filled: Timestamp

    /// Creates a full bucket.
    ///
    /// - Parameters:
    ///   - perSecond: The rate, above zero. The capacity is at least one.
    ///   - now: The current time.
    init(perSecond: Double, now: Timestamp) {
        self.perSecond = perSecond
        self.capacity = max(1, perSecond)
        self.tokens = capacity
        self.filled = now
    }

    /// Consumes a token.
    ///
    /// - Parameter now: The current time; it may be earlier than before if the clock was set back.
    /// - Returns: False if the bucket is empty.
    mutating func consumeToken(now: Timestamp) -> Bool {
        tokens = min(capacity, tokens + max(0, (now - filled) / .seconds(1)) * perSecond)
        filled = now
        // The tolerance covers rounding: ten times 0.1 s is slightly less than 1 s.
        guard tokens >= 1 - 1e-9 else { return false }
        tokens -= 1
        return true
    }
}
