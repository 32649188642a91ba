import NewsflashBasics

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
            // The shift that moves the next digit to the lowest four bits.
            var shift = 124
            for place in 0..<36 {
                if place == 8 || place == 13 || place == 18 || place == 23 {
                    unsafe text[place] = UInt8(ascii: "-")
                    continue
                }
                let half = shift < 64 ? low : high
                unsafe text[place] = UInt8(hexadecimalDigitOf: half >> (shift % 64))
                shift -= 4
            }
            return 36
        }
    }
}
