/// Looks at eight bytes at once; the first byte is the lowest of the word.
extension Span<UInt8> {
    /// The first byte at or after a place that is not ASCII.
    func endOfASCII(from start: Int) -> Int {
        end(from: start, marking: { $0 }, while: { $0 < 0x80 })
    }

    /// The first byte at or after a place that is a quote, a backslash or a control.
    func endOfPlainText(from start: Int) -> Int {
        end(from: start, marking: \.escapedASCII, while: \.isPlainText)
    }

    /// The first byte at or after a place that a writer has to look at: a quote, a backslash, a control, or the first of
    /// U+2028 and its neighbours.
    func endOfUnescapedText(from start: Int) -> Int {
        end(from: start, marking: \.unescapedMarks, while: { $0.isPlainText && $0 != 0xE2 })
    }

    /// The first byte at or after a place that is not passed over.
    ///
    /// - Parameters:
    ///   - start: The place.
    ///   - marks: Sets the highest bit of each byte of a word that ends it; the lowest that is set counts.
    ///   - isPassed: The same for the last few bytes, one at a time.
    /// - Returns: Its place, or the end.
    @inline(__always)
    private func end(from start: Int, marking marks: (UInt64) -> UInt64, while isPassed: (UInt8) -> Bool) -> Int {
        var index = start
        unsafe withUnsafeBytes { bytes in
            while index + 8 <= bytes.count {
                let word = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                let hits = marks(word) & 0x8080_8080_8080_8080
                guard hits == 0 else {
                    index += hits.trailingZeroBitCount / 8
                    return
                }
                index += 8
            }
            while unsafe index < bytes.count && isPassed(bytes[index]) { index += 1 }
        }
        return index
    }
}

extension UInt64 {
    /// Marks what a writer of JSON strings has to look at.
    var unescapedMarks: UInt64 { escapedASCII | separators }

    /// Marks quotes, backslashes and controls. Subtracting sets the highest bit of a byte that is less; a borrow reaches only
    /// bytes behind a hit.
    fileprivate var escapedASCII: UInt64 {
        let control = self &- 0x2020_2020_2020_2020
        let quote = (self ^ 0x2222_2222_2222_2222) &- 0x0101_0101_0101_0101
        let backslash = (self ^ 0x5C5C_5C5C_5C5C_5C5C) &- 0x0101_0101_0101_0101
        return (control | quote | backslash) & ~self
    }

    /// Marks the first bytes of U+2000 to U+2FFF.
    fileprivate var separators: UInt64 {
        let difference = self ^ 0xE2E2_E2E2_E2E2_E2E2
        return (difference &- 0x0101_0101_0101_0101) & ~difference
    }
}

extension UInt8 {
    fileprivate var isPlainText: Bool { self >= 0x20 && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\") }
}
