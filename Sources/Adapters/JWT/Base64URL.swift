internal import ASCII
internal import Signing

/// The base 64 encoding with the alphabet for URLs and without padding (RFC 7515, section 2).
enum Base64URL {
    /// Decodes text.
    ///
    /// - Parameter text: The text. Strict: no padding, no white space, no bits set after the last byte.
    /// - Returns: `nil` for text that no encoder would produce.
    static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var standard: [UInt8] = []
        standard.reserveCapacity(text.count + 2)
        for byte in text {
            switch byte {
            case UInt8(ascii: "-"): standard.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): standard.append(UInt8(ascii: "/"))
            case let byte where byte.isLetterOrDigit: standard.append(byte)
            default: return nil
            }
        }
        guard standard.count % 4 != 1 else { return nil }
        while !standard.count.isMultiple(of: 4) { standard.append(UInt8(ascii: "=")) }
        return Base64.decode(String(decoding: standard, as: UTF8.self))
    }
}
