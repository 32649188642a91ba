import ASCII

/// The range of a string that ``JSONCursor`` parsed without copying it.
package struct JSONText: Sendable {
    /// The range between the quotes.
    package let range: Range<Int>
    /// Whether the range contains a backslash, so that its bytes differ from the string's.
    package let hasEscapes: Bool
    /// Whether the bytes are known to be ASCII.
    let isASCII: Bool

    /// Returns the string without its escapes.
    ///
    /// - Parameter bytes: The whole text that the cursor parsed.
    /// - Returns: A copy.
    package func string(_ bytes: Span<UInt8>) -> String {
        guard hasEscapes else { return bytes.text(range, isASCII: isASCII) }
        var parser = JSONParser(maximumDepth: 0)
        parser.position = range.lowerBound - 1
        // The cursor has parsed it successfully before.
        return (try? parser.string(bytes)) ?? ""
    }

    /// Returns whether the string equals a word.
    ///
    /// - Parameters:
    ///   - word: An ASCII string.
    ///   - bytes: The whole text that the cursor parsed.
    /// - Returns: Whether both are equal.
    package func equals(_ word: StaticString, _ bytes: Span<UInt8>) -> Bool {
        if hasEscapes { return string(bytes).utf8.elementsEqual(word.description.utf8) }
        return range.count == word.utf8CodeUnitCount && bytes.hasWord(word, at: range.lowerBound)
    }
}
