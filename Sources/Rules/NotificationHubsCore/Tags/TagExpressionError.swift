/// Why a text or a set of tags is no tag expression.
public struct TagExpressionError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The short label for metrics.
        public var rawValue: String

        /// Makes a code.
        ///
        /// - Parameter rawValue: A short label in snake case.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// There is no tag. An empty header would be a broadcast to every device.
        public static let empty = Code(rawValue: "expression_empty")
        /// Operators, tags and parentheses do not fit together.
        public static let syntax = Code(rawValue: "expression_syntax")
        /// A tag has a character too many or a wrong one.
        public static let invalidTag = Code(rawValue: "expression_invalid_tag")
        /// There are more tags than the hub takes: 20 with `||` only, else 6.
        public static let tooManyTags = Code(rawValue: "expression_too_many_tags")
        /// Parentheses nest too deep.
        public static let tooDeep = Code(rawValue: "expression_too_deep")
        /// The text is longer than ``TagExpression/maximumLength``.
        public static let tooLong = Code(rawValue: "expression_too_long")
    }

    /// What is wrong.
    public let code: Code
    /// What is wrong and what belongs there.
    public let message: String
    /// Where, in bytes of UTF-8 from the start of the text; zero where there was no text.
    public let offset: Int

    init(_ code: Code, _ message: String, offset: Int) {
        self.code = code
        self.message = message
        self.offset = offset
    }

    static func tooManyTags(_ count: Int, limit: Int, offset: Int) -> TagExpressionError {
        TagExpressionError(
            .tooManyTags,
            "the hub takes at most \(TagExpression.maximumTagsWithOrOnly) tags joined with || only, "
                + "or \(TagExpression.maximumTagsMixed) with && or !; tag \(count) is beyond \(limit): "
                + "split the audience into several sends",
            offset: offset
        )
    }

    /// The message with the place and the label.
    public var description: String { "\(message) (at byte \(offset)) [\(code.rawValue)]" }
}
