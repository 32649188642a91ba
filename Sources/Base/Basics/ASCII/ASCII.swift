// ASCII character classes, as used in names, numbers and tokens of protocols. Bytes from 128 belong to none.

extension UInt8 {
    /// Whether the byte is a decimal digit.
    @inlinable package var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    /// Whether the byte is a letter of either case.
    @inlinable package var isLetter: Bool { self | 0x20 >= UInt8(ascii: "a") && self | 0x20 <= UInt8(ascii: "z") }

    /// Whether the byte is a letter of either case, or a decimal digit.
    @inlinable package var isLetterOrDigit: Bool { isLetter || isDigit }

    /// Whether the byte is a hexadecimal digit of either case.
    @inlinable package var isHexadecimalDigit: Bool { hexadecimalValue != nil }

    /// The value of a hexadecimal digit of either case.
    @inlinable package var hexadecimalValue: Int? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(self - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(self - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(self - UInt8(ascii: "A")) + 10
        default: nil
        }
    }

    /// The lower-case hexadecimal digit of a number's lowest four bits.
    @inlinable package init(hexadecimalDigitOf number: UInt64) {
        let value = UInt8(truncatingIfNeeded: number & 15)
        self = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// The byte with `A-Z` replaced by `a-z`.
    @inlinable package var lowercasedASCII: UInt8 {
        self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self
    }
}

extension StringProtocol {
    /// Returns whether both strings are equal except for the case of ASCII letters, as HTTP compares names.
    @inlinable package func isEqualIgnoringASCIICase(to other: some StringProtocol) -> Bool {
        utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { $0.lowercasedASCII == $1.lowercasedASCII }
    }
}

extension String {
    /// The string with `A-Z` replaced by `a-z`.
    package var lowercasedASCII: String {
        utf8.contains { $0 != $0.lowercasedASCII }
            ? String(decoding: utf8.map(\.lowercasedASCII), as: UTF8.self) : self
    }
}
