/// An invalid tag expression.
public struct TagExpressionError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of the error.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The short label for metrics.
        public var rawValue: String

        /// Creates a code.
        ///
        /// - Parameter rawValue: The label, in snake case.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// There is no tag. An empty header would mean a broadcast to every device.
        public static let empty = Code(rawValue: "expression_empty")
        /// Operators, tags and parentheses are not in a valid order.
        public static let syntax = Code(rawValue: "expression_syntax")
        /// A tag is too long or has an invalid character.
        public static let invalidTag = Code(rawValue: "expression_invalid_tag")
        /// There are more tags than the hub accepts: 20 with `||` only, otherwise 6.
        public static let tooManyTags = Code(rawValue: "expression_too_many_tags")
        /// Parentheses are nested too deeply.
        public static let tooDeep = Code(rawValue: "expression_too_deep")
        /// The text exceeds ``TagExpression/maximumLength``.
        public static let tooLong = Code(rawValue: "expression_too_long")
    }

    /// The kind of the error.
    public let code: Code
    /// The fault and the expected form.
    public let message: String
    /// The position, in bytes of UTF-8 from the start of the text; zero if there was no text.
    public let offset: Int

    init(_ code: Code, _ message: String, offset: Int) {
        self.code = code
        self.message = message
        self.offset = offset
    }

    static func tooManyTags(_ count: Int, limit: Int, offset: Int) -> TagExpressionError {
        TagExpressionError(
            .tooManyTags,
            "the hub accepts at most \(TagExpression.maximumTagsWithOrOnly) tags joined with || only, "
                + "or \(TagExpression.maximumTagsMixed) with && or !; tag \(count) exceeds the limit of \(limit): "
                + "split the audience into several sends",
            offset: offset
        )
    }

    /// The message with position and code.
    public var description: String { "\(message) (at byte \(offset)) [\(code.rawValue)]" }
}
