// Bytes looked at eight at a time; the first byte is the lowest of the word.

extension Span<UInt8> {
    /// Reads eight bytes as one number.
    ///
    /// - Parameter index: Of the first; all eight must be there.
    /// - Returns: The number; the first byte is the lowest.
    @inlinable @inline(__always)
    package func word(at index: Int) -> UInt64 {
        unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// Reads eight bytes as one number, for loops whose condition holds the place to the bounds already.
    ///
    /// - Parameter index: Of the first; all eight must be there.
    /// - Returns: The number; the first byte is the lowest.
    @unsafe @inlinable @inline(__always)
    package func word(uncheckedAt index: Int) -> UInt64 {
        unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
    }

    /// Four bytes as one number, for comparisons.
    @inlinable @inline(__always)
    func halfWord(at index: Int) -> UInt32 {
        unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt32.self)
    }

    /// Whether both are the same bytes.
    @inlinable package func isEqual(to other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        guard count >= 8 else { return isEqualBelowEight(to: other) }
        // The last word may overlap the one before.
        let last = count - 8
        var index = 0
        while index < last {
            guard word(at: index) == other.word(at: index) else { return false }
            index += 8
        }
        return word(at: last) == other.word(at: last)
    }

    @inlinable @inline(__always)
    func isEqualBelowEight(to other: Span<UInt8>) -> Bool {
        if count >= 4 {
            let last = count - 4
            return halfWord(at: 0) == other.halfWord(at: 0) && halfWord(at: last) == other.halfWord(at: last)
        }
        for index in 0..<count where self[index] != other[index] { return false }
        return true
    }

    /// Whether a word stands at a place.
    ///
    /// - Parameters:
    ///   - word: ASCII.
    ///   - start: At any place, also behind the end.
    /// - Returns: False where it would reach beyond the end.
    @inlinable package func stands(_ word: StaticString, at start: Int) -> Bool {
        let length = word.utf8CodeUnitCount
        guard start <= count, count - start >= length else { return false }
        let found = extracting(start..<start + length)
        return word.withUTF8Buffer { unsafe found.isEqual(to: Span(_unsafeElements: $0)) }
    }

    /// Looks whether each byte passes, eight at a time.
    ///
    /// - Parameters:
    ///   - faults: Sets the highest bit of at least one byte of a word of which not all pass.
    ///   - isFault: The same for one byte, where there are fewer than eight.
    /// - Returns: True for no bytes.
    @inlinable @inline(__always)
    package func allPass(words faults: (UInt64) -> UInt64, bytes isFault: (UInt8) -> Bool) -> Bool {
        guard count >= 8 else { return !contains(where: isFault) }
        let last = count - 8
        var index = 0
        while index < last {
            guard faults(word(at: index)) & UInt64.highBits == 0 else { return false }
            index += 8
        }
        return faults(word(at: last)) & UInt64.highBits == 0
    }

    /// Whether there is such a byte.
    @inlinable @inline(__always)
    package func contains(where isWanted: (UInt8) -> Bool) -> Bool {
        for index in indices where isWanted(self[index]) { return true }
        return false
    }
}
