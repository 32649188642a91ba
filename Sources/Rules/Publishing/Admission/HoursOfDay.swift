package import NewsflashTimestamps

/// A daily period on a local clock, such as 22:00 to 07:00.
package struct HoursOfDay: Sendable, Equatable {
    /// The begin in minutes since midnight.
    package let begin: Int
    /// The end in minutes since midnight; on the next day if it is not after ``begin``.
    package let end: Int

    /// Creates hours from two different minutes, both from 0 to 1439. Equal ones are refused, because they could mean a whole
    /// day or nothing.
    package init?(begin: Int, end: Int) {
        guard (0..<1440).contains(begin), (0..<1440).contains(end), begin != end else { return nil }
        self.begin = begin
        self.end = end
    }

    /// Parses a period such as `22:00-07:00`.
    package init?(_ text: String) {
        let times = text.split(separator: "-", omittingEmptySubsequences: false).map(Self.minute)
        guard times.count == 2, let begin = times[0], let end = times[1] else { return nil }
        self.init(begin: begin, end: end)
    }

    private static func minute(_ text: Substring) -> Int? {
        let digits = text.utf8.map { Int($0) - Int(UInt8(ascii: "0")) }
        guard digits.count == 5, text.utf8.dropFirst(2).first == UInt8(ascii: ":"),
            [0, 1, 3, 4].allSatisfy({ (0...9).contains(digits[$0]) })
        else { return nil }
        let hour = digits[0] * 10 + digits[1]
        let minute = digits[3] * 10 + digits[4]
        return hour < 24 && minute < 60 ? hour * 60 + minute : nil
    }

    /// The end of the period that contains `instant`; `nil` if it is outside.
    ///
    /// A period begins with the first instant at which the clock shows its begin or a later time, and ends with the first at
    /// which it shows its end or a later time. Times that the clock shows twice in autumn do not begin or end it again.
    package func end(at instant: Timestamp, in zone: TimeZoneRules) -> Timestamp? {
        let today = zone.localTime(at: instant).day
        var latest: Timestamp?
        // A clock that is set back over midnight shows yesterday again.
        for day in (today - 2)...(today + 1) {
            let first = zone.firstInstant(showing: LocalTime(day: day, minute: begin))
            guard first <= instant else { break }
            let lastDay = end > begin ? day : day + 1
            let over = zone.firstInstant(showing: LocalTime(day: lastDay, minute: end))
            if over > instant { latest = max(latest ?? over, over) }
        }
        return latest
    }
}
