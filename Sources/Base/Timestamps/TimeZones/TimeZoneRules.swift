/// The UTC offsets of a place at all instants.
///
/// Read from a TZif file (RFC 9636), never from the process's own time zone. Does not count leap seconds, like
/// ``Timestamp``.
package struct TimeZoneRules: Sendable, Equatable {
    /// The name in the time zone database, such as `Europe/Prague`.
    package let name: String
    private let table: TransitionTable
    /// The rule after the last transition of the table; `nil` if the last offset stays.
    private let rule: DaylightRule?

    /// Parses a TZif file.
    ///
    /// - Parameters:
    ///   - name: The name for people.
    ///   - bytes: The whole file, of any version from 1 to 4.
    /// - Throws: ``TZifError`` if the file violates RFC 9636 or uses leap seconds.
    package init(name: String, tzif bytes: Span<UInt8>) throws(TZifError) {
        let file = try TZifFile(bytes)
        self.name = name
        self.table = file.table
        self.rule = file.rule
    }

    /// Returns how far the local clock is ahead of UTC.
    ///
    /// - Returns: Seconds, negative west of Greenwich.
    package func offset(at instant: Timestamp) -> Int {
        Int(period(at: instant.seconds).offset)
    }

    /// Returns the local time at an instant.
    ///
    /// - Returns: The day and the time of the day.
    package func localTime(at instant: Timestamp) -> LocalTime {
        let seconds = instant.seconds
        return LocalTime(secondsSinceEpoch: seconds + Int64(period(at: seconds).offset))
    }

    /// Returns the first instant at which the local clock shows a given or later time.
    ///
    /// For a time that occurs twice, this is the first occurrence; for a skipped time, the instant of the change.
    ///
    /// - Parameter local: The local time; the result is clamped to ``Timestamp``'s range.
    /// - Returns: An instant with whole seconds.
    package func firstInstant(showing local: LocalTime) -> Timestamp {
        let wanted = local.secondsSinceEpoch
        // No clock is further from UTC than that, so the local time is earlier there.
        var seconds = wanted - Int64(Self.largestOffset)
        while true {
            let period = period(at: seconds)
            let reached = max(seconds, wanted - Int64(period.offset))
            guard reached >= period.end else { return Timestamp(seconds: reached) }
            seconds = period.end
        }
    }

    /// The bound of UTC offsets: less than 26 hours (RFC 9636, section 3.2).
    static let largestOffset: Int32 = 26 * 3600

    /// Returns the offset in force at an instant in seconds since the epoch, and its end.
    func period(at seconds: Int64) -> OffsetPeriod {
        guard let rule, seconds >= table.last else { return table.period(at: seconds) }
        return rule.period(at: seconds)
    }
}

/// A UTC offset that is in force for some time.
struct OffsetPeriod: Equatable {
    /// Seconds, negative west of Greenwich.
    var offset: Int32
    /// The first instant at which the offset may change, in seconds since the epoch; `Int64.max` if never.
    var end: Int64
}
