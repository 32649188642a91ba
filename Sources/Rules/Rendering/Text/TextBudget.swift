import NewsflashStrictJSON

/// The maximum length of a text in characters and in bytes.
package struct TextBudget: Sendable, Equatable {
    /// The maximum number of characters as people count them (extended grapheme clusters).
    package var characters: Int
    /// The maximum number of bytes in ``encoding``: UTF-8 with its escapes.
    package var bytes: Int
    /// The mark of a cut; counts towards both limits.
    package var ellipsis: String
    /// The encoding of the text in its destination.
    package var encoding: TextEncoding

    package init(characters: Int, bytes: Int, ellipsis: String = "…", encoding: TextEncoding = .json) {
        self.characters = characters
        self.bytes = bytes
        self.ellipsis = ellipsis
        self.encoding = encoding
    }

    /// Whether a text fits without a cut.
    package func admits(_ text: String) -> Bool {
        let count = text.utf8.count
        // A text has at most as many characters as scalars, and at most as many scalars as bytes; each byte is encoded in at
        // most six.
        guard count * 6 <= bytes || encoding.bytes(of: text) <= bytes else { return false }
        return count <= characters || text.scalarCount <= characters || hasAtMost(characters, in: text)
    }

    /// Counts no further than necessary, because finding the ends of characters is the most expensive part of rendering.
    private func hasAtMost(_ limit: Int, in text: String) -> Bool {
        // In such a text each scalar is a character, and it has more scalars than `limit`.
        if text.isOfPlainScalars { return false }
        guard let end = text.index(text.startIndex, offsetBy: limit, limitedBy: text.endIndex) else { return true }
        return end == text.endIndex
    }

    /// The number of bytes of a text inside a JSON string.
    ///
    /// - Parameter text: Any text.
    /// - Returns: The number of bytes that `JSONWriter` writes between the quotation marks.
    package static func encodedBytes(of text: some StringProtocol) -> Int { TextEncoding.json.bytes(of: text) }
}

extension TextBudget {
    /// Cuts a text that does not fit.
    ///
    /// Never cuts inside a character. Cuts at the end of a word if there is one in the last fifth of the room, otherwise
    /// anywhere except before closing punctuation. Commas, dashes and opening brackets before the ellipsis are dropped too.
    ///
    /// - Parameter text: Cleaned text.
    /// - Returns: The text itself, or the part of it that fits with the ellipsis; empty if nothing fits.
    package func cut(_ text: String) -> CutText {
        if admits(text) { return CutText(text: text, isCut: false) }
        if text.hasIsolate { return cutIsolated(text) }
        return CutText(text: shortened(text), isCut: true)
    }

    /// The part that fits of a text that is too long.
    private func shortened(_ text: String) -> String {
        let ellipsisBytes = encoding.bytes(of: ellipsis)
        let hasEllipsis = ellipsis.count <= characters && ellipsisBytes <= bytes
        let tail = hasEllipsis ? ellipsis : ""
        let ends = characterEnds(
            of: text,
            count: characters - tail.count,
            bytes: bytes - (hasEllipsis ? ellipsisBytes : 0)
        )
        let count = Self.countBeforeTrailingJoints(of: text, ends: ends, upTo: Self.breakCount(of: text, ends: ends))
        return count > 0 ? String(text[..<text.index(atByte: ends[count - 1])]) + tail : tail
    }

    /// Cuts a text in which a value is isolated from the words around it, and closes the isolate if the cut left it open.
    private func cutIsolated(_ text: String) -> CutText {
        var inner = self
        inner.characters = max(0, characters - 1)
        inner.bytes = max(0, bytes - encoding.bytes(of: String(TextDirection.isolateEnd)))
        var kept = inner.shortened(text)
        let isOpen =
            kept.count { $0 == TextDirection.isolateStart } > kept.count { $0 == TextDirection.isolateEnd }
        if isOpen { kept.append(TextDirection.isolateEnd) }
        return CutText(text: kept, isCut: true)
    }

