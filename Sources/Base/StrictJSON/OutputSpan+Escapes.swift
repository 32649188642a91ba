import NewsflashBasics

/// The escapes of JSON strings: those that JSON requires, and U+2028 and U+2029, which some readers treat as line ends.
extension Span<UInt8> {
    /// Returns the number of bytes of the escaped text from an index on.
    func escapedCount(from start: Int) -> Int {
        var sum = count - start
        var index = endOfUnescapedText(from: start)
        while index < count {
            let length = lengthToEscape(at: index)
            if length > 0 { sum += self[index].escapedLength - length }
            index = endOfUnescapedText(from: index + Swift.max(length, 1))
        }
        return sum
    }

    /// Returns the number of bytes at an index that must be escaped together.
    fileprivate func lengthToEscape(at index: Int) -> Int {
        switch self[index] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0..<0x20: return 1
        case 0xE2:
            let isSeparator = self[index + 1] == 0x80 && self[index + 2] & 0xFE == 0xA8
            return isSeparator ? 3 : 0
        default: return 0
        }
    }
}

extension UInt8 {
    /// The length of the escape that replaces a character beginning with this byte.
    fileprivate var escapedLength: Int {
        switch self {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x08, 0x09, 0x0A, 0x0C, 0x0D: 2
        default: 6
        }
    }
}

extension OutputSpan<UInt8> {
    /// Appends the escaped text from an index on; the capacity must suffice for ``Swift/Span/escapedCount(from:)``.
    ///
    /// - Parameters:
    ///   - content: UTF-8.
    ///   - start: The index of the first byte of a character.
    mutating func append(escaping content: Span<UInt8>, from start: Int) {
        var runStart = start
        var index = content.endOfUnescapedText(from: start)
        while index < content.count {
            let length = content.lengthToEscape(at: index)
            if length > 0 {
                append(content.extracting(runStart..<index))
                appendEscape(content, at: index)
                runStart = index + length
            }
            index = content.endOfUnescapedText(from: index + max(length, 1))
        }
        append(content.extracting(runStart..<content.count))
    }

    private mutating func append(_ run: Span<UInt8>) {
        unsafe run.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }

    private mutating func appendEscape(_ content: Span<UInt8>, at index: Int) {
        let byte = content[index]
        append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
        case 0x08: append(UInt8(ascii: "b"))
        case 0x09: append(UInt8(ascii: "t"))
        case 0x0A: append(UInt8(ascii: "n"))
        case 0x0C: append(UInt8(ascii: "f"))
        case 0x0D: append(UInt8(ascii: "r"))
        case 0xE2: append(word: content[index + 2] == 0xA8 ? "u2028" : "u2029")
        default:
            append(word: "u00")
            append(UInt8(hexadecimalDigitOf: UInt64(byte >> 4)))
            append(UInt8(hexadecimalDigitOf: UInt64(byte)))
        }
    }

    private mutating func append(word: String) {
        for byte in word.utf8 { append(byte) }
    }
}
