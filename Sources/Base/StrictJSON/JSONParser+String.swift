extension JSONParser {
    /// Parses a string; the position is at its opening quote.
    mutating func string(_ bytes: Span<UInt8>) throws(JSONError) -> String {
        let start = position + 1
        let (end, isASCII) = bytes.endOfPlainText(from: start)
        position = end
        guard end < bytes.count else { throw endOfText() }
        guard bytes[end] == UInt8(ascii: "\"") else { return try stringWithEscapes(bytes, from: start) }
        position = end + 1
        return bytes.text(start..<end, isASCII: isASCII)
    }

    private mutating func stringWithEscapes(_ bytes: Span<UInt8>, from start: Int) throws(JSONError) -> String {
        var result: [UInt8] = []
        var runStart = start
        while true {
            let end = bytes.endOfPlainText(from: runStart).end
            for index in runStart..<end { result.append(bytes[index]) }
            position = end
            guard end < bytes.count else { throw endOfText() }
            switch bytes[end] {
            case UInt8(ascii: "\""):
                position = end + 1
                return String(decoding: result, as: UTF8.self)
            case UInt8(ascii: "\\"):
                try escape(bytes, into: &result)
                runStart = position
            default:
                throw JSONError(.syntax, at: end, "unescaped control character in a string")
            }
        }
    }

    /// Parses an escape; the position is at its backslash.
    private mutating func escape(_ bytes: Span<UInt8>, into result: inout [UInt8]) throws(JSONError) {
        let start = position
        guard start + 1 < bytes.count else { throw endOfText() }
        position = start + 2
        switch bytes[start + 1] {
        case UInt8(ascii: "\""): result.append(UInt8(ascii: "\""))
        case UInt8(ascii: "\\"): result.append(UInt8(ascii: "\\"))
        case UInt8(ascii: "/"): result.append(UInt8(ascii: "/"))
        case UInt8(ascii: "b"): result.append(0x08)
        case UInt8(ascii: "f"): result.append(0x0C)
        case UInt8(ascii: "n"): result.append(0x0A)
        case UInt8(ascii: "r"): result.append(0x0D)
        case UInt8(ascii: "t"): result.append(0x09)
        case UInt8(ascii: "u"):
            let scalar = try escapedScalar(bytes, from: start)
            result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        default:
            throw JSONError(.syntax, at: start, "invalid escape sequence")
        }
    }

    /// Parses four hexadecimal digits, and the second half of a surrogate pair if they are the first; the position is at
    /// the digits.
    private mutating func escapedScalar(_ bytes: Span<UInt8>, from start: Int) throws(JSONError) -> Unicode.Scalar {
        let unit = try fourHexDigits(bytes)
        if let scalar = Unicode.Scalar(unit) { return scalar }
        let lone = JSONError(.syntax, at: start, "unpaired escaped surrogate")
        guard unit < 0xDC00, position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
            bytes[position + 1] == UInt8(ascii: "u")
        else { throw lone }
        position += 2
        let second = try fourHexDigits(bytes)
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + ((unit - 0xD800) << 10) + (second - 0xDC00))
        else { throw lone }
        return scalar
    }

    private mutating func fourHexDigits(_ bytes: Span<UInt8>) throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard position < bytes.count else { throw endOfText() }
            let byte = bytes[position]
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            default: throw JSONError(.syntax, at: position, "the escape \\u needs four hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }
}
