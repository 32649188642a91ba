import ASCII

/// A string of a JSON text that ``JSONCursor`` left where it lies.
package struct JSONText: Sendable {
    /// What stands between the quotes.
    package let range: Range<Int>
    /// Whether a backslash is among it, so that the bytes are not the string's own.
    package let hasEscapes: Bool
    /// Whether the bytes are known to be ASCII.
    let isASCII: Bool

    /// The string without its escapes.
    ///
    /// - Parameter bytes: The whole text that the cursor went through.
    /// - Returns: A string of its own.
    package func string(_ bytes: Span<UInt8>) -> String {
        guard hasEscapes else { return bytes.text(range, isASCII: isASCII) }
        var parser = JSONParser(maximumDepth: 0)
        parser.position = range.lowerBound - 1
        // The cursor has read it before.
        return (try? parser.string(bytes)) ?? ""
    }

    /// Whether this is a certain word.
    ///
    /// - Parameters:
    ///   - word: ASCII.
    ///   - bytes: The whole text that the cursor went through.
    /// - Returns: False for any other string.
    package func equals(_ word: StaticString, _ bytes: Span<UInt8>) -> Bool {
        if hasEscapes { return string(bytes).utf8.elementsEqual(word.description.utf8) }
        return range.count == word.utf8CodeUnitCount && bytes.stands(word, at: range.lowerBound)
    }
}
