/// A local date and time of day.
package struct LocalTime: Hashable, Sendable {
    /// Days since 1970-01-01 in the local calendar.
    package var day: Int64
    /// Seconds since midnight, from 0 to 86,399.
    package var second: Int

    /// Creates a local time.
    ///
    /// - Parameters:
    ///   - day: Days since 1970-01-01; clamped to ±4 million, which is beyond the range of ``Timestamp``.
    ///   - minute: Minutes since midnight; values beyond a day belong to the following days.
    package init(day: Int64, minute: Int) {
        let day = min(max(day, -Self.furthestDay), Self.furthestDay)
        self.init(secondsSinceEpoch: day * 86_400 + Int64(min(max(minute, 0), 10_000)) * 60)
    }

    private static let furthestDay: Int64 = 4_000_000

    /// Creates a local time from the seconds that a UTC clock showing it would have counted.
    init(secondsSinceEpoch seconds: Int64) {
        let (quotient, remainder) = seconds.quotientAndRemainder(dividingBy: 86_400)
        day = remainder < 0 ? quotient - 1 : quotient
        second = Int(remainder < 0 ? remainder + 86_400 : remainder)
    }

    /// Minutes since midnight, rounded down.
    package var minute: Int { second / 60 }

    /// The seconds that a UTC clock showing this time would have counted.
    var secondsSinceEpoch: Int64 { day * 86_400 + Int64(second) }
}
