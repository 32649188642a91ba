/// What the clock on the wall shows: a day and a time of the day.
package struct LocalTime: Hashable, Sendable {
    /// Days since 1970-01-01, of the local calendar.
    package var day: Int64
    /// Seconds since midnight, from 0 to 86,399.
    package var second: Int

    /// Makes a local time.
    ///
    /// - Parameters:
    ///   - day: Days since 1970-01-01; more than four million are cut to that, which is past all instants.
    ///   - minute: Minutes since midnight; more than a day's lead to the days after it.
    package init(day: Int64, minute: Int) {
        let day = min(max(day, -Self.furthestDay), Self.furthestDay)
        self.init(secondsSinceEpoch: day * 86_400 + Int64(min(max(minute, 0), 10_000)) * 60)
    }

    private static let furthestDay: Int64 = 4_000_000

    /// From the seconds that a clock at UTC would have counted.
    init(secondsSinceEpoch seconds: Int64) {
        let (quotient, remainder) = seconds.quotientAndRemainder(dividingBy: 86_400)
        day = remainder < 0 ? quotient - 1 : quotient
        second = Int(remainder < 0 ? remainder + 86_400 : remainder)
    }

    /// Minutes since midnight, rounded down.
    package var minute: Int { second / 60 }

    /// The seconds that a clock at UTC would have counted.
    var secondsSinceEpoch: Int64 { day * 86_400 + Int64(second) }
}
