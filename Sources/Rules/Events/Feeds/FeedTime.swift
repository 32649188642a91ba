import NewsflashBasics
import NewsflashStrictJSON
import NewsflashTimestamps

/// Times as feeds write them.
///
/// In addition to RFC 3339 these forms are read: an offset without a colon or without minutes (AP, Superdesk), a blank
/// instead of `T` or before the offset, a time without seconds, a comma before the fraction, a fraction of more than nine
/// digits, the basic form of ISO 8601 (`20260302T094000+0100`, as in NewsML), and the name of a time zone after the offset,
/// `[Europe/Paris]` (RFC 9557). A time without an offset needs the time zone of the feed.
enum FeedTime {
    private static let longestText = 80

    /// Converts a time to RFC 3339.
    ///
    /// - Parameters:
    ///   - text: The time as the feed writes it.
    ///   - zone: The time zone of times without an offset.
    ///   - isLatest: Whether the later of two instants counts if the clocks of the zone show the time twice.
    /// - Returns: The time as RFC 3339, or `text` itself if it is unreadable.
    static func rfc3339(_ text: String, in zone: TimeZoneRules? = nil, isLatest: Bool = false) -> String {
        guard text.utf8.count <= longestText, let parts = FeedTimeParts(text) else { return text }
        guard parts.offset == nil else { return parts.rfc3339 }
        guard let zone, let instant = parts.instant(in: zone, isLatest: isLatest) else { return text }
        return instant.rfc3339
    }

    /// Whether a text means no time in some systems: the first instant of .NET's calendar, `0001-01-01T00:00:00`, or MySQL's
    /// `0000-00-00`.
    static func isNone(_ text: String) -> Bool {
        guard text.hasPrefix("0000-00-00") || text.hasPrefix("0001-01-01"), text.utf8.count <= longestText else {
            return false
        }
        let time = text.dropFirst(10)
        guard time.isEmpty || time.dropFirst().hasPrefix("00:00:00") else { return false }
        return local("2001-01-01\(time)") != nil
    }

    /// Whether a value means no embargo: ``isNone(_:)``, a number up to zero, or a time before 1970-01-02, which includes
    /// Unix time zero in any time zone.
    static func isNoEmbargo(_ value: JSONValue) -> Bool {
        if let number = value.double ?? value.string.flatMap({ JSONNumber($0)?.double }) { return number <= 0 }
        guard let text = value.string, text.utf8.count <= longestText else { return false }
        return isNone(text) || local(text).map { $0 < firstDayAfterZero } ?? false
    }

    /// Whether a value in a feed's item means no embargo or no expiry: ``isNone(_:)``, `false`, a number up to zero, or an
    /// empty value.
    static func isNoLimit(_ value: JSONValue) -> Bool {
        switch value {
        case .bool(false), .array([]), .object([]), .string(""): true
        case .number(let number): number.double <= 0
        case .string(let text): isNone(text)
        default: false
        }
    }

    /// Whether a text is a time that only lacks its offset.
    static func lacksOffset(_ text: String) -> Bool {
        text.utf8.count <= longestText && FeedTimeParts(text)?.offset == nil && instant(text + "Z") != nil
    }

    /// The end of the day of a date without a time, as RFC 3339.
    ///
    /// - Parameters:
    ///   - text: A date such as `2026-03-02`.
    ///   - zone: The time zone of the feed. If it is `nil`, all time zones of the world count.
    ///   - isLatest: Without a time zone: whether the latest end of the day counts, otherwise the earliest.
    /// - Returns: `nil` if the text is not a date.
    static func endOfDay(_ text: String, in zone: TimeZoneRules?, isLatest: Bool) -> String? {
        guard text.utf8.count == 10, text.utf8.contains(UInt8(ascii: "-")) else { return nil }
        let begin = "\(text)T00:00:00"
        let offset = zone == nil ? (isLatest ? "-12:00" : "+14:00") : ""
        return instant(begin + offset, in: zone).map { ($0 + .seconds(86_400)).rfc3339 }
    }

    /// 1970-01-02.
    static let firstDayAfterZero = Timestamp(seconds: 86_400)

    /// The instant of a text that may lack its offset or its time.
    private static func local(_ text: String) -> Timestamp? {
        instant(text) ?? instant(text + "Z") ?? instant(text + "T00:00:00Z")
    }

