import NewsflashBasics

/// Parses a POSIX `TZ` string, such as `CET-1CEST,M3.5.0,M10.5.0/3`, with the times of RFC 9636, section 3.3.1.
enum DaylightRuleReader {
    /// Parses up to a line feed; `nil` if the line is empty.
    static func rule(_ cursor: inout TZifCursor, _ bytes: Span<UInt8>) throws(TZifError) -> DaylightRule? {
        if cursor.peek(bytes) == 0x0A { return nil }
        try skipName(&cursor, bytes)
        var rule = DaylightRule(standardOffset: try offset(&cursor, bytes))
        if cursor.peek(bytes) == 0x0A { return rule }
        try skipName(&cursor, bytes)
        var ahead = rule.standardOffset + 3600
        if cursor.peek(bytes) != UInt8(ascii: ",") { ahead = try offset(&cursor, bytes) }
        let start = try change(&cursor, bytes)
        let end = try change(&cursor, bytes)
        rule.season = DaylightRule.Season(offset: ahead, start: start, end: end)
        return rule
    }

    /// Skips an abbreviation: three or more letters, or letters, digits and signs in angle brackets.
    private static func skipName(_ cursor: inout TZifCursor, _ bytes: Span<UInt8>) throws(TZifError) {
        let isQuoted = consume("<", &cursor, bytes)
        var length = 0
        while let byte = cursor.peek(bytes), byte.isLetter || (isQuoted && (byte.isDigit || "+-".utf8.contains(byte))) {
            cursor.advance()
            length += 1
        }
        guard length >= 3 else { throw cursor.fault("an abbreviation has fewer than three letters") }
        if isQuoted, !consume(">", &cursor, bytes) { throw cursor.fault("> is missing after an abbreviation") }
    }

    /// Parses hours from 0 to 24 with minutes and seconds; POSIX counts them west of Greenwich.
    private static func offset(_ cursor: inout TZifCursor, _ bytes: Span<UInt8>) throws(TZifError) -> Int32 {
        Int32(-(try time(hours: 24, &cursor, bytes)))
    }

    private static func change(
        _ cursor: inout TZifCursor,
        _ bytes: Span<UInt8>
    ) throws(TZifError) -> DaylightRule.Change {
        try expect(",", &cursor, bytes)
        let day: DaylightRule.Change.Day
        if consume("M", &cursor, bytes) {
            let month = try number(1...12, &cursor, bytes)
            try expect(".", &cursor, bytes)
            let week = try number(1...5, &cursor, bytes)
            try expect(".", &cursor, bytes)
            day = .ofMonth(month, week: week, weekday: try number(0...6, &cursor, bytes))
        } else if consume("J", &cursor, bytes) {
            day = .withoutLeapDay(try number(1...365, &cursor, bytes))
        } else {
            day = .ofYear(try number(0...365, &cursor, bytes))
        }
        guard consume("/", &cursor, bytes) else { return DaylightRule.Change(day: day, time: 7200) }
        return DaylightRule.Change(day: day, time: try time(hours: 167, &cursor, bytes))
    }

    /// Parses hours with optional minutes and seconds; returns seconds.
    private static func time(
        hours: Int,
        _ cursor: inout TZifCursor,
        _ bytes: Span<UInt8>
    ) throws(TZifError) -> Int {
        let isNegative = consume("-", &cursor, bytes)
        if !isNegative { _ = consume("+", &cursor, bytes) }
        var seconds = try number(0...hours, &cursor, bytes) * 3600
        if consume(":", &cursor, bytes) {
            seconds += try number(0...59, &cursor, bytes) * 60
            if consume(":", &cursor, bytes) { seconds += try number(0...59, &cursor, bytes) }
        }
        return isNegative ? -seconds : seconds
    }

    private static func number(
        _ range: ClosedRange<Int>,
        _ cursor: inout TZifCursor,
        _ bytes: Span<UInt8>
    ) throws(TZifError) -> Int {
        var value = 0
        var digits = 0
        while let byte = cursor.peek(bytes), byte.isDigit, digits < 3 {
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
            digits += 1
            cursor.advance()
        }
        guard digits > 0, range.contains(value) else {
            throw cursor.fault("a number from \(range.lowerBound) to \(range.upperBound) is missing")
        }
        return value
    }

    private static func expect(
        _ wanted: UnicodeScalar,
        _ cursor: inout TZifCursor,
        _ bytes: Span<UInt8>
    ) throws(TZifError) {
        guard consume(wanted, &cursor, bytes) else { throw cursor.fault("\(wanted) is missing") }
    }

    private static func consume(_ wanted: UnicodeScalar, _ cursor: inout TZifCursor, _ bytes: Span<UInt8>) -> Bool {
        guard let byte = cursor.peek(bytes), UnicodeScalar(byte) == wanted else { return false }
        cursor.advance()
        return true
    }
}
