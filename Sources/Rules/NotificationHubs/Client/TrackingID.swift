/// Random names by which a request is found again in the service's logs.
public enum TrackingID {
    /// A new GUID, version 4, in lower case.
    ///
    /// - Returns: Such as `6f2c0f4e-3b0a-4c56-9d9a-0f1f1c3f6b11`.
    public static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }

    /// A new GUID from a generator of the caller's.
    ///
    /// - Parameter generator: Seeded, it gives the same names again.
    /// - Returns: A GUID, version 4.
    public static func random(using generator: inout some RandomNumberGenerator) -> String {
        let high = generator.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        return unsafe String(unsafeUninitializedCapacity: 36) { text in
            var place = 0
            for index in 0..<32 {
                if index == 8 || index == 12 || index == 16 || index == 20 {
                    unsafe text[place] = UInt8(ascii: "-")
                    place += 1
                }
                let word = index < 16 ? high : low
                let digit = UInt8(truncatingIfNeeded: word >> UInt64(60 - index % 16 * 4) & 15)
                unsafe text[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
                place += 1
            }
            return place
        }
    }
}
