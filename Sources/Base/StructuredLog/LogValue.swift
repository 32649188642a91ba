/// One value of metadata; written in JSON with its own type.
package enum LogValue: Sendable, Hashable {
    /// A text of any content; the handlers escape it.
    case string(String)
    /// A whole number, such as an offset.
    case integer(Int64)
    /// A number; JSON has `null` for those that are not finite.
    case double(Double)
    /// A truth value.
    case boolean(Bool)

    /// Makes a whole number of any type of integer, held at the ends of 64 bits.
    ///
    /// - Parameter value: Such as a count.
    package init(_ value: some BinaryInteger) {
        self = .integer(Int64(clamping: value))
    }

    /// Makes a text of what describes itself, such as a tag.
    ///
    /// - Parameter value: Its description is taken.
    package init(describing value: some CustomStringConvertible) {
        self = .string(value.description)
    }
}

extension LogValue: ExpressibleByStringInterpolation {
    /// Makes a text.
    package init(stringLiteral value: String) { self = .string(value) }
}

extension LogValue: ExpressibleByIntegerLiteral {
    /// Makes a whole number.
    package init(integerLiteral value: Int64) { self = .integer(value) }
}

extension LogValue: ExpressibleByFloatLiteral {
    /// Makes a number.
    package init(floatLiteral value: Double) { self = .double(value) }
}

extension LogValue: ExpressibleByBooleanLiteral {
    /// Makes a truth value.
    package init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension LogValue: CustomStringConvertible {
    /// The value as text, unescaped.
    package var description: String {
        switch self {
        case .string(let value): value
        case .integer(let value): value.description
        case .double(let value): value.description
        case .boolean(let value): value.description
        }
    }
}
