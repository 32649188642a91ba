import Timestamps

/// Lets so many through a second, and one second's worth at once after a pause.
struct TokenBucket {
    private let perSecond: Double
    private let capacity: Double
    private var tokens: Double
    private var filled: Timestamp

    /// Makes a full bucket.
    ///
    /// - Parameters:
    ///   - perSecond: Above zero; below one, the bucket still holds one.
    ///   - now: The present instant.
    init(perSecond: Double, now: Timestamp) {
        self.perSecond = perSecond
        self.capacity = max(1, perSecond)
        self.tokens = capacity
        self.filled = now
    }

    /// Takes one out.
    ///
    /// - Parameter now: The present instant; where it lies before the last one, the clock was set back.
    /// - Returns: False where it is empty.
    mutating func take(now: Timestamp) -> Bool {
        tokens = min(capacity, tokens + max(0, (now - filled) / .seconds(1)) * perSecond)
        filled = now
        // A tenth of a second ten times is a little less than a second.
        guard tokens >= 1 - 1e-9 else { return false }
        tokens -= 1
        return true
    }
}
