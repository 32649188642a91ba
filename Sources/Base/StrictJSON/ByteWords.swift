import NewsflashBasics

/// Searches eight bytes at a time; the first byte is the lowest of the word.
extension Span<UInt8> {
    /// Returns the index of the first non-ASCII byte at or after an index, or the end.
    @inline(__always)
    func endOfASCII(from start: Int) -> Int {
        end(from: start, below: count, marking: { $0 }, while: { $0 < 0x80 })
    }

    /// Finds the first quote, backslash or control character at or after an index.
    ///
    /// - Returns: Its index, or the end; and whether all bytes before it are ASCII.
    @inline(__always)
    func endOfPlainText(from start: Int) -> (end: Int, isASCII: Bool) {
        var index = start
        // The union of the bits of all bytes.
        var bits: UInt64 = 0
        let last = count - 8
        while index <= last {
            // The loop condition guarantees the bounds.
            let word = unsafe word(uncheckedAt: index)
            let hits = word.escapedASCII & .highBits
            guard hits == 0 else {
                bits |= word & ((hits & (0 &- hits)) &- 1)
                return (index &+ hits.trailingZeroBitCount / 8, bits & .highBits == 0)
            }
            bits |= word
            index &+= 8
        }
        while index < count, self[index].isPlainText {
            bits |= UInt64(self[index])
            index &+= 1
        }
        return (index, bits & .highBits == 0)
    }

    /// Returns the index of the first byte that a writer may have to escape: a quote, a backslash, a control character, or
    /// the first byte of U+2028 and its neighbours.
    func endOfUnescapedText(from start: Int) -> Int {
        end(from: start, below: count, marking: \.unescapedMarks, while: { $0.isPlainText && $0 != 0xE2 })
    }
}

extension UInt64 {
    /// Marks the bytes that a writer of JSON strings may have to escape; only the highest bits count.
    @inline(__always)
    var unescapedMarks: UInt64 {
        // Most words are ASCII and need no escapes.
        guard (suspects | self) & .highBits != 0 else { return 0 }
        return escapedASCII | separators
    }

    /// Marks quotes, backslashes and control characters.
    @inline(__always)
    fileprivate var escapedASCII: UInt64 { suspects & ~self }

    /// Marks quotes, backslashes, control characters, and some non-ASCII bytes. The subtraction sets the highest bit of
    /// smaller bytes; a borrow only reaches bytes after a hit.
    @inline(__always)
    private var suspects: UInt64 {
        // Flipping one bit moves the quote directly after the control characters, and a blank and its neighbour after it.
        let controlOrQuote = (self ^ 0x0202_0202_0202_0202) &- 0x2121_2121_2121_2121
        let backslash = (self ^ 0x5C5C_5C5C_5C5C_5C5C) &- 0x0101_0101_0101_0101
        return controlOrQuote | backslash
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
