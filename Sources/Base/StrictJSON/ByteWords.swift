import ASCII

/// Looks at eight bytes at once; the first byte is the lowest of the word.
extension Span<UInt8> {
    /// The first byte at or after a place that is not ASCII.
    @inline(__always)
    func endOfASCII(from start: Int) -> Int {
        end(from: start, below: count, marking: { $0 }, while: { $0 < 0x80 })
    }

    /// The first byte at or after a place that is a quote, a backslash or a control.
    ///
    /// - Returns: Its place, or the end; and whether all before it is ASCII.
    @inline(__always)
    func endOfPlainText(from start: Int) -> (end: Int, isASCII: Bool) {
        var index = start
        // All bits that stand in any byte.
        var bits: UInt64 = 0
        let last = count - 8
        while index <= last {
            // The condition holds the place to the bounds.
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

    /// The first byte at or after a place that a writer has to look at: a quote, a backslash, a control, or the first of
    /// U+2028 and its neighbours.
    func endOfUnescapedText(from start: Int) -> Int {
        end(from: start, below: count, marking: \.unescapedMarks, while: { $0.isPlainText && $0 != 0xE2 })
    }
}

extension UInt64 {
    /// Marks what a writer of JSON strings has to look at; only the highest bits count.
    @inline(__always)
    var unescapedMarks: UInt64 {
        // Most words are ASCII without anything to escape.
        guard (suspects | self) & .highBits != 0 else { return 0 }
        return escapedASCII | separators
    }

    /// Marks quotes, backslashes and controls.
    @inline(__always)
    fileprivate var escapedASCII: UInt64 { suspects & ~self }

    /// Marks quotes, backslashes, controls, and some bytes that are not ASCII. Subtracting sets the highest bit of a byte
    /// that is less; a borrow reaches only bytes behind a hit.
    @inline(__always)
    private var suspects: UInt64 {
        // With one bit turned, the quote comes to stand directly behind the controls, and a blank and its neighbour after it.
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
