// Marks of bytes in words of eight bytes: a marked byte has its highest bit set.

extension UInt64 {
    /// The highest bit of each of the eight bytes.
    @inlinable package static var highBits: UInt64 { 0x8080_8080_8080_8080 }

    /// A word of eight equal bytes.
    @inlinable @inline(__always)
    package static func eight(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

    /// Sets the highest bit of each byte that equals `byte`, and no other bit.
    @inlinable @inline(__always)
    package func marks(of byte: UInt8) -> UInt64 {
        let difference = self ^ .eight(byte)
        return ~((difference & ~.highBits) &+ ~.highBits | difference) & .highBits
    }

    /// Marks each byte whose lower seven bits are less than a bound.
    ///
    /// - Parameter bound: The bound, from 1 to 128.
    /// - Returns: The highest bit of each such byte, and no other bit.
    @inlinable @inline(__always)
    package func marks(ofLowBitsBelow bound: UInt8) -> UInt64 {
        ~((self | .highBits) &- .eight(bound)) & .highBits
    }

    /// Marks exactly the bytes that are letters of either case, decimal digits, or `third`, which is below 128.
    @inline(__always)
    @inlinable package func marks(ofLettersDigitsAnd third: UInt8) -> UInt64 {
        // Masked to seven bits each, so that nothing is carried from one byte into the next.
        let low = self & 0x7F7F_7F7F_7F7F_7F7F
        let folded = low | 0x2020_2020_2020_2020
        // Adding 128 minus the bound sets the highest bit of each byte that is not below the bound.
        let letter = (folded &+ 0x1F1F_1F1F_1F1F_1F1F) & ~(folded &+ 0x0505_0505_0505_0505)
        let digit = (low &+ 0x5050_5050_5050_5050) & ~(low &+ 0x4646_4646_4646_4646)
        let other = Self.highBits &- (low ^ .eight(third))
        return (letter | digit | other) & ~self & Self.highBits
    }

    /// Marks exactly the bytes that are letters of either case.
    @inline(__always)
    @inlinable package var marksOfLetters: UInt64 {
        let folded = (self & 0x7F7F_7F7F_7F7F_7F7F) | 0x2020_2020_2020_2020
        return (folded &+ 0x1F1F_1F1F_1F1F_1F1F) & ~(folded &+ 0x0505_0505_0505_0505) & ~self & Self.highBits
    }

    /// Marks the bytes below a bound of at most 128; may also mark a byte after such a byte.
    @inline(__always)
    @inlinable package func marks(below bound: UInt8) -> UInt64 {
        (self &- .eight(bound)) & ~self
    }
}
