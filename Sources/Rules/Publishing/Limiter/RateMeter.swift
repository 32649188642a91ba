import NewsflashTimestamps

/// Counts events in the last second.
struct RateMeter: Sendable {
    /// The length of a slot in nanoseconds.
    private static let slot = 1e8
    /// The slots of a second, and the current one.
    private static let slots = 11

    private var counts = [Int](repeating: 0, count: RateMeter.slots)
    private var origin: Instant?
    /// The latest slot, counted from the origin.
    private var latest: Int64 = 0

    /// Counts one event.
    mutating func count(at now: Instant) {
        if origin == nil { origin = now }
        _ = advance(to: now)
        counts[Int(latest % Int64(Self.slots))] += 1
    }

    /// The number of events in the last second. In the first second it is the number so far.
    mutating func perSecond(at now: Instant) -> Double {
        let part = advance(to: now)
        return Double(counts.reduce(0, +)) / (1 + part / 10)
    }

    /// Clears the slots between the latest and the current one.
    ///
    /// - Returns: The elapsed part of the current slot, from 0 to 1.
    private mutating func advance(to now: Instant) -> Double {
        guard let origin else { return 0 }
        let age = max(0, Double(now.nanoseconds &- origin.nanoseconds) / Self.slot)
        let present = max(latest, Int64(age))
        // At most all slots are cleared.
        var next = max(latest + 1, present - Int64(Self.slots) + 1)
        while next <= present {
            counts[Int(next % Int64(Self.slots))] = 0
            next += 1
        }
        latest = present
        return present < Int64(Self.slots) - 1 ? 0 : min(1, age - Double(present))
    }
}
