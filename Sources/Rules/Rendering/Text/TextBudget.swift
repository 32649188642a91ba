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
