/// How much of a text is shown and how many bytes it may take.
package struct TextBudget: Sendable, Equatable {
    /// The most characters as readers count them (extended grapheme clusters).
    package var characters: Int
    /// The most bytes inside a JSON string: UTF-8 with its escapes, without the quotation marks.
    package var bytes: Int
    /// Put where a text was cut; counts towards both.
    package var ellipsis: String

    package init(characters: Int, bytes: Int, ellipsis: String = "…") {
        self.characters = characters
        self.bytes = bytes
        self.ellipsis = ellipsis
    }

    /// Whether a text fits as it is.
    package func admits(_ text: String) -> Bool {
        let count = text.utf8.count
        // No text has more characters than bytes, and no byte becomes more than six.
        if count <= characters, count * 6 <= bytes { return true }
        return Self.encodedBytes(of: text) <= bytes
            && (text.unicodeScalars.count <= characters || hasAtMost(characters, in: text))
    }

    /// Counts no further than it must, since finding the ends of characters is the dear part of rendering.
    private func hasAtMost(_ limit: Int, in text: String) -> Bool {
        // There each scalar is a character, and there are more scalars.
        if text.isOfPlainScalars { return false }
        guard let end = text.index(text.startIndex, offsetBy: limit, limitedBy: text.endIndex) else { return true }
        return end == text.endIndex
    }

    /// The bytes of a text inside a JSON string.
    ///
    /// - Parameter text: Any text.
    /// - Returns: As many bytes as `JSONWriter` writes between the quotation marks.
    package static func encodedBytes(of text: some StringProtocol) -> Int {
        let plain = text.utf8.withContiguousStorageIfAvailable { bytes in
            unsafe bytes.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") && $0 != 0xE2 }
                ? bytes.count : -1
        }
        if let plain, plain >= 0 { return plain }
        var count = 0
        var previous: UInt8 = 0
        var beforePrevious: UInt8 = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x08, 0x09, 0x0A, 0x0C, 0x0D: count += 2
            case 0..<0x20: count += 6
            // U+2028 and U+2029: three bytes that are written as six.
            case 0xA8, 0xA9: count += beforePrevious == 0xE2 && previous == 0x80 ? 4 : 1
            default: count += 1
            }
            beforePrevious = previous
            previous = byte
        }
        return count
    }
}
