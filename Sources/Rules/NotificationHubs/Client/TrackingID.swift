import NewsflashBasics

/// Random IDs by which a request can be found in the service's logs.
package enum TrackingID {
    /// Returns a new version 4 GUID in lower case.
    ///
    /// - Returns: The ID, for example `6f2c0f4e-3b0a-4c56-9d9a-0f1f1c3f6b11`.
    package static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }

    /// Returns a new GUID from the given generator.
    ///
    /// - Parameter generator: The generator; with a seed, the IDs are reproducible.
    /// - Returns: A GUID, version 4.
    package static func random(using generator: inout some RandomNumberGenerator) -> String {
        let words = [
            generator.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000,
            generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000,
        ]
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for word in words {
            for shift in stride(from: UInt64(60), through: 0, by: -4) {
                text.append(UInt8(hexadecimalDigitOf: word >> shift))
                if [8, 13, 18, 23].contains(text.count) { text.append(UInt8(ascii: "-")) }
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
