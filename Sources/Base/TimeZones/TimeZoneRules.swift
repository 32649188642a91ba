package import Timestamps

/// How far the clocks of a place are from UTC, at each instant.
///
/// Read from a TZif file (RFC 9636), never from the process's own time zone. Leap seconds are not counted, as in
/// ``Timestamp``.
package struct TimeZoneRules: Sendable, Equatable {
    /// The name in the time zone database, such as `Europe/Prague`.
    package let name: String
    private let table: TransitionTable
    /// What holds from the last transition of the table on; `nil` where its last offset stays.
    private let rule: DaylightRule?

    /// Reads a TZif file.
    ///
    /// - Parameters:
    ///   - name: For people.
    ///   - bytes: The whole file, of any version from 1 to 4.
    /// - Throws: ``TZifError`` where anything in it is not as RFC 9636 has it, or where it counts leap seconds.
    package init(name: String, tzif bytes: Span<UInt8>) throws(TZifError) {
        let file = try TZifFile(bytes)
        self.name = name
        self.table = file.table
        self.rule = file.rule
    }

    /// How far the local clock is ahead of UTC.
    ///
    /// - Parameter instant: Any.
    /// - Returns: Seconds, negative west of Greenwich.
    package func offset(at instant: Timestamp) -> Int {
        Int(period(at: instant.seconds).offset)
    }

    /// What the local clock shows.
    ///
    /// - Parameter instant: Any.
    /// - Returns: The day and the time of the day.
    package func localTime(at instant: Timestamp) -> LocalTime {
        let seconds = instant.seconds
        return LocalTime(secondsSinceEpoch: seconds + Int64(period(at: seconds).offset))
    }

    /// The first instant at which the local clock shows a time or a later one.
    ///
    /// Of a time that the clock shows twice it is the first; of one that it leaps over, the instant of the leap.
    ///
    /// - Parameter local: Held at the ends of ``Timestamp``'s range.
    /// - Returns: A whole second.
    package func firstInstant(showing local: LocalTime) -> Timestamp {
        let wanted = local.secondsSinceEpoch
        // No clock is further from UTC than that, so it shows less there.
        var seconds = wanted - Int64(Self.largestOffset)
        while true {
            let period = period(at: seconds)
            let reached = max(seconds, wanted - Int64(period.offset))
            guard reached >= period.end else { return Timestamp(seconds: reached) }
            seconds = period.end
        }
    }

    /// Clocks lie less than 26 hours from UTC (RFC 9636, section 3.2).
    static let largestOffset: Int32 = 26 * 3600

    /// The offset in force at an instant, and until when; the instant is in seconds since the epoch.
    func period(at seconds: Int64) -> OffsetPeriod {
        guard let rule, seconds >= table.last else { return table.period(at: seconds) }
        return rule.period(at: seconds)
    }
}

/// An offset from UTC that is in force for a while.
struct OffsetPeriod: Equatable {
    /// Seconds, negative west of Greenwich.
    var offset: Int32
    /// The first instant at which it may be another, in seconds since the epoch; the largest number for never.
    var end: Int64
}
