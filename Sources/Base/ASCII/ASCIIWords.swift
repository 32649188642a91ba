// Eight bytes looked at at once; the first byte is the lowest of the word.

extension Span<UInt8> {
    /// The first byte of a part that is not passed over.
    ///
    /// - Parameters:
    ///   - start: Where to begin.
    ///   - limit: Where the part ends; at most the span's own end.
    ///   - marks: Sets the highest bit of each byte of a word that may end it. What is marked without need costs time and
    ///     changes nothing.
    ///   - isPassed: Whether a byte does not end it.
    /// - Returns: Its place, or the limit.
    @inline(__always)
    @inlinable package func end(
        from start: Int,
        below limit: Int,
        marking marks: (UInt64) -> UInt64,
        while isPassed: (UInt8) -> Bool
    ) -> Int {
        precondition(start >= 0 && limit <= count, "a part lies in its span")
        let bytes = unsafe bytes
        var index = start
        while index + 8 <= limit {
            // The loop keeps to the limit.
            let word = unsafe UInt64(
                littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self)
            )
            let hits = marks(word) & 0x8080_8080_8080_8080
            guard hits != 0 else {
                index += 8
                continue
            }
            index += hits.trailingZeroBitCount / 8
            guard isPassed(self[index]) else { return index }
            index += 1
        }
        while index < limit, isPassed(self[index]) { index += 1 }
        return index
    }

    /// The first place of a part where a byte stands.
    ///
    /// - Parameters:
    ///   - byte: What is looked for.
    ///   - start: Where to begin.
    ///   - limit: Where the part ends; at most the span's own end.
    /// - Returns: The place, or the limit.
    @inlinable package func firstPlace(of byte: UInt8, from start: Int, below limit: Int) -> Int {
        end(from: start, below: limit, marking: { $0.marks(of: byte) }, while: { $0 != byte })
    }

    /// Whether both are the same but for the case of ASCII letters, as names in HTTP are compared.
    @inlinable package func isEqualIgnoringASCIICase(to other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        guard count >= 8 else {
            for index in indices where self[index].lowercasedASCII != other[index].lowercasedASCII { return false }
            return true
        }
        for index in stride(from: 0, to: count, by: 8) {
            // The last word takes some bytes in again.
            let offset = min(index, count - 8)
            let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let wanted = unsafe other.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
            // The bit in which the cases of a letter differ.
            guard (word ^ wanted) & ~(wanted.marksOfLetters >> 2) == 0 else { return false }
        }
        return true
    }
}

extension UInt64 {
    /// Marks the bytes that are letters of either case, decimal digits, or a third one below 128: none else, and all of them.
    @inline(__always)
    @inlinable package func marks(ofLettersDigitsAnd third: UInt8) -> UInt64 {
        // Seven bits each, so that nothing is carried from one byte into the next.
        let low = self & 0x7F7F_7F7F_7F7F_7F7F
        let folded = low | 0x2020_2020_2020_2020
        // The highest bit is set by adding 128 less the bound to what is not below it.
        let letter = (folded &+ 0x1F1F_1F1F_1F1F_1F1F) & ~(folded &+ 0x0505_0505_0505_0505)
        let digit = (low &+ 0x5050_5050_5050_5050) & ~(low &+ 0x4646_4646_4646_4646)
        let other = 0x8080_8080_8080_8080 &- (low ^ UInt64(repeating: third))
        return (letter | digit | other) & ~self & 0x8080_8080_8080_8080
    }

    /// Marks the bytes that are letters of either case: none else, and all of them.
    @inline(__always)
    @inlinable package var marksOfLetters: UInt64 {
        let folded = (self & 0x7F7F_7F7F_7F7F_7F7F) | 0x2020_2020_2020_2020
        return (folded &+ 0x1F1F_1F1F_1F1F_1F1F) & ~(folded &+ 0x0505_0505_0505_0505) & ~self & 0x8080_8080_8080_8080
    }

    /// Marks a byte wherever it stands, and now and then one behind it.
    @inline(__always)
    @inlinable package func marks(of byte: UInt8) -> UInt64 {
        let difference = self ^ UInt64(repeating: byte)
        return (difference &- 0x0101_0101_0101_0101) & ~difference
    }

    /// Marks the bytes below a bound of at most 128, and now and then one behind them.
    @inline(__always)
    @inlinable package func marks(below bound: UInt8) -> UInt64 {
        (self &- UInt64(repeating: bound)) & ~self
    }

    /// Eight times the same byte.
    @inline(__always)
    @inlinable package init(repeating byte: UInt8) {
        self = UInt64(byte) &* 0x0101_0101_0101_0101
    }
}
