// Access to eight bytes at a time; the first byte is the lowest of the word.

extension Span<UInt8> {
    /// Reads eight bytes as one number.
    ///
    /// - Parameter index: The index of the first byte; all eight must exist.
    /// - Returns: The number; the first byte is the lowest.
    @inlinable @inline(__always)
    package func word(at index: Int) -> UInt64 {
        unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// Reads eight bytes as one number, for loops whose condition already checks the bounds.
    ///
    /// - Parameter index: The index of the first byte; all eight must exist.
    /// - Returns: The number; the first byte is the lowest.
    @unsafe @inlinable @inline(__always)
    package func word(uncheckedAt index: Int) -> UInt64 {
        unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
    }

    /// Reads four bytes as one number, for comparisons.
    @inlinable @inline(__always)
    func halfWord(at index: Int) -> UInt32 {
        unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt32.self)
    }

    /// Returns whether both contain the same bytes.
    @inlinable package func isEqual(to other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        guard count >= 8 else { return isEqualBelowEight(to: other) }
        // The last word may overlap the one before it.
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

    /// Returns whether the span contains a word at an index.
    ///
    /// - Parameters:
    ///   - word: An ASCII string.
    ///   - start: Any index, also after the end.
    /// - Returns: `false` if the word would extend beyond the end.
    @inlinable package func hasWord(_ word: StaticString, at start: Int) -> Bool {
        let length = word.utf8CodeUnitCount
        guard start <= count, count - start >= length else { return false }
        let found = extracting(start..<start + length)
        return word.withUTF8Buffer { unsafe found.isEqual(to: Span(_unsafeElements: $0)) }
    }

    /// Returns whether each byte passes a test, eight bytes at a time.
    ///
    /// - Parameters:
    ///   - faults: Sets the highest bit of at least one byte of a word if not all of its bytes pass.
    ///   - isFault: Whether a single byte fails; used for fewer than eight bytes.
    /// - Returns: `true` if all bytes pass, or there are no bytes.
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

    /// Returns whether any byte satisfies the condition.
    @inlinable @inline(__always)
    package func contains(where isWanted: (UInt8) -> Bool) -> Bool {
        for index in indices where isWanted(self[index]) { return true }
        return false
    }
}
