/// Keeps lines within what log collectors take whole.
enum LineLimit {
    /// The longest line with its end, in bytes; Docker and containerd cut at 16 KiB.
    static let bytes = 16_384
    /// Set on entries that lost something.
    static let key = "log.truncated"

    /// Time, level, the fixed names, quotes and the mark of a shortened entry.
    fileprivate static let frame = 256
    fileprivate static let label = 512
    fileprivate static let text = 4096
    /// Quotes, colon or equals sign, comma or blank, and a name's prefix.
    fileprivate static let member = 32
}

extension LogEntry {
    /// The line of the entry, or of the shortened one where that is longer than the limit.
    func line(_ write: (LogEntry) -> [UInt8]) -> [UInt8] {
        // Escaping never makes a text shorter: what is too long already need not be written to see it.
        guard unescapedBytes <= LineLimit.bytes else { return write(shortened()) }
        let whole = write(self)
        return whole.count <= LineLimit.bytes ? whole : write(shortened())
    }

    private var unescapedBytes: Int {
        var sum = message.utf8.count
        for member in metadata.members {
            sum += member.key.utf8.count
            if case .string(let text) = member.value { sum += text.utf8.count }
        }
        return sum
    }

    /// The same entry with long texts cut and, where even that is too long, keys left out.
    ///
    /// Escaping can make a byte six, so costs are counted as escaped; both text forms stay below the limit.
    func shortened() -> LogEntry {
        var result = self
        result.label = label.cut(toCost: LineLimit.label)
        result.message = message.cut(toCost: LineLimit.text)
        result.metadata = [LineLimit.key: true]
        var room = LineLimit.bytes - LineLimit.frame - result.label.escapedCost - result.message.escapedCost
        for member in metadata.members {
            let (key, value) = (member.key, member.value)
            let roomForValue = room - LineLimit.member - key.escapedCost
            guard roomForValue > LineLimit.member else { continue }
            var kept = value
            if case .string(let text) = value {
                kept = .string(text.cut(toCost: min(LineLimit.text, roomForValue)))
            }
            result.metadata[key] = kept
            room = roomForValue - kept.description.escapedCost
        }
        return result
    }
}

extension String {
    /// An upper bound of the bytes that the text takes in a line.
    fileprivate var escapedCost: Int {
        unicodeScalars.reduce(0) { $0 + $1.escapedCost }
    }

    /// The text as far as its escaped form has room, with an ellipsis where something is missing.
    fileprivate func cut(toCost limit: Int) -> String {
        var cost = 0
        var end = unicodeScalars.startIndex
        var endWithEllipsis = end
        while end < unicodeScalars.endIndex {
            cost += unicodeScalars[end].escapedCost
            guard cost <= limit else { return self[..<endWithEllipsis] + "…" }
            end = unicodeScalars.index(after: end)
            if cost + 3 <= limit { endWithEllipsis = end }
        }
        return self
    }
}

extension Unicode.Scalar {
    fileprivate var escapedCost: Int {
        if mustBeEscaped { return 6 }
        return self == "\"" || self == "\\" ? 2 : UTF8.width(self)
    }
}
