/// The base 64 encoding with the standard alphabet and padding (RFC 4648, section 4).
public enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    /// Encodes bytes.
    ///
    /// - Parameter bytes: Any number of bytes, including none.
    /// - Returns: Text without line breaks, whose length is a multiple of four.
    public static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var group: UInt32 = 0
            for offset in 0..<3 { group = group << 8 | (offset < count ? UInt32(bytes[start + offset]) : 0) }
            for position in 0...3 {
                text.append(position <= count ? alphabet[Int(group >> (18 - 6 * UInt32(position)) & 63)] : padding)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes text.
    ///
    /// - Parameter text: Must be padded, without white space, and without bits set beyond the last byte.
    /// - Returns: `nil` for anything that ``encode(_:)`` does not produce.
    public static func decode(_ text: String) -> [UInt8]? {
        let characters = Array(text.utf8)
        guard characters.count.isMultiple(of: 4) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count / 4 * 3)
        for start in stride(from: 0, to: characters.count, by: 4) {
            let group = characters[start..<start + 4]
            let count = group.firstIndex(of: padding).map { $0 - start } ?? 4
            let isLast = start + 4 == characters.count
            guard count == 4 || (isLast && count >= 2 && group.dropFirst(count).allSatisfy { $0 == padding })
            else { return nil }
            var bits: UInt32 = 0
            for offset in 0..<4 {
                guard let value = offset < count ? value(of: characters[start + offset]) : 0 else { return nil }
                bits = bits << 6 | value
            }
            guard count == 4 || bits & (count == 3 ? 0xFF : 0xFFFF) == 0 else { return nil }
            for offset in 0..<(count - 1) { bytes.append(UInt8(bits >> (16 - 8 * UInt32(offset)) & 0xFF)) }
        }
        return bytes
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