    /// The instant of a text, clamped to the range of ``Timestamp``; `nil` if the text is unreadable.
    static func instant(_ text: String, in zone: TimeZoneRules? = nil) -> Timestamp? {
        EventSchemaReader.instant(of: rfc3339(text, in: zone))
    }

    /// The instant in milliseconds; `nil` if it is unreadable, or before 1970.
    static func milliseconds(_ value: JSONValue?) -> Int64? {
        guard let instant = value?.string.flatMap({ instant($0) }), instant.milliseconds > 0 else {
            return nil
        }
        return instant.milliseconds
    }

    /// The time of a version as RFC 3339, from a text or from a number of seconds or milliseconds since 1970, as in some
    /// systems.
    ///
    /// - Returns: `nil` if it is unreadable, or before 1970.
    static func published(_ value: JSONValue, in zone: TimeZoneRules?) -> String? {
        let digits = value.string.flatMap { [10, 13].contains($0.utf8.count) ? Int64(digits: $0) : nil }
        if let number = value.int64 ?? digits {
            guard number > 0 else { return nil }
            // In seconds this is the year 5138.
            return Timestamp(milliseconds: number < 100_000_000_000 ? number * 1000 : number).rfc3339
        }
        guard let text = value.string.map({ rfc3339($0, in: zone) }), milliseconds(.string(text)) != nil else {
            return nil
        }
        return text
    }
}

/// The parts of a time as written.
private struct FeedTimeParts {
    var date: (year: Substring, month: Substring, day: Substring)
    var time: (hour: Substring, minute: Substring, second: Substring)
    var fraction: Substring
    /// `Z` or `±hh:mm`; `nil` if the time has no offset.
    var offset: String?

    init?(_ text: String) {
        var rest = text[...]
        func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) && character.isASCII }
        func digits(_ count: Int) -> Substring? {
            let found = rest.prefix(count)
            guard found.count == count, found.allSatisfy(isDigit) else { return nil }
            rest = rest.dropFirst(count)
            return found
        }
        func drop(_ characters: Character...) -> Bool {
            guard let first = rest.first, characters.contains(first) else { return false }
            rest = rest.dropFirst()
            return true
        }
        guard let year = digits(4) else { return nil }
        let isExtended = drop("-")
        guard let month = digits(2), !isExtended || drop("-"), let day = digits(2), drop("T", "t", " "),
            let hour = digits(2)
        else { return nil }
        let hasColons = drop(":")
        guard let minute = digits(2) else { return nil }
        var second: Substring = "00"
        if hasColons ? drop(":") : rest.first.map(isDigit) == true {
            guard let found = digits(2) else { return nil }
            second = found
        }
        var fraction: Substring = ""
        if drop(".", ",") {
            let found = rest.prefix(while: isDigit)
            guard !found.isEmpty else { return nil }
            rest = rest.dropFirst(found.count)
            fraction = found.prefix(9)
        }
        date = (year, month, day)
        time = (hour, minute, second)
        self.fraction = fraction
        if rest.isEmpty { return }
        _ = drop(" ")
        if drop("Z", "z") {
            offset = "Z"
        } else {
            guard let sign = rest.first, drop("+", "-"), let hours = digits(2) else { return nil }
            _ = drop(":")
            guard let minutes = rest.isEmpty ? "00" : digits(2) else { return nil }
            offset = "\(sign)\(hours):\(minutes)"
        }
        guard rest.isEmpty || rest.hasPrefix("[") && rest.hasSuffix("]") && !rest.contains("!") else { return nil }
    }

    var rfc3339: String {
        let ending = fraction.isEmpty ? "" : ".\(fraction)"
        return
            "\(date.year)-\(date.month)-\(date.day)T\(time.hour):\(time.minute):\(time.second)\(ending)\(offset ?? "Z")"
    }

    /// The instant at which the clocks of a zone show this time; `nil` if the date does not exist.
    func instant(in zone: TimeZoneRules, isLatest: Bool) -> Timestamp? {
        guard let local = Timestamp(rfc3339: rfc3339) else { return nil }
        // The offset is that of the day before or the day after; the earlier instant has the larger offset.
        let day = Duration.seconds(86_400)
        let found = [local - day, local + day].map { local - .seconds(zone.offset(at: $0)) }
            .filter { $0 + .seconds(zone.offset(at: $0)) == local }
        guard let first = found.min() else { return local - .seconds(zone.offset(at: local - day)) }
        return isLatest ? found.max() : first
    }
}
