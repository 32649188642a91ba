/// A value of metadata, written in JSON with its own type.
package enum LogValue: Sendable, Hashable {
    /// A text, which handlers escape.
    case string(String)
    /// An integer, such as an offset.
    case integer(Int64)
    /// A number; written as `null` in JSON if it is not finite.
    case double(Double)
    /// A truth value.
    case boolean(Bool)

    /// Creates an integer, clamped to 64 bits.
    ///
    /// - Parameter value: The integer, for example a count.
    package init(_ value: some BinaryInteger) {
        self = .integer(Int64(clamping: value))
    }

    /// Creates a text from a value's description.
    ///
    /// - Parameter value: The value, for example a tag.
    package init(describing value: some CustomStringConvertible) {
        self = .string(value.description)
    }
}

extension LogValue: ExpressibleByStringInterpolation {
    /// Creates a text.
    package init(stringLiteral value: String) { self = .string(value) }
}

extension LogValue: ExpressibleByIntegerLiteral {
    /// Creates an integer.
    package init(integerLiteral value: Int64) { self = .integer(value) }
}

extension LogValue: ExpressibleByFloatLiteral {
    /// Creates a number.
    package init(floatLiteral value: Double) { self = .double(value) }
}

extension LogValue: ExpressibleByBooleanLiteral {
    /// Creates a truth value.
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
