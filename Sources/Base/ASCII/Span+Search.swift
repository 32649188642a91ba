// Bytes searched and compared eight at a time.

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
        var index = start
        while index + 8 <= limit {
            // The condition keeps to the limit.
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
            let wanted = other.word(at: offset)
            // The bit in which the cases of a letter differ.
            guard (word(at: offset) ^ wanted) & ~(wanted.marksOfLetters >> 2) == 0 else { return false }
        }
        return true
    }
}
