/// A JSON number as written in the text.
///
/// Equality compares the spelling: `1` and `1.0` are different.
public struct JSONNumber: Sendable, Hashable, CustomStringConvertible {
    /// The spelling, which follows the grammar of RFC 8259.
    public let text: String

    /// Creates a number from a valid spelling.
    init(checked text: String) {
        self.text = text
    }

    /// Creates an integer.
    ///
    /// - Parameter value: The value, written in decimal.
    public init(_ value: Int64) {
        text = String(value)
    }

    /// Creates a number from its spelling.
    ///
    /// - Parameter text: The spelling; `nil` if RFC 8259 does not allow it, as with `01`, `+1`, `.5` or `NaN`.
    public init?(_ text: String) {
        guard case .number(let number)? = try? JSONReader.read(text), number.text.utf8.count == text.utf8.count else {
            return nil
        }
        self = number
    }

    /// The spelling.
    public var description: String { text }

    /// The nearest double; infinite if the number is out of range.
    public var double: Double { Double(text) ?? .nan }

    /// The number as an integer; `nil` unless it is exactly one within 64 bits.
    ///
    /// `1.0`, `1e2` and `100e-2` are integers, as in JSON Schema 2020-12; `1.5` and `1e19` are not.
    public var int64: Int64? { Int64(text) ?? integerOfFractionOrExponent }

    private var integerOfFractionOrExponent: Int64? {
        var digits: [UInt8] = []
        var scale = 0
        var exponent = 0
        var exponentIsNegative = false
        var part = Part.whole
        for byte in text.utf8 {
            switch (byte, part) {
            case (UInt8(ascii: "."), _): part = .fraction
            case (UInt8(ascii: "e"), _), (UInt8(ascii: "E"), _): part = .exponent
            case (UInt8(ascii: "-"), .exponent): exponentIsNegative = true
            case (UInt8(ascii: "-"), _), (UInt8(ascii: "+"), _): break
            case (_, .exponent): exponent = min(exponent * 10 + Int(byte - UInt8(ascii: "0")), Self.exponentBound)
            default:
                if part == .fraction { scale += 1 }
                if byte != UInt8(ascii: "0") || !digits.isEmpty { digits.append(byte - UInt8(ascii: "0")) }
            }
        }
        while digits.last == 0 {
            digits.removeLast()
            scale -= 1
        }
        guard !digits.isEmpty else { return 0 }
        let zeros = (exponentIsNegative ? -exponent : exponent) - scale
        guard zeros >= 0, digits.count + zeros <= Self.mostDigits else { return nil }
        let written = digits + [UInt8](repeating: 0, count: zeros)
        return Self.integer(written, isNegative: text.utf8.first == UInt8(ascii: "-"))
    }

    private enum Part { case whole, fraction, exponent }

    /// Larger than the length of any text, and too small to overflow.
    private static let exponentBound = 1_000_000_000_000_000
    private static let mostDigits = 19

    private static func integer(_ digits: [UInt8], isNegative: Bool) -> Int64? {
        var value: Int64 = 0
        for digit in digits {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let signed = isNegative ? -Int64(digit) : Int64(digit)
            let (sum, overflowOfSum) = product.addingReportingOverflow(signed)
            guard !overflow, !overflowOfSum else { return nil }
            value = sum
        }
        return value
    }
}
