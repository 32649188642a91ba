package import Timestamps

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
    /// - Parameters:
    ///   - key: The key.
    ///   - now: The current instant.
    /// - Returns: `nil` if a token was available; otherwise the time until one is.
    package mutating func consumeToken(of key: Key, now: Instant) -> Duration? {
        var bucket = bucket(of: key, now: now)
        let wait = bucket.consumeToken(rate, now: now)
        buckets.keep(bucket, for: key)
        return wait
    }

    /// Returns a token to a key.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - now: The current instant.
    package mutating func giveBack(_ key: Key, now: Instant) {
        guard var bucket = buckets[key] else { return }
        bucket.giveBack(rate, now: now)
        buckets.keep(bucket, for: key)
    }

    /// Whether a key has all its tokens.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - now: The current instant.
    /// - Returns: Whether no token is in use.
    package func isFull(_ key: Key, now: Instant) -> Bool {
        guard var bucket = buckets[key] else { return true }
        return bucket.isFull(rate, now: now)
    }

    /// Returns the time until a key has a token, without taking it; `nil` if it has one.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - now: The current instant.
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
