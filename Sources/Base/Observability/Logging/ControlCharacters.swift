extension Unicode.Scalar {
    /// Whether the scalar could end a line, control a terminal or change the text direction.
    ///
    /// Includes C0 and C1 controls, the line and paragraph separators, and the embeddings, overrides and isolates of UAX
    /// #9.
    var mustBeEscaped: Bool {
        switch value {
        case 0..<0x20, 0x7F...0x9F, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

/// Examines eight bytes of a text at a time; the lowest byte whose highest bit is set counts.
extension UInt64 {
    /// Marks bytes that require quotes around a word: all except visible ASCII, and also quotes, backslashes and equals
    /// signs.
    var marksOfBareWords: UInt64 {
        marksOfQuotedText | (self &- 0x2121_2121_2121_2121) | marks(of: UInt8(ascii: "="))
    }

    /// Marks bytes that may need escapes between quotes: all except printable ASCII, and also quotes and backslashes.
    var marksOfQuotedText: UInt64 {
        let control = self &- 0x2020_2020_2020_2020
        return self | control | marks(of: 0x7F) | marks(of: UInt8(ascii: "\"")) | marks(of: UInt8(ascii: "\\"))
    }

    /// Marks an ASCII byte, and some non-ASCII bytes. A borrow only reaches bytes after a hit.
    @inline(__always)
    private func marks(of byte: UInt8) -> UInt64 {
        (self ^ UInt64(byte) &* 0x0101_0101_0101_0101) &- 0x0101_0101_0101_0101
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns whether nothing needs escapes: only printable ASCII, and no quotes and backslashes if `isQuoted`.
    func isPlain(isQuoted: Bool) -> Bool {
        var surprises: UInt8 = 0
        for index in indices {
            let byte = unsafe self[index]
            surprises |= byte &- 0x20 > 0x7E - 0x20 ? 1 : 0
            surprises |= isQuoted && (byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")) ? 1 : 0
        }
        return surprises == 0
    }
}

extension [UInt8] {
    /// Appends a text with its control characters escaped as `\n`, `\r`, `\t` or `\uXXXX`.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - isQuoted: Whether the text is between quotes, so that quotes and backslashes are escaped too.
    package mutating func append(escaping text: String, isQuoted: Bool) {
        var plain = text
        let isPlain = plain.withUTF8 { bytes in
            guard unsafe bytes.isPlain(isQuoted: isQuoted) else { return false }
            unsafe append(contentsOf: bytes)
            return true
        }
        guard !isPlain else { return }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": append(contentsOf: #"\n"#.utf8)
            case "\r": append(contentsOf: #"\r"#.utf8)
            case "\t": append(contentsOf: #"\t"#.utf8)
            case "\"" where isQuoted, "\\" where isQuoted:
                append(UInt8(ascii: "\\"))
                append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            case _ where scalar.mustBeEscaped:
                let digits = String(scalar.value, radix: 16)
                append(contentsOf: #"\u"#.utf8)
                append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count))
                append(contentsOf: digits.utf8)
            default:
                append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
    }
}
