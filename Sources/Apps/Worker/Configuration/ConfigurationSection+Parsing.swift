import NewsflashYAML

extension YAMLNode {
    /// The text of a scalar; `nil` for a list or a mapping.
    var scalarText: String? {
        guard case .scalar(let text, _) = kind else { return nil }
        return text
    }

    /// Whether the value is empty: `key:`, `key: null` or `key: ~`. Quoted, these are texts.
    var isNull: Bool {
        guard case .scalar(let text, isPlain: true) = kind else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }
}

extension String {
    var splitAtCommas: [String] {
        split(separator: ",").map { $0.trimmingSpaces }.filter { !$0.isEmpty }
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}

extension Duration {
    /// Reads `250ms`, `30s`, `5m`, `2h` or `7d`.
    package init?(configured text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int64(digits), count <= 10_000_000 else { return nil }
        switch text.dropFirst(digits.count) {
        case "ms": self = .milliseconds(count)
        case "s": self = .seconds(count)
        case "m": self = .seconds(count * 60)
        case "h": self = .seconds(count * 3600)
        case "d": self = .seconds(count * 86_400)
        default: return nil
        }
    }
}

extension Int {
    /// Reads `65536`, `64KiB` or `64 MiB`.
    init?(configuredBytes text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int(digits), count <= 1 << 40 else { return nil }
        switch text.dropFirst(digits.count).drop(while: { $0 == " " }) {
        case "": self = count
        case "KiB": self = count << 10
        case "MiB": self = count << 20
        case "GiB" where count <= 1 << 20: self = count << 30
        default: return nil
        }
    }
}
