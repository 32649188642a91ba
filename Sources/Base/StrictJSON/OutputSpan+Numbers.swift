import NewsflashBasics

/// Numbers appended to reserved capacity, decimal ones eight digits at a time.
extension OutputSpan<UInt8> {
    /// Appends the digits of an integer, at most 20 bytes; the capacity must suffice.
    package mutating func append(digitsOf value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        append(digitsOf: value.magnitude)
    }

    /// Appends the digits of an unsigned number: first the leading digits, then the last eight.
    private mutating func append(digitsOf value: UInt64) {
        // Most numbers are small counts.
        if value < 10 { return append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value)) }
        guard value >= 100_000_000 else {
            let digits = DecimalDigits.word(UInt32(truncatingIfNeeded: value))
            let zeros = min(digits.trailingZeroBitCount / 8, 7)
            return append(8 - zeros, bytesOf: (digits | DecimalDigits.zeros) >> UInt64(zeros * 8))
        }
        append(digitsOf: value / 100_000_000)
        let last = DecimalDigits.word(UInt32(truncatingIfNeeded: value % 100_000_000))
        append(8, bytesOf: last | DecimalDigits.zeros)
    }

    /// Appends all 16 hexadecimal digits of a number, in lower case; the capacity must suffice.
    package mutating func append(hexadecimalDigitsOf value: UInt64) {
        for shift in stride(from: UInt64(60), through: 0, by: -4) { append(UInt8(hexadecimalDigitOf: value >> shift)) }
    }

    /// Appends a fraction with its point and without trailing zeros; nothing for zero; the capacity must suffice.
    ///
    /// - Parameters:
    ///   - fraction: A number below ten to the power of `digits`.
    ///   - digits: The number of digits, at most eight.
    mutating func append(fraction: UInt32, digits: Int) {
        guard fraction > 0 else { return }
        let word = DecimalDigits.word(fraction) >> UInt64((8 - digits) * 8)
        append(UInt8(ascii: "."))
        append(8 - word.leadingZeroBitCount / 8, bytesOf: word | DecimalDigits.zeros)
    }

    /// Appends a number with at most three decimals; needs a capacity of 32 bytes.
    mutating func append(milliseconds value: Double) {
        let rounded = (value * 1000).rounded()
        guard let thousandths = Int64(exactly: rounded) else { return append(shortest: value) }
        if thousandths < 0 { append(UInt8(ascii: "-")) }
        append(digitsOf: Int64(clamping: thousandths.magnitude / 1000))
        append(fraction: UInt32(truncatingIfNeeded: thousandths.magnitude % 1000), digits: 3)
    }

    /// Appends a number in the shortest form that parses to the same value, or `null` for infinity and NaN; needs a
    /// capacity of 32 bytes.
    package mutating func append(shortest value: Double) {
        let magnitude = value.magnitude
        let millionths = UInt64(exactly: (min(magnitude, 1e9) * 1e6).rounded()) ?? 0
        // Below 10¹⁵, two different numbers of that many decimal digits are never the same double, so a form that parses
        // back is the shortest.
        if millionths > 1000, millionths < 1_000_000_000_000_000, Double(millionths) / 1e6 == magnitude {
            if value < 0 { append(UInt8(ascii: "-")) }
            append(digitsOf: Int64(millionths / 1_000_000))
            let fraction = UInt32(truncatingIfNeeded: millionths % 1_000_000)
            if fraction > 0 { return append(fraction: fraction, digits: 6) }
            append(UInt8(ascii: "."))
            return append(UInt8(ascii: "0"))
        }
        unsafe (value.isFinite ? value.description : "null").withBytes { unsafe append(contentsOf: $0) }
    }
}

/// Decimal digits as the bytes of a word, the first one lowest.
private enum DecimalDigits {
    /// Added to digit values to obtain ASCII digits.
    static let zeros: UInt64 = 0x3030_3030_3030_3030

    /// Returns the values of all eight digits of a number below 10⁸, computed by halving.
    @inline(__always)
    static func word(_ number: UInt32) -> UInt64 {
        let high = UInt64(number / 10_000)
        var word = high | (UInt64(number) &- high &* 10_000) << 32
        let hundreds = (word &* 10_486) >> 20 & 0x0000_007F_0000_007F
        word = hundreds | (word &- hundreds &* 100) << 16
        let tens = (word &* 103) >> 10 & 0x000F_000F_000F_000F
        return tens | (word &- tens &* 10) << 8
    }
}