    /// The ends of the characters that fit, in bytes of UTF-8, beginning with the first.
    private func characterEnds(of text: String, count: Int, bytes: Int) -> [Int] {
        if text.isOfPlainScalars { return scalarEnds(of: text, count: count, bytes: bytes) }
        var ends: [Int] = []
        var room = bytes
        var start = text.startIndex
        while ends.count < count, start < text.endIndex {
            let end = text.index(after: start)
            room -= encoding.bytes(of: text[start..<end])
            if room < 0 { break }
            ends.append(text.utf8.distance(from: text.startIndex, to: end))
            start = end
        }
        return ends
    }

    /// The same for a text in which each scalar is a character.
    private func scalarEnds(of text: String, count: Int, bytes: Int) -> [Int] {
        var text = text
        return text.withUTF8 { utf8 in
            let limit = min(max(0, count), utf8.count)
            var ends: [Int] = []
            ends.append(addingCapacity: limit) { ends in
                var room = bytes
                var end = 0
                while ends.count < limit, end < utf8.count {
                    let first = unsafe utf8[end]
                    let width = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
                    room -= first < 0x80 ? encoding.bytes(ofASCII: first) : width
                    if room < 0 { break }
                    end += width
                    ends.append(end)
                }
            }
            return ends
        }
    }

    /// The number of fitting characters to keep.
    private static func breakCount(of text: String, ends: [Int]) -> Int {
        let lastFifth = (ends.count * 4 + 4) / 5
        for count in stride(from: ends.count, to: max(lastFifth, 1) - 1, by: -1) {
            let rest = text[text.index(atByte: ends[count - 1])...]
            if let next = rest.first, next.isWhitespace, !isClosing(rest.first { !$0.isWhitespace }) { return count }
        }
        var count = ends.count
        while count > ends.count / 2, count > 0, isClosing(text[text.index(atByte: ends[count - 1])...].first) {
            count -= 1
        }
        return count
    }

    /// Drops characters that would lead on to the words that are cut off.
    private static func countBeforeTrailingJoints(of text: String, ends: [Int], upTo limit: Int) -> Int {
        var count = limit
        while count > 0 {
            let last = text[text.index(atByte: count > 1 ? ends[count - 2] : 0)]
            guard last.isWhitespace || isJoint(last) else { break }
            count -= 1
        }
        // A text of only such characters is better than no text.
        return count > 0 ? count : limit
    }

    private static func isClosing(_ character: Character?) -> Bool {
        guard let scalar = character?.unicodeScalars.first else { return false }
        switch scalar.properties.generalCategory {
        case .closePunctuation, .finalPunctuation: return true
        default: return ".,;:!?…%،؛؟।॥。、，．！？：；".unicodeScalars.contains(scalar)
        }
    }

    private static func isJoint(_ character: Character) -> Bool {
        guard let scalar = character.unicodeScalars.first else { return false }
        switch scalar.properties.generalCategory {
        case .openPunctuation, .initialPunctuation, .dashPunctuation: return true
        default: return ",;:،؛、，：；".unicodeScalars.contains(scalar)
        }
    }
}

extension String {
    /// Whether it contains ``TextDirection/isolateStart``, found by its bytes.
    fileprivate var hasIsolate: Bool {
        var text = self
        return text.withUTF8 { bytes in
            guard bytes.count > 2 else { return false }
            for place in 0..<bytes.count - 2 where unsafe bytes[place] == 0xE2 {
                if unsafe bytes[place + 1] == 0x81, unsafe bytes[place + 2] == 0xA8 { return true }
            }
            return false
        }
    }

    /// The index after a number of bytes of UTF-8.
    fileprivate func index(atByte offset: Int) -> Index { utf8.index(utf8.startIndex, offsetBy: offset) }
}

/// The result of a cut.
package struct CutText: Sendable, Equatable {
    /// The text.
    package let text: String
    /// Whether it is shorter than the original.
    package let isCut: Bool
}

