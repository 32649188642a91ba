import NewsflashBasics
import NewsflashEvents

/// A quick test for records that may be express, for the priority scan, which has no time to parse all of them.
package enum ExpressPrefilter {
    /// Whether an event's bytes may make it express (see ``NewsflashEvents/NewsEvent/lane``).
    ///
    /// One pass searches for `"flash"`, `"kill"`, `"hold"` and `"urgency": 1`. The text of news may contain the same, so a
    /// positive result must be verified. Words with escapes (`"fl\u0061sh"`) are not found.
    package static func mayBeExpress(_ value: Span<UInt8>) -> Bool {
        var index = 0
        while value.count - index >= 8 {
            var quotes = value.word(at: index).marks(of: UInt8(ascii: "\""))
            while quotes != 0 {
                if value.isExpressWord(at: index + quotes.trailingZeroBitCount / 8 + 1) { return true }
                quotes &= quotes &- 1
            }
            index += 8
        }
        while index < value.count {
            if value[index] == UInt8(ascii: "\""), value.isExpressWord(at: index + 1) { return true }
            index += 1
        }
        return false
    }
}

extension Span<UInt8> {
    /// Whether one of the words begins here, after a quote.
    @inline(__always)
    fileprivate func isExpressWord(at start: Int) -> Bool {
        guard start < count else { return false }
        switch self[start] {
        case UInt8(ascii: "f"): return hasWord("flash\"", at: start)
        case UInt8(ascii: "k"): return hasWord("kill\"", at: start)
        case UInt8(ascii: "h"): return hasWord("hold\"", at: start)
        case UInt8(ascii: "u"): return hasWord("urgency\"", at: start) && isOne(after: start + 8)
        default: return false
        }
    }

    /// Whether the value of the member is the number 1.
    fileprivate func isOne(after start: Int) -> Bool {
        var index = afterSpace(from: start)
        guard index < count, self[index] == UInt8(ascii: ":") else { return false }
        index = afterSpace(from: index + 1)
        guard index < count, self[index] == UInt8(ascii: "1") else { return false }
        return index + 1 == count || !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self[index + 1])
    }

    private func afterSpace(from start: Int) -> Int {
        var index = start
        while index < count, self[index] <= 0x20 { index += 1 }
        return index
    }
}
