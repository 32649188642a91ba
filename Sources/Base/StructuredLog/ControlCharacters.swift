extension Unicode.Scalar {
    /// Whether the scalar could end a line, steer a terminal or turn the direction of what stands beside it.
    ///
    /// C0 and C1 controls, the line and paragraph separators, and the embeddings, overrides and isolates of UAX #9.
    var mustBeEscaped: Bool {
        switch value {
        case 0..<0x20, 0x7F...0x9F, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the bytes are a word of visible ASCII that needs no quotes, as nearly all values are.
    var isBareASCIIWord: Bool {
        // Without a branch a byte, so that many are looked at together.
        var surprises: UInt8 = isEmpty ? 1 : 0
        for index in indices {
            let byte = unsafe self[index]
            surprises |= byte &- 0x21 > 0x7E - 0x21 ? 1 : 0
            surprises |= byte == UInt8(ascii: "\"") ? 1 : 0
            surprises |= byte == UInt8(ascii: "\\") ? 1 : 0
            surprises |= byte == UInt8(ascii: "=") ? 1 : 0
        }
        return surprises == 0
    }

    /// Whether nothing has to be escaped: printing ASCII, without quotes and backslashes where these stand around.
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
    /// Appends a text with its control characters as `\n`, `\r`, `\t` or `\uXXXX`.
    ///
    /// - Parameters:
    ///   - text: Anything.
    ///   - isQuoted: Whether quotes stand around, so that quotes and backslashes are escaped too.
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
