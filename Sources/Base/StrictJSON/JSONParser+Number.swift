extension JSONParser {
    /// Parses a number; the position is at its minus sign or first digit.
    mutating func number(_ bytes: Span<UInt8>) throws(JSONError) -> JSONNumber {
        let start = position
        if bytes[position] == UInt8(ascii: "-") { position += 1 }
        let firstDigit = position
        try digits(bytes, "a digit after the minus is missing")
        guard bytes[firstDigit] != UInt8(ascii: "0") || position == firstDigit + 1 else {
            throw JSONError(.syntax, at: firstDigit, "a number must not begin with 0")
        }
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            position += 1
            try digits(bytes, "a digit after the decimal point is missing")
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            position += 1
            if position < bytes.count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
                position += 1
            }
            try digits(bytes, "a digit of the exponent is missing")
        }
        return JSONNumber(checked: bytes.text(start..<position, isASCII: true))
    }

    private mutating func digits(_ bytes: Span<UInt8>, _ message: String) throws(JSONError) {
        let start = position
        while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) {
            position += 1
        }
        guard position > start else {
            throw position < bytes.count ? JSONError(.syntax, at: position, message) : endOfText()
        }
    }
}
