extension Timestamp {
    private static let monthNames = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(separator: " ")
    private static let dayNames = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

    /// Parses the preferred date form of HTTP (RFC 9110, section 5.6.7), such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// A wrong weekday is accepted, because the date is sufficient.
    ///
    /// - Parameter text: The date; the two obsolete forms are refused.
    public init?(httpDate text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0].last == ",", Self.dayNames.contains(String(parts[0].dropLast())),
            let day = Self.number(parts[1], digits: 2), let month = Self.monthNames.firstIndex(of: parts[2]),
            let year = Self.number(parts[3], digits: 4), parts[5] == "GMT"
        else { return nil }
        let clock = parts[4].split(separator: ":", omittingEmptySubsequences: false).map { Self.number($0, digits: 2) }
        guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
            hour < 24, minute < 60, second <= 60
        else { return nil }
        let date = CivilDate(year: year, month: month + 1, day: day)
        guard date.isReal, (1678...2261).contains(year) else { return nil }
        self.init(seconds: date.daysSinceEpoch * 86_400 + Int64(hour * 3600 + minute * 60 + second))
    }

    /// Parses a number of exactly that many digits; `Int` alone would accept a sign too.
    private static func number(_ text: Substring, digits: Int) -> Int? {
        let isPlain =
            text.utf8.count == digits && text.utf8.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        return isPlain ? Int(text) : nil
    }

    /// The instant in the format of HTTP headers, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    public var httpDate: String {
        let days = seconds.flooredDivision(by: 86_400)
        let ofDay = seconds - days * 86_400
        let date = CivilDate(daysSinceEpoch: days)
        let weekday = Self.dayNames[Int(((days % 7) + 7) % 7)]
        func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let clock = "\(two(ofDay / 3600)):\(two(ofDay / 60 % 60)):\(two(ofDay % 60))"
        return "\(weekday), \(two(Int64(date.day))) \(Self.monthNames[date.month - 1]) \(date.year) \(clock) GMT"
    }
}
