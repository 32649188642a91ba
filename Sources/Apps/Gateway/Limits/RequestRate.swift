package import NewsflashTimestamps

/// A rate limit: requests per second on average, and requests at once.
package struct RequestRate: Sendable, Equatable {
    /// The average number of requests per second.
    package var perSecond: Double
    /// The number of requests at once after an idle time; at least one.
    package var burst: Double

    /// Creates a rate.
    ///
    /// - Parameters:
    ///   - perSecond: The average number of requests per second; greater than zero.
    ///   - burst: The number of requests at once after an idle time.
    package init(perSecond: Double, burst: Double) {
        self.perSecond = perSecond
        self.burst = max(1, burst)
    }
}

/// A token bucket: tokens are added over time, and each request consumes one.
struct TokenBucket: Sendable {
    private var tokens: Double
    private var filledAt: Instant

    /// Creates a full bucket.
    init(_ rate: RequestRate, now: Instant) {
        tokens = rate.burst
        filledAt = now
    }

    /// Consumes a token.
    ///
    /// - Returns: `nil` if a token was available; otherwise the time until one is.
    mutating func consumeToken(_ rate: RequestRate, now: Instant) -> Duration? {
        if let wait = wait(rate, now: now) { return wait }
        tokens -= 1
        return nil
    }

    /// Returns a token to the bucket.
    mutating func giveBack(_ rate: RequestRate, now: Instant) {
        fill(rate, now: now)
        tokens = min(rate.burst, tokens + 1)
    }

    /// Whether no token is in use.
    mutating func isFull(_ rate: RequestRate, now: Instant) -> Bool {
        fill(rate, now: now)
        return tokens >= rate.burst
    }

    /// The time until a token is available; `nil` if there is one.
    mutating func wait(_ rate: RequestRate, now: Instant) -> Duration? {
        fill(rate, now: now)
        return tokens >= 1 ? nil : .seconds((1 - tokens) / rate.perSecond)
    }

    private mutating func fill(_ rate: RequestRate, now: Instant) {
        guard now > filledAt else { return }
        tokens = min(rate.burst, tokens + rate.perSecond * ((now - filledAt) / .seconds(1)))
        filledAt = now
    }
}

/// A token bucket for each of many keys, with a memory limit.
package struct RateTable<Key: Hashable & Sendable>: Sendable {
    /// The rate allowed for each key.
    package let rate: RequestRate
    private var buckets: RecentEntries<Key, TokenBucket>

    /// Creates an empty table.
    ///
    /// - Parameters:
    ///   - rate: The rate allowed for each key.
    ///   - capacity: The maximum number of keys stored.
    package init(rate: RequestRate, capacity: Int = 100_000) {
        self.rate = rate
        buckets = RecentEntries(capacity: capacity)
    }

    /// Consumes a token of a key.
    ///
    /// - Returns: `nil` if a token was available; otherwise the time until one is.
    package mutating func consumeToken(of key: Key, now: Instant) -> Duration? {
        var bucket = bucket(of: key, now: now)
        let wait = bucket.consumeToken(rate, now: now)
        buckets.keep(bucket, for: key)
        return wait
    }

    /// Returns a token to a key.
    package mutating func giveBack(_ key: Key, now: Instant) {
        guard var bucket = buckets[key] else { return }
        bucket.giveBack(rate, now: now)
        buckets.keep(bucket, for: key)
    }

    /// Whether a key has all its tokens.
    ///
    /// - Returns: Whether no token is in use.
    package func isFull(_ key: Key, now: Instant) -> Bool {
        guard var bucket = buckets[key] else { return true }
        return bucket.isFull(rate, now: now)
    }

    /// Returns the time until a key has a token, without taking it; `nil` if it has one.
    ///
    /// - Returns: The time to wait.
    package func wait(_ key: Key, now: Instant) -> Duration? {
        var bucket = bucket(of: key, now: now)
        return bucket.wait(rate, now: now)
    }

    /// The number of keys stored.
    package var count: Int { buckets.count }

    private func bucket(of key: Key, now: Instant) -> TokenBucket {
        buckets[key] ?? TokenBucket(rate, now: now)
    }
}
