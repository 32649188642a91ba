import NewsEvents

/// Tells at a glance which records may be express, for a reader that is ahead of all others and has no time to parse.
package enum ExpressLook {
    private static let flash = Array("flash\"".utf8)
    private static let kill = Array("kill\"".utf8)
    private static let hold = Array("hold\"".utf8)
    private static let urgency = Array("urgency\"".utf8)

    /// Whether an event's bytes may make it express (see ``NewsEvents/NewsEvent/lane``).
    ///
    /// One pass for the words as senders write them: `"flash"`, `"kill"`, `"hold"` and `"urgency": 1`. Words of news may
    /// look the same, so a yes is to be verified. A sender that writes them with escapes (`"fl\u0061sh"`) is not seen.
    ///
    /// - Parameter value: A record's value.
    /// - Returns: `false` where it surely is not express, or hides it.
    package static func mayBeExpress(_ value: Span<UInt8>) -> Bool {
        var index = 0
        // No word is shorter than five bytes.
        while index + 5 < value.count {
            let isQuote = value[index] == UInt8(ascii: "\"")
            index += 1
            guard isQuote else { continue }
            switch value[index] {
            case UInt8(ascii: "f") where value.has(flash, at: index): return true
            case UInt8(ascii: "k") where value.has(kill, at: index): return true
            case UInt8(ascii: "h") where value.has(hold, at: index): return true
            case UInt8(ascii: "u") where value.has(urgency, at: index):
                if value.isOne(after: index + urgency.count) { return true }
            default: continue
            }
        }
        return false
    }
}

extension Span<UInt8> {
    fileprivate func has(_ word: [UInt8], at start: Int) -> Bool {
        guard start + word.count <= count else { return false }
        for index in word.indices where self[start + index] != word[index] { return false }
        return true
    }

    /// Whether the number 1 follows as a member's value.
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
