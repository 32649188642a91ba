import ASCII
import StrictJSON
import Timestamps

/// The sum over a record's bytes: as FNV-1a of 64 bits, but eight bytes at a time, the last filled up with zeros, and
/// stirred after each. The length counts too. A single changed byte always changes it.
enum ByteSum {
    /// The sum over bytes.
    ///
    /// - Parameters:
    ///   - bytes: Any.
    ///   - seed: Any other than the usual makes a hash of it that only who knows the seed can foresee.
    /// - Returns: The sum.
    static func of(_ bytes: Span<UInt8>, seed: UInt64 = 0xCBF2_9CE4_8422_2325) -> UInt64 {
        var sum = seed ^ UInt64(bytes.count)
        let last = bytes.count - 8
        var index = 0
        while index <= last {
            // The condition holds the place to the bounds.
            sum = step(sum, unsafe bytes.word(uncheckedAt: index))
            index &+= 8
        }
        let rest = bytes.count - index
        guard rest > 0 else { return sum }
        // The word that ends with the text has some bytes that were seen already.
        let end = last >= 0 ? bytes.word(at: last) >> UInt64((8 - rest) * 8) : bytes.shortWord
        return step(sum, end)
    }

    /// Stirs a word in.
    static func step(_ sum: UInt64, _ word: UInt64) -> UInt64 {
        let product = (sum ^ word) &* 0x0000_0100_0000_01B3
        return product ^ product >> 32
    }
}

extension Span<UInt8> {
    /// Fewer than eight bytes as one number, the first of them lowest.
    fileprivate var shortWord: UInt64 {
        switch count {
        case 0: return 0
        case 1: return UInt64(self[0])
        case 2...3:
            return UInt64(self[0]) | UInt64(self[1]) << 8 | UInt64(self[count - 1]) << UInt64((count - 1) * 8)
        default:
            // Both have the bytes in the middle, which are the same.
            return half(at: 0) | half(at: count - 4) << UInt64((count - 4) * 8)
        }
    }

    /// Four bytes as one number, the first of them lowest.
    private func half(at index: Int) -> UInt64 {
        UInt64(UInt32(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt32.self)))
    }
}

/// Numbers of 64 bits as sixteen hexadecimal digits: other readers of JSON would round them.
enum Hexadecimal {
    static let length = 16

    /// Appends the highest digits of a number.
    ///
    /// - Parameters:
    ///   - value: Any.
    ///   - length: How many digits, from 8 to ``length``; there must be room for them.
    ///   - output: Where they go.
    static func append(_ value: UInt64, digits length: Int = length, to output: inout OutputSpan<UInt8>) {
        output.append(8, bytesOf: word(UInt32(truncatingIfNeeded: value >> 32)))
        output.append(length - 8, bytesOf: word(UInt32(truncatingIfNeeded: value)))
    }

    /// All eight digits of a number of 32 bits, the first one lowest: each half byte gets a byte, all at once.
    private static func word(_ value: UInt32) -> UInt64 {
        var word = UInt64(value.byteSwapped)
        word = (word | word << 16) & 0x0000_FFFF_0000_FFFF
        word = (word | word << 8) & 0x00FF_00FF_00FF_00FF
        word = (word >> 4 | word << 8) & 0x0F0F_0F0F_0F0F_0F0F
        let letters = (word &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return word &+ 0x3030_3030_3030_3030 &+ letters &* UInt64(UInt8(ascii: "a") - UInt8(ascii: "0") - 10)
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
    /// How many bytes ``appendExact(to:)`` appends at most.
    static let lengthOfExact = lengthOfRFC3339 + 6

    /// Appends the instant in RFC 3339, to the nanosecond where it is no whole millisecond.
    func appendExact(to output: inout OutputSpan<UInt8>) {
        appendRFC3339(to: &output)
        let fraction = ((nanoseconds % 1_000_000_000) + 1_000_000_000) % 1_000_000_000
        var rest = fraction % 1_000_000
        guard rest > 0 else { return }
        // Six digits more in place of the last letter.
        output.append(repeating: UInt8(ascii: "Z"), count: 6)
        for place in (output.count - 7..<output.count - 1).reversed() {
            output[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }
}
