import Timestamps

/// The sum over a record's bytes: as FNV-1a of 64 bits, but eight bytes at a time, the last filled up with zeros, and
/// stirred after each. The length counts too. A single changed byte always changes it.
enum ByteSum {
    static func of(_ bytes: Span<UInt8>) -> UInt64 {
        var sum = 0xCBF2_9CE4_8422_2325 ^ UInt64(bytes.count)
        unsafe bytes.withUnsafeBytes { bytes in
            var index = 0
            while index + 8 <= bytes.count {
                sum = step(sum, unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian)
                index += 8
            }
            guard index < bytes.count else { return }
            var last: UInt64 = 0
            for place in (index..<bytes.count).reversed() { last = unsafe last << 8 | UInt64(bytes[place]) }
            sum = step(sum, last)
        }
        return sum
    }

    private static func step(_ sum: UInt64, _ word: UInt64) -> UInt64 {
        let product = (sum ^ word) &* 0x0000_0100_0000_01B3
        return product ^ product >> 32
    }
}

/// Numbers of 64 bits as sixteen hexadecimal digits: other readers of JSON would round them.
enum Hexadecimal {
    static func text(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    /// Reads sixteen lower case digits.
    static func value(_ digits: Span<UInt8>) -> UInt64? {
        guard digits.count == 16 else { return nil }
        var value: UInt64 = 0
        for index in digits.indices {
            let digit: UInt8
            switch digits[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = digits[index] - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = digits[index] - UInt8(ascii: "a") + 10
            default: return nil
            }
            value = value << 4 | UInt64(digit)
        }
        return value
    }
}

extension Timestamp {
    /// The instant in RFC 3339, to the nanosecond where it is no whole millisecond.
    var exactText: String {
        let text = rfc3339
        let fraction = ((nanoseconds % 1_000_000_000) + 1_000_000_000) % 1_000_000_000
        guard !fraction.isMultiple(of: 1_000_000) else { return text }
        let digits = String(fraction)
        return text.prefix(20) + String(repeating: "0", count: 9 - digits.utf8.count) + digits + "Z"
    }
}
