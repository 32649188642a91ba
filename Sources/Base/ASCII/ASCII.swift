// What bytes are in ASCII, which names, numbers and tokens of the protocols are made of. Other bytes are none of it.

extension UInt8 {
    /// Whether it is a decimal digit.
    @inlinable package var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    /// Whether it is a letter of either case.
    @inlinable package var isLetter: Bool { self | 0x20 >= UInt8(ascii: "a") && self | 0x20 <= UInt8(ascii: "z") }

    /// Whether it is a letter of either case, or a decimal digit.
    @inlinable package var isLetterOrDigit: Bool { isLetter || isDigit }

    /// Whether it is a hexadecimal digit of either case.
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

    /// `a-z` for `A-Z`, and all else as it is.
    @inlinable package var lowercasedASCII: UInt8 {
        self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self
    }
}

extension StringProtocol {
    /// Whether both are the same but for the case of ASCII letters, as names in HTTP are compared.
    @inlinable package func isEqualIgnoringASCIICase(to other: some StringProtocol) -> Bool {
        utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { $0.lowercasedASCII == $1.lowercasedASCII }
    }
}

extension String {
    /// With `a-z` for `A-Z`, and all else as it is.
    package var lowercasedASCII: String {
        utf8.contains { $0 != $0.lowercasedASCII }
            ? String(decoding: utf8.map(\.lowercasedASCII), as: UTF8.self) : self
    }
}
