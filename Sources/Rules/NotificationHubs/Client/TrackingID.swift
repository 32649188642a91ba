/// Random IDs by which a request can be found in the service's logs.
public enum TrackingID {
    /// Returns a new version 4 GUID in lower case.
    ///
    /// - Returns: The ID, for example `6f2c0f4e-3b0a-4c56-9d9a-0f1f1c3f6b11`.
    public static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }

    /// Returns a new GUID from the given generator.
    ///
    /// - Parameter generator: The generator; with a seed, the IDs are reproducible.
    /// - Returns: A GUID, version 4.
    public static func random(using generator: inout some RandomNumberGenerator) -> String {
        let high = generator.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        return unsafe String(unsafeUninitializedCapacity: 36) { text in
            let text = UnsafeMutableRawBufferPointer(text)
            let (second, third) = (UInt32(truncatingIfNeeded: high).digits, UInt32(low >> 32).digits)
            // A write of eight bytes covers two groups of four; the next write overwrites the second one.
            unsafe text.put(UInt32(high >> 32).digits, at: 0)
            unsafe text.put(second, at: 9)
            unsafe text.put(second >> 32, at: 14)
            unsafe text.put(third, at: 19)
            unsafe text.put(third >> 32, at: 24)
            unsafe text.put(UInt32(truncatingIfNeeded: low).digits, at: 28)
            for place in stride(from: 8, through: 23, by: 5) { unsafe text[place] = UInt8(ascii: "-") }
            return 36
        }
    }
}

extension UInt32 {
    /// The eight hexadecimal digits in lower case; the first one is the lowest byte.
    fileprivate var digits: UInt64 {
        var word = UInt64(byteSwapped)
        word = (word | word << 16) & 0x0000_FFFF_0000_FFFF
        word = (word | word << 8) & 0x00FF_00FF_00FF_00FF
        // One digit in each byte; the high digit of each pair is first.
        word = (word >> 4 | word << 8) & 0x0F0F_0F0F_0F0F_0F0F
        let letters = (word &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return word &+ 0x3030_3030_3030_3030 &+ letters &* UInt64(UInt8(ascii: "a") - UInt8(ascii: "0") - 10)
    }
}

extension UnsafeMutableRawBufferPointer {
    fileprivate func put(_ digits: UInt64, at place: Int) {
        unsafe storeBytes(of: digits.littleEndian, toByteOffset: place, as: UInt64.self)
    }
}
