extension String {
    /// The number of scalars.
    var scalarCount: Int {
        var text = self
        return text.withUTF8 { unsafe Span(_unsafeElements: $0).scalarCount }
    }
}

extension Span<UInt8> {
    /// The number of scalars in UTF-8: each byte that is not a continuation byte begins one. Checks eight bytes at once.
    fileprivate var scalarCount: Int {
        var scalars = count
        var index = 0
        unsafe withUnsafeBytes { bytes in
            while index + 8 <= bytes.count {
                let word = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                // A one in each byte that begins with the bits 10; the multiplication adds them up in the highest byte.
                let continuations = word >> 7 & ~(word >> 6) & 0x0101_0101_0101_0101
                scalars -= Int(truncatingIfNeeded: (continuations &* 0x0101_0101_0101_0101) >> 56)
                index += 8
            }
        }
        for place in index..<count where self[place] & 0xC0 == 0x80 { scalars -= 1 }
        return scalars
    }
}