extension String {
    /// The number of scalars.
    var scalarCount: Int {
        var text = self
        return text.withUTF8 { unsafe Span(_unsafeElements: $0).scalarCount }
    }
}

extension Span<UInt8> {
    /// The number of scalars in UTF-8: each byte that is not a continuation byte begins one. Checks eight bytes at once.
    fileprivate var scalarCount: Int {
        var scalars = count
        var index = 0
        unsafe withUnsafeBytes { bytes in
            while index + 8 <= bytes.count {
                let word = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                // A one in each byte that begins with the bits 10; the multiplication adds them up in the highest byte.
                let continuations = word >> 7 & ~(word >> 6) & 0x0101_0101_0101_0101
                scalars -= Int(truncatingIfNeeded: (continuations &* 0x0101_0101_0101_0101) >> 56)
                index += 8
            }
        }
        for place in index..<count where self[place] & 0xC0 == 0x80 { scalars -= 1 }
        return scalars
    }
}

/// The maximum lengths of a message's texts, regardless of their later use: `limits:` of the configuration.
///
/// The configuration sets only the characters. The limit in bytes always applies: a headline of 1,000 characters, which a
/// configuration may allow, is cut at 341 if each has three bytes.
///
/// The defaults fill the four lines of a lock screen, and an alert of headline and summary fits in the 4,096 bytes that the
/// push services of Apple and Google accept.
package struct TextLimits: Sendable, Equatable {
    /// The range of limits for a headline with the words of its pattern, in characters.
    package static let headlines = 10...1000
    /// The range of limits for a summary, in characters.
    package static let summaries = 10...4000
    /// The maximum length of an ellipsis in characters (Unicode scalars).
    package static let longestEllipsis = 16

    /// The limit of the headline with the words of its pattern.
    package var headline: TextBudget
    /// The limit of the summary.
    package var summary: TextBudget

    package init(
        headline: TextBudget = TextBudget(characters: 178, bytes: 1_024),
        summary: TextBudget = TextBudget(characters: 400, bytes: 2_048)
    ) {
        self.headline = headline
        self.summary = summary
    }
}

/// The encoding of a text in a payload.
package enum TextEncoding: Sendable, Equatable {
    /// Inside a JSON string, without the quotation marks, as `JSONWriter` writes it.
    case json
    /// Between the tags of an XML element, as `XMLWriter` writes it.
    case xml

    /// The number of bytes of an encoded text.
    ///
    /// - Parameter text: Any text.
    /// - Returns: The number of bytes that the writer writes.
    package func bytes(of text: some StringProtocol) -> Int {
        switch self {
        case .json: Self.jsonBytes(of: text)
        case .xml: Self.xmlBytes(of: text)
        }
    }

    /// The number of bytes of an encoded character of cleaned text that begins with an ASCII byte.
    func bytes(ofASCII byte: UInt8) -> Int {
        switch (self, byte) {
        case (.json, UInt8(ascii: "\"")), (.json, UInt8(ascii: "\\")): 2
        case (.xml, UInt8(ascii: "&")): 5
        case (.xml, UInt8(ascii: "<")), (.xml, UInt8(ascii: ">")): 4
        default: 1
        }
    }

    private static func xmlBytes(of text: some StringProtocol) -> Int {
        var count = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): count += 5
            case UInt8(ascii: "<"), UInt8(ascii: ">"): count += 4
            // A carriage return is written as a reference, because parsers change it. Other controls, which XML does not
            // allow, become U+FFFD.
            case 0x0D: count += 5
            case 0x09, 0x0A: count += 1
            case 0..<0x20: count += 3
            default: count += 1
            }
        }
        return count
    }

    private static func jsonBytes(of text: some StringProtocol) -> Int {
        text.utf8.withContiguousStorageIfAvailable { unsafe JSONWriter.escapedCount(of: Span(_unsafeElements: $0)) }
            ?? JSONWriter.escapedCount(of: String(text).utf8.span)
    }
}
