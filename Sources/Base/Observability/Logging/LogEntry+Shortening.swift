/// The limits that keep lines within the maximum of log collectors.
enum LineLimit {
    /// The maximum length of a line including its line feed, in bytes; Docker and containerd split at 16 KiB.
    static let bytes = 16_384
    /// The key that marks shortened entries.
    static let key = "log.truncated"

    /// The size of time, level, the fixed names, quotes and the mark of a shortened entry.
    fileprivate static let frame = 256
    fileprivate static let label = 512
    fileprivate static let text = 4096
    /// The size of quotes, colon or equals sign, comma or blank, and a name's prefix.
    fileprivate static let member = 32
}

extension LogEntry {
    /// Returns the line of the entry, or of the shortened entry if the line exceeds the limit.
    func line(_ write: (LogEntry) -> [UInt8]) -> [UInt8] {
        // Escaping never shortens a text, so an entry that is too long unescaped need not be formatted first.
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

    /// Returns the entry with long texts truncated and, if that is not enough, without some of the keys.
    ///
    /// An escaped byte can need six bytes, so the cost of escaped text is counted. Both output formats stay below the
    /// limit.
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
    /// An upper bound of the bytes that the text needs in a line.
    fileprivate var escapedCost: Int {
        unicodeScalars.reduce(0) { $0 + $1.escapedCost }
    }

    /// Returns the text up to a cost when escaped, with an ellipsis if it is truncated.
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
