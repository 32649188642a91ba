import NewsflashBasics

/// A hash of bytes: as 64-bit FNV-1a, but with eight bytes at a time, the last ones filled up with zeros, and an extra mixing
/// step after each. It includes the length. A single changed byte always changes it.
enum Checksum {
    static func of(_ bytes: Span<UInt8>) -> UInt64 {
        var sum = 0xCBF2_9CE4_8422_2325 ^ UInt64(bytes.count)
        let last = bytes.count - 8
        var index = 0
        while index <= last {
            // The condition keeps the index within the bounds.
            sum = step(sum, unsafe bytes.word(uncheckedAt: index))
            index &+= 8
        }
        guard index < bytes.count else { return sum }
        // The last word overlaps bytes that were hashed already.
        if last >= 0 { return step(sum, bytes.word(at: last) >> UInt64((index - last) * 8)) }
        var rest: UInt64 = 0
        for place in bytes.indices.reversed() { rest = rest << 8 | UInt64(bytes[place]) }
        return step(sum, rest)
    }

    /// The hash of the UTF-8 bytes of a text.
    static func of(_ text: String) -> UInt64 { of(text.utf8.span) }

    /// Mixes a word into the hash.
    static func step(_ sum: UInt64, _ word: UInt64) -> UInt64 {
        let product = (sum ^ word) &* 0x0000_0100_0000_01B3
        return product ^ product >> 32
    }
}
