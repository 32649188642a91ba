// What the bytes of fields may be (RFC 9110, sections 5.5 and 5.6).

import ASCII

extension UInt8 {
    /// Whether it is a blank or a tab, which may stand around a value.
    @inlinable package var isBlank: Bool {
        self == UInt8(ascii: " ") || self == UInt8(ascii: "\t")
    }

    /// Whether it must not stand in a value: any control but the tab.
    @inlinable package var isControlInValue: Bool {
        (self < 0x20 && self != UInt8(ascii: "\t")) || self == 0x7f
    }

    /// Whether it may stand in a token, such as a method or the name of a field.
    @inlinable package var isTokenByte: Bool {
        // A bit for each byte below 128: letters, digits and !#$%&'*+-.^_`|~
        let (low, high): (UInt64, UInt64) = (0x03ff_6cfa_0000_0000, 0x57ff_ffff_c7ff_fffe)
        guard self < 0x80 else { return false }
        return ((self < 64 ? low : high) >> UInt64(self & 63)) & 1 == 1
    }
}

extension Sequence<UInt8> {
    /// Whether it is a token: one byte at least, and only such as may stand in one.
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
    /// The first byte of a part that may not stand in a token.
    ///
    /// - Parameters:
    ///   - start: Where to begin.
    ///   - limit: Where the part ends; at most the span's own end.
    /// - Returns: Its place, or the limit.
    package func endOfToken(from start: Int, below limit: Int) -> Int {
        let marks = { (word: UInt64) in ~word.marks(ofLettersDigitsAnd: UInt8(ascii: "-")) }
        return end(from: start, below: limit, marking: marks, while: \.isTokenByte)
    }

    /// The first byte of a part that must not stand in a value.
    ///
    /// - Parameters:
    ///   - start: Where to begin.
    ///   - limit: Where the part ends; at most the span's own end.
    /// - Returns: Its place, or the limit.
    package func endOfValueText(from start: Int, below limit: Int) -> Int {
        let marks = { (word: UInt64) in word.marks(below: 0x20) | word.marks(of: 0x7f) }
        return end(from: start, below: limit, marking: marks, while: { !$0.isControlInValue })
    }
}
