// The rules for the bytes of fields (RFC 9110, sections 5.5 and 5.6).

import NewsflashBasics

extension UInt8 {
    /// Whether the byte is a blank or a tab, which may surround a value.
    @inlinable package var isBlank: Bool {
        self == UInt8(ascii: " ") || self == UInt8(ascii: "\t")
    }

    /// Whether the byte is not allowed in a value: any control character except the tab.
    @inlinable package var isControlInValue: Bool {
        (self < 0x20 && self != UInt8(ascii: "\t")) || self == 0x7f
    }

    /// Whether the byte is allowed in a token, such as a method or a field name.
    @inlinable package var isTokenByte: Bool {
        // One bit for each byte below 128: letters, digits and !#$%&'*+-.^_`|~
        let (low, high): (UInt64, UInt64) = (0x03ff_6cfa_0000_0000, 0x57ff_ffff_c7ff_fffe)
        guard self < 0x80 else { return false }
        return ((self < 64 ? low : high) >> UInt64(self & 63)) & 1 == 1
    }
}

extension Sequence<UInt8> {
    /// Whether the sequence is a token: at least one byte, and only bytes allowed in a token.
    @inlinable package var isToken: Bool {
        var isEmpty = true
        for byte in self {
            guard byte.isTokenByte else { return false }
            isEmpty = false
        }
        return !isEmpty
    }
}

extension Span<UInt8> {
    /// Finds the first byte that is not allowed in a token.
    ///
    /// - Parameters:
    ///   - start: The start of the search.
    ///   - limit: The end of the search; at most the end of the span.
    /// - Returns: The position of the byte, or `limit`.
    package func endOfToken(from start: Int, below limit: Int) -> Int {
        let marks = { (word: UInt64) in ~word.marks(ofLettersDigitsAnd: UInt8(ascii: "-")) }
        return end(from: start, below: limit, marking: marks, while: \.isTokenByte)
    }

    /// Finds the first byte that is not allowed in a value.
    ///
    /// - Parameters:
    ///   - start: The start of the search.
    ///   - limit: The end of the search; at most the end of the span.
    /// - Returns: The position of the byte, or `limit`.
    package func endOfValueText(from start: Int, below limit: Int) -> Int {
        let marks = { (word: UInt64) in word.marks(below: 0x20) | word.marks(of: 0x7f) }
        return end(from: start, below: limit, marking: marks, while: { !$0.isControlInValue })
    }
}
