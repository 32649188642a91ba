import Timestamps

/// Counts what happened in the latest second.
struct RateMeter: Sendable {
    /// Nanoseconds.
    private static let slot = 1e8
    /// The slots of a second, and the present one.
    private static let slots = 11

    private var counts = [Int](repeating: 0, count: RateMeter.slots)
    private var origin: Instant?
    /// The slot that was written last, counted from the origin.
    private var latest: Int64 = 0

    /// Counts one.
    mutating func count(at now: Instant) {
        if origin == nil { origin = now }
        _ = advance(to: now)
        counts[Int(latest % Int64(Self.slots))] += 1
    }

    /// How many a second there were; of less than a second as many as there were.
    mutating func perSecond(at now: Instant) -> Double {
        let part = advance(to: now)
        return Double(counts.reduce(0, +)) / (1 + part / 10)
    }

    /// Begins the slots that have come since.
    ///
    /// - Returns: How much of the present one is over, from 0 to 1.
    private mutating func advance(to now: Instant) -> Double {
        guard let origin else { return 0 }
        let age = max(0, Double(now.nanoseconds &- origin.nanoseconds) / Self.slot)
        let present = max(latest, Int64(age))
        // What is older than all slots was counted in none of these.
        var next = max(latest + 1, present - Int64(Self.slots) + 1)
        while next <= present {
            counts[Int(next % Int64(Self.slots))] = 0
            next += 1
        }
        latest = present
        return present < Int64(Self.slots) - 1 ? 0 : min(1, age - Double(present))
    }
}
