extension XMLWriter {
    /// Appends escaped text, for callers that lay out the rest of the document themselves.
    ///
    /// - Parameters:
    ///   - text: The text without escapes.
    ///   - bytes: The buffer.
    public static func appendText(_ text: String, to bytes: inout [UInt8]) {
        append(text, to: &bytes, isAttribute: false)
    }

    /// Appends the escaped value of an attribute without the quotes around it, which must be double quotes.
    ///
    /// - Parameters:
    ///   - value: The value without escapes.
    ///   - bytes: The buffer.
    public static func appendAttributeValue(_ value: String, to bytes: inout [UInt8]) {
        append(value, to: &bytes, isAttribute: true)
    }

    private static func append(_ text: String, to bytes: inout [UInt8], isAttribute: Bool) {
        var text = text
        text.withUTF8 { buffer in
            let content = unsafe Span(_unsafeElements: buffer)
            var runStart = 0
            var index = 0
            while index < content.count {
                let length = lengthToReplace(content, at: index, isAttribute: isAttribute)
                if length > 0 {
                    unsafe bytes.append(contentsOf: buffer[runStart..<index])
                    bytes.append(contentsOf: replacement(of: content[index]).utf8)
                    runStart = index + length
                }
                index += max(length, 1)
            }
            unsafe bytes.append(contentsOf: buffer[runStart..<content.count])
        }
    }

    /// Returns the number of bytes at an index that must be replaced.
    private static func lengthToReplace(_ content: Span<UInt8>, at index: Int, isAttribute: Bool) -> Int {
        switch content[index] {
        // XML only forbids `]]>` in text, but escaping every `>` is common.
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"): return 1
        // Parsers convert these to blanks in attributes, and carriage returns to line feeds everywhere.
        case UInt8(ascii: "\""), 0x09, 0x0A: return isAttribute ? 1 : 0
        case 0..<0x20: return 1
        // XML does not allow U+FFFE and U+FFFF.
        case 0xEF: return content[index + 1] == 0xBF && content[index + 2] >= 0xBE ? 3 : 0
        default: return 0
        }
    }

    private static func replacement(of byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\""): "&quot;"
        case 0x09: "&#9;"
        case 0x0A: "&#10;"
        case 0x0D: "&#13;"
        default: "\u{FFFD}"
        }
    }
}
