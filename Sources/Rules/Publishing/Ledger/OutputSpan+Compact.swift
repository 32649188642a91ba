/// Numbers of variable length: seven bits a byte, the lowest first, and the highest bit of each byte but the last.
extension OutputSpan<UInt8> {
    /// The most bytes of a number.
    static var maximumNumberLength: Int { 10 }

    /// Appends a number; there must be room for it.
    @inline(__always)
    mutating func append(number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }

    /// Appends a number of either sign, of which small ones take few bytes; there must be room for it.
    @inline(__always)
    mutating func append(signed value: Int64) {
        append(number: UInt64(bitPattern: value << 1 ^ value >> 63))
    }
}
