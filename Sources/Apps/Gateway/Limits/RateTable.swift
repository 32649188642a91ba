package import Timestamps

/// A bucket of tokens for each of many keys, in bounded memory.
package struct RateTable<Key: Hashable & Sendable>: Sendable {
    /// What each key is allowed.
    package let rate: RequestRate
    private var buckets: RecentEntries<Key, TokenBucket>

    /// Makes an empty table.
    ///
    /// - Parameters:
    ///   - rate: What each key is allowed.
    ///   - capacity: Of how many keys is known at most.
    package init(rate: RequestRate, capacity: Int = 100_000) {
        self.rate = rate
        buckets = RecentEntries(capacity: capacity)
    }

    /// Takes a token of a key.
    ///
    /// - Parameters:
    ///   - key: Whose.
    ///   - now: The instant of the call.
    /// - Returns: Nothing where there was one, else how long until there is.
    package mutating func take(_ key: Key, now: Instant) -> Duration? {
        var bucket = bucket(of: key, now: now)
        let wait = bucket.take(rate, now: now)
        buckets.keep(bucket, for: key)
        return wait
    }

    /// Gives a token back that was taken.
    ///
    /// - Parameters:
    ///   - key: Whose.
    ///   - now: The instant of the call.
    package mutating func giveBack(_ key: Key, now: Instant) {
        guard var bucket = buckets[key] else { return }
        bucket.giveBack(rate, now: now)
        buckets.keep(bucket, for: key)
    }

    /// Whether a key has all its tokens.
    ///
    /// - Parameters:
    ///   - key: Whose.
    ///   - now: The instant of the call.
    /// - Returns: Whether none is taken.
    package func isFull(_ key: Key, now: Instant) -> Bool {
        guard var bucket = buckets[key] else { return true }
        return bucket.isFull(rate, now: now)
    }

    /// How long until a key has a token, without taking it; nothing where it has one.
    ///
    /// - Parameters:
    ///   - key: Whose.
    ///   - now: The instant of the call.
    /// - Returns: The time to wait.
    package func wait(_ key: Key, now: Instant) -> Duration? {
        var bucket = bucket(of: key, now: now)
        return bucket.wait(rate, now: now)
    }

    /// Of how many keys is known.
    package var count: Int { buckets.count }

    private func bucket(of key: Key, now: Instant) -> TokenBucket {
        buckets[key] ?? TokenBucket(rate, now: now)
    }
}
