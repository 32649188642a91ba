/// How much of a text is shown and how many bytes it may take.
package struct TextBudget: Sendable, Equatable {
    /// The most characters as readers count them (extended grapheme clusters).
    package var characters: Int
    /// The most bytes as ``encoding`` writes them: UTF-8 with its escapes.
    package var bytes: Int
    /// Put where a text was cut; counts towards both.
    package var ellipsis: String
    /// Where the text will stand.
    package var encoding: TextEncoding

    package init(characters: Int, bytes: Int, ellipsis: String = "…", encoding: TextEncoding = .json) {
        self.characters = characters
        self.bytes = bytes
        self.ellipsis = ellipsis
        self.encoding = encoding
    }

    /// Whether a text fits as it is.
    package func admits(_ text: String) -> Bool {
        let count = text.utf8.count
        // No text has more characters than scalars, or more of those than bytes, and no byte becomes more than six.
        guard count * 6 <= bytes || encoding.bytes(of: text) <= bytes else { return false }
        return count <= characters || text.scalarCount <= characters || hasAtMost(characters, in: text)
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
    package static func encodedBytes(of text: some StringProtocol) -> Int { TextEncoding.json.bytes(of: text) }
}
