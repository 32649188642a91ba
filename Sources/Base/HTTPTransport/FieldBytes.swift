// What the bytes of fields may be (RFC 9110, sections 5.5 and 5.6).

extension UInt8 {
    /// Whether it is a blank or a tab, which may stand around a value.
    @inlinable package var isBlank: Bool {
        self == UInt8(ascii: " ") || self == UInt8(ascii: "\t")
    }

    /// Whether it must not stand in a value: any control but the tab.
    @inlinable package var isControlInValue: Bool {
        (self < 0x20 && self != UInt8(ascii: "\t")) || self == 0x7f
    }

    /// Whether it may stand in a token, such as a method or the name of a field.
    @inlinable package var isTokenByte: Bool {
        // A bit for each byte below 128: letters, digits and !#$%&'*+-.^_`|~
        let (low, high): (UInt64, UInt64) = (0x03ff_6cfa_0000_0000, 0x57ff_ffff_c7ff_fffe)
        guard self < 0x80 else { return false }
        return ((self < 64 ? low : high) >> UInt64(self & 63)) & 1 == 1
    }
}

extension Sequence<UInt8> {
    /// Whether it is a token: one byte at least, and only such as may stand in one.
    @inlinable package var isToken: Bool {
        var isEmpty = true
        for byte in self {
            guard byte.isTokenByte else { return false }
            isEmpty = false
        }
        return !isEmpty
    }
}
