extension JSONWriter {
    /// Writes a string alone, for a text whose rest is laid out elsewhere.
    ///
    /// - Parameters:
    ///   - text: Without escapes.
    ///   - bytes: Where it goes, with quotes around it.
    public static func appendString(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { unsafe appendString($0, to: &bytes) }
    }

    static func appendString(_ buffer: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        let content = unsafe Span(_unsafeElements: buffer)
        var runStart = 0
        var index = content.endOfUnescapedText(from: 0)
        while index < content.count {
            let length = lengthToEscape(content, at: index)
            if length > 0 {
                unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[runStart..<index]))
                appendEscape(content, at: index, to: &bytes)
                runStart = index + length
            }
            index = content.endOfUnescapedText(from: index + max(length, 1))
        }
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[runStart...]))
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends the digits of an integer.
    ///
    /// - Parameters:
    ///   - value: Any.
    ///   - bytes: Where they go.
    public static func appendInteger(_ value: Int64, to bytes: inout [UInt8]) {
        bytes.append(addingCapacity: 20) { $0.append(digitsOf: value) }
    }

    /// How many bytes at a place must be written in another way.
    private static func lengthToEscape(_ content: Span<UInt8>, at index: Int) -> Int {
        switch content[index] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0..<0x20: return 1
        case 0xE2:
            let isSeparator = content[index + 1] == 0x80 && content[index + 2] & 0xFE == 0xA8
            return isSeparator ? 3 : 0
        default: return 0
        }
    }

    private static func appendEscape(_ content: Span<UInt8>, at index: Int, to bytes: inout [UInt8]) {
        let byte = content[index]
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0xE2: bytes.append(contentsOf: (content[index + 2] == 0xA8 ? "u2028" : "u2029").utf8)
        default:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(UInt8(ascii: "0") + byte >> 4)
            let low = byte & 0x0F
            bytes.append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether nothing of the text has to be escaped.
    var isPlain: Bool { unsafe Span(_unsafeElements: self).endOfUnescapedText(from: 0) == count }
}
