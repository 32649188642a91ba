// Search and comparison, eight bytes at a time.

extension Span<UInt8> {
    /// Returns the index of the first byte of a range that fails a test.
    ///
    /// - Parameters:
    ///   - start: The beginning of the range.
    ///   - limit: The end of the range; at most the end of the span.
    ///   - marks: Sets the highest bit of each byte of a word that may fail the test. Bytes marked in vain cost time, but
    ///     do not change the result.
    ///   - isPassed: Whether a byte passes the test.
    /// - Returns: The index, or `limit`.
    @inline(__always)
    @inlinable package func end(
        from start: Int,
        below limit: Int,
        marking marks: (UInt64) -> UInt64,
        while isPassed: (UInt8) -> Bool
    ) -> Int {
        precondition(start >= 0 && limit <= count, "the range must be within the span")
        var index = start
        while index + 8 <= limit {
            // The loop condition guarantees the bounds.
            let hits = marks(unsafe word(uncheckedAt: index)) & UInt64.highBits
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

    /// Returns the first index of a byte in a range.
    ///
    /// - Parameters:
    ///   - byte: The byte to find.
    ///   - start: The beginning of the range.
    ///   - limit: The end of the range; at most the end of the span.
    /// - Returns: The index, or `limit`.
    @inlinable package func firstPlace(of byte: UInt8, from start: Int, below limit: Int) -> Int {
        end(from: start, below: limit, marking: { $0.marks(of: byte) }, while: { $0 != byte })
    }

    /// Returns whether both are equal except for the case of ASCII letters, as HTTP compares names.
    @inlinable package func isEqualIgnoringASCIICase(to other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        guard count >= 8 else {
            for index in indices where self[index].lowercasedASCII != other[index].lowercasedASCII { return false }
            return true
        }
        for index in stride(from: 0, to: count, by: 8) {
            // The last word may overlap the one before it.
            let offset = min(index, count - 8)
            let wanted = other.word(at: offset)
            // `marksOfLetters >> 2` is the bit in which the two cases of a letter differ.
            guard (word(at: offset) ^ wanted) & ~(wanted.marksOfLetters >> 2) == 0 else { return false }
        }
        return true
    }
}
