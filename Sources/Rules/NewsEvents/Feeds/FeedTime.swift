import ASCII
import StrictJSON
import Timestamps

/// Times as feeds write them.
enum FeedTime {
    /// The time with a colon in its offset: AP and Superdesk leave it out.
    static func rfc3339(_ text: String) -> String {
        let bytes = text.utf8.suffix(5)
        guard let sign = bytes.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), bytes.count == 5,
            bytes.dropFirst().allSatisfy(\.isDigit), text.utf8.contains(UInt8(ascii: ":"))
        else { return text }
        let digits = String(decoding: text.utf8.suffix(2), as: UTF8.self)
        return String(decoding: text.utf8.dropLast(2), as: UTF8.self) + ":" + digits
    }

    /// Whether a text is the first instant of .NET's calendar, which stands for no time: `0001-01-01T00:00:00`.
    static func isNone(_ text: String) -> Bool {
        guard text.hasPrefix("0001-01-01T00:00:00") else { return false }
        return text.dropFirst(19).allSatisfy { ".0123456789Zz+-:".contains($0) }
    }

    /// The instant that a text names, held at the ends of what can be counted; `nil` if it names none.
    static func instant(_ text: String) -> Timestamp? { EventSchemaReader.instant(of: rfc3339(text)) }

    /// The instant in milliseconds; nothing where it is none, or lies before 1970.
    static func milliseconds(_ value: JSONValue?) -> Int64? {
        guard let instant = value?.string.flatMap(instant), instant.milliseconds > 0 else {
            return nil
        }
        return instant.milliseconds
    }
}
