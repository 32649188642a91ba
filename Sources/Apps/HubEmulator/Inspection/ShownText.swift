/// Text from a client in a form that is safe to show in one line: truncated, without keys and signatures, and without
/// characters that control a terminal or reorder the surrounding text.
enum ShownText {
    /// The prefixes of secrets, in lower case, also with escapes.
    private static let marks = [
        "sig=", "sig%3d", "sig%253d", "sharedaccesskey=", "sharedaccesskey%3d", "sharedaccesskey%253d", "primarykey=",
        "secondarykey=",
    ].map { Array($0.utf8) }

    /// Makes a text safe to show. Takes time proportional to the limit, not to the length of the text.
    ///
    /// - Parameters:
    ///   - text: The text from the client.
    ///   - limit: The maximum number of bytes to use; a longer text ends with an ellipsis.
    /// - Returns: The safe text; at most eight times as many bytes as the limit, if all are escaped.
    static func of(_ text: String, limit: Int) -> String {
        let isLong = text.utf8.count > limit
        // The fast path: nearly all texts are safe, and each request has several.
        if !isLong, isFit(text) { return text }
        // A character that the limit splits is dropped.
        let bytes = isLong ? Array(Substring(text.utf8.prefix(limit)).utf8) : Array(text.utf8)
        let shown = escaped(String(decoding: withoutSecrets(bytes), as: UTF8.self))
        return isLong ? shown + "…" : shown
    }

    /// Whether a text looks like an Azure key: base 64 of 30 bytes or more, ending with `=`.
    static func looksLikeKey(_ text: String) -> Bool {
        var run = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                run += 1
            case UInt8(ascii: "=") where run >= 40: return true
            default: run = 0
            }
        }
        return false
    }

    /// Whether a text is printable ASCII and contains no end of a secret's prefix.
    private static func isFit(_ text: String) -> Bool {
        var before: UInt8 = 0
        return text.utf8.allSatisfy { byte in
            let endsMark = byte == UInt8(ascii: "=") || byte == UInt8(ascii: "%")
            let isFit =
                (0x20...0x7E).contains(byte)
                && !(endsMark && (before == UInt8(ascii: "g") || before == UInt8(ascii: "y")))
            before = byte | 0x20
            return isFit
        }
    }

    private static func withoutSecrets(_ bytes: [UInt8]) -> [UInt8] {
        let folded = bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        var shown: [UInt8] = []
        shown.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            guard let mark = marks.first(where: { folded[index...].starts(with: $0) }) else {
                shown.append(bytes[index])
                index += 1
                continue
            }
            shown += bytes[index..<(index + mark.count)]
            shown += "…".utf8
            index += mark.count
            while index < bytes.count, !endsSecret(folded, at: index) { index += 1 }
        }
        return shown
    }

    /// Whether a secret ends here: at the next field of a query or connection string, or at the next word.
    private static func endsSecret(_ folded: [UInt8], at index: Int) -> Bool {
        switch folded[index] {
        case UInt8(ascii: "&"), UInt8(ascii: ";"), 0...0x20: true
        case UInt8(ascii: "%"): folded[index...].starts(with: "%26".utf8) || folded[index...].starts(with: "%3b".utf8)
        default: false
        }
    }

    private static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: \.isUnfitToShow) else { return text }
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar.isUnfitToShow {
                shown.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
            } else {
                shown.append(scalar)
            }
        }
        return String(shown)
    }
}

extension Unicode.Scalar {
    /// Controls, invisible characters that reorder or join the surrounding text, and line separators.
    fileprivate var isUnfitToShow: Bool {
        guard value >= 0x7F || value < 0x20 else { return false }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
        default: false
        }
    }
}
