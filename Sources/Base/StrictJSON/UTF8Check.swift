/// Validates UTF-8 (Unicode 15, table 3-7): no overlong forms, no surrogates, nothing beyond U+10FFFF.
enum UTF8Check {
    /// Finds the first invalid sequence.
    ///
    /// - Returns: The offset of the first byte of the first invalid sequence; `nil` if all bytes are valid.
    static func firstFault(in bytes: Span<UInt8>) -> Int? {
        var index = 0
        while true {
            index = bytes.endOfASCII(from: index)
            guard index < bytes.count else { return nil }
            guard let length = sequenceLength(bytes, at: index, lead: bytes[index]) else { return index }
            index += length
        }
    }

    @inline(__always)
    private static func sequenceLength(_ bytes: Span<UInt8>, at index: Int, lead: UInt8) -> Int? {
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch lead {
        case 0xC2...0xDF:
            length = 2
        case 0xE0...0xEF:
            length = 3
            if lead == 0xE0 { second = 0xA0...0xBF }
            if lead == 0xED { second = 0x80...0x9F }
        case 0xF0...0xF4:
            length = 4
            if lead == 0xF0 { second = 0x90...0xBF }
            if lead == 0xF4 { second = 0x80...0x8F }
        default:
            return nil
        }
        guard index + length <= bytes.count, second.contains(bytes[index + 1]) else { return nil }
        for place in 2..<max(length, 2) where bytes[index + place] & 0xC0 != 0x80 { return nil }
        return length
    }
}
