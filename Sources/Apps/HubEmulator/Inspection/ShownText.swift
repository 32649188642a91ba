/// What a client sent, in a form that can be shown to people and put into a line: cut, without keys and signatures, and
/// without what steers a terminal or turns the text beside it.
enum ShownText {
    /// What stands before a secret, in lower case, and as it looks with escapes.
    private static let marks = [
        "sig=", "sig%3d", "sig%253d", "sharedaccesskey=", "sharedaccesskey%3d", "sharedaccesskey%253d", "primarykey=",
        "secondarykey=",
    ].map { Array($0.utf8) }

    /// Makes a text fit to be shown; takes time that grows with the limit only.
    ///
    /// - Parameters:
    ///   - text: Anything.
    ///   - limit: The most bytes of it that are looked at; a longer one ends in an ellipsis.
    /// - Returns: At most eight times as many bytes, which is where all of them are escaped.
    static func of(_ text: String, limit: Int) -> String {
        let isLong = text.utf8.count > limit
        // As nearly all are, and there is one for each request.
        if !isLong, isFit(text) { return text }
        // A character that is cut in two is left out.
        let bytes = isLong ? Array(Substring(text.utf8.prefix(limit)).utf8) : Array(text.utf8)
        let shown = escaped(String(decoding: withoutSecrets(bytes), as: UTF8.self))
        return isLong ? shown + "…" : shown
    }

    /// Whether a text looks like a key as Azure makes them: base 64 of 30 bytes or more, with its sign at the end.
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

    /// Whether a text is printing ASCII, without an end of a mark.
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

    /// The next field of a query or a connection string, or the next word.
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
    /// Controls, what is not seen but turns or joins the text beside it, and what ends a line.
    fileprivate var isUnfitToShow: Bool {
        guard value >= 0x7F || value < 0x20 else { return false }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
        default: false
        }
    }
}
