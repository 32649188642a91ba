package import Timestamps

/// A bucket of tokens for each of many keys, in bounded memory.
///
/// Two generations: when the young one is full, it becomes the old one, and the old one is forgotten. So who has been
/// quiet for longest goes first, and no step takes longer than another but for that one.
package struct RateTable<Key: Hashable & Sendable>: Sendable {
    /// What each key is allowed.
    package let rate: RequestRate
    private let capacity: Int
    private var young: [Key: TokenBucket] = [:]
    private var old: [Key: TokenBucket] = [:]

    /// Makes an empty table.
    ///
    /// - Parameters:
    ///   - rate: What each key is allowed.
    ///   - capacity: Of how many keys is known at most.
    package init(rate: RequestRate, capacity: Int = 100_000) {
        self.rate = rate
        self.capacity = max(2, capacity)
    }

    /// Takes a token of a key.
    ///
    /// - Parameters:
    ///   - key: Whose.
    ///   - now: The present.
    /// - Returns: Nothing where there was one, else how long until there is.
    package mutating func take(_ key: Key, now: Instant) -> Duration? {
        var bucket = bucket(of: key, now: now)
        let wait = bucket.take(rate, now: now)
        keep(bucket, of: key)
        return wait
    }

    /// How long until a key has a token, without taking it; nothing where it has one.
    ///
    /// - Parameters:
    ///   - key: Whose.
    ///   - now: The present.
    /// - Returns: The time to wait.
    package func wait(_ key: Key, now: Instant) -> Duration? {
        var bucket = bucket(of: key, now: now)
        return bucket.wait(rate, now: now)
    }

    /// Of how many keys is known.
    package var count: Int { young.count + old.count }

    private func bucket(of key: Key, now: Instant) -> TokenBucket {
        young[key] ?? old[key] ?? TokenBucket(rate, now: now)
    }

    private mutating func keep(_ bucket: TokenBucket, of key: Key) {
        old[key] = nil
        young[key] = bucket
        guard young.count >= capacity / 2 else { return }
        old = young
        young = [:]
    }
}
