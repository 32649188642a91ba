import NewsflashBasics

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

extension Span<UInt8> {
    /// Returns a range of bytes as a string, without checking again what ``UTF8Check`` has checked.
    ///
    /// - Parameters:
    ///   - range: A range between character boundaries. The bytes must be UTF-8.
    ///   - isASCII: Whether the bytes are known to be ASCII, which makes the string faster.
    /// - Returns: A copy.
    func text(_ range: Range<Int>, isASCII: Bool) -> String {
        let bytes = extracting(range)
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            return unsafe String(copying: UTF8Span(unchecked: bytes, isKnownASCII: isASCII))
        }
        return unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
