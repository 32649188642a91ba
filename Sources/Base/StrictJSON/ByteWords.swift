/// Looks at eight bytes at once; the first byte is the lowest of the word.
extension Span<UInt8> {
    /// The first byte at or after a place that is not ASCII.
    func endOfASCII(from start: Int) -> Int {
        var index = start
        unsafe withUnsafeBytes { bytes in
            while index + 8 <= bytes.count {
                let word = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                let high = word & 0x8080_8080_8080_8080
                guard high == 0 else {
                    index += high.trailingZeroBitCount / 8
                    return
                }
                index += 8
            }
            while unsafe index < bytes.count && bytes[index] < 0x80 { index += 1 }
        }
        return index
    }

    /// The first byte at or after a place that is a quote, a backslash or a control.
    func endOfPlainText(from start: Int) -> Int {
        var index = start
        unsafe withUnsafeBytes { bytes in
            while index + 8 <= bytes.count {
                let word = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                // Subtracting sets the highest bit of a byte that is less; a borrow reaches only bytes behind a hit.
                let control = word &- 0x2020_2020_2020_2020
                let quote = (word ^ 0x2222_2222_2222_2222) &- 0x0101_0101_0101_0101
                let backslash = (word ^ 0x5C5C_5C5C_5C5C_5C5C) &- 0x0101_0101_0101_0101
                let hits = (control | quote | backslash) & ~word & 0x8080_8080_8080_8080
                guard hits == 0 else {
                    index += hits.trailingZeroBitCount / 8
                    return
                }
                index += 8
            }
            while unsafe index < bytes.count && bytes[index].isPlainText { index += 1 }
        }
        return index
    }

    /// The first byte at or after a place that a writer has to look at: a quote, a backslash, a control, or the first of
    /// U+2028 and its neighbours.
    func endOfUnescapedText(from start: Int) -> Int {
        var index = start
        unsafe withUnsafeBytes { bytes in
            while index + 8 <= bytes.count {
                let word = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                let control = word &- 0x2020_2020_2020_2020
                let quote = (word ^ 0x2222_2222_2222_2222) &- 0x0101_0101_0101_0101
                let backslash = (word ^ 0x5C5C_5C5C_5C5C_5C5C) &- 0x0101_0101_0101_0101
                let ascii = (control | quote | backslash) & ~word
                let difference = word ^ 0xE2E2_E2E2_E2E2_E2E2
                let separator = (difference &- 0x0101_0101_0101_0101) & ~difference
                let hits = (ascii | separator) & 0x8080_8080_8080_8080
                guard hits == 0 else {
                    index += hits.trailingZeroBitCount / 8
                    return
                }
                index += 8
            }
            while unsafe index < bytes.count && bytes[index].isPlainText && bytes[index] != 0xE2 { index += 1 }
        }
        return index
    }
}

extension UInt8 {
    fileprivate var isPlainText: Bool { self >= 0x20 && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\") }
}
