import ASCII

/// The sum over a record's bytes: as FNV-1a of 64 bits, but eight bytes at a time, the last filled up with zeros, and
/// stirred after each. The length counts too. A single changed byte always changes it.
enum ByteSum {
    static func of(_ bytes: Span<UInt8>) -> UInt64 {
        var sum = 0xCBF2_9CE4_8422_2325 ^ UInt64(bytes.count)
        let last = bytes.count - 8
        var index = 0
        while index <= last {
            // The condition holds the place to the bounds.
            sum = step(sum, unsafe bytes.word(uncheckedAt: index))
            index &+= 8
        }
        guard index < bytes.count else { return sum }
        // The word that ends with the text has some bytes that were seen already.
        if last >= 0 { return step(sum, bytes.word(at: last) >> UInt64((index - last) * 8)) }
        var rest: UInt64 = 0
        for place in bytes.indices.reversed() { rest = rest << 8 | UInt64(bytes[place]) }
        return step(sum, rest)
    }

    /// The sum over the bytes of a text.
    static func of(_ text: String) -> UInt64 { of(text.utf8.span) }

    /// Stirs a word in.
    static func step(_ sum: UInt64, _ word: UInt64) -> UInt64 {
        let product = (sum ^ word) &* 0x0000_0100_0000_01B3
        return product ^ product >> 32
    }
}
