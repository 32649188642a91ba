/// Why a text is no expression, or a template none that the hub takes.
///
/// The hub answers 400. Where the .NET SDK checks the same, ``message`` begins with the SDK's words.
public struct TemplateError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong; the label for metrics and tests.
    public let code: Code
    /// What is wrong, in words; may repeat the expression, which is the device's own.
    public let message: String
    /// The field: `/body/aps/alert`, `/body/toast/visual/text[2]`, `/headers/X-WNS-Type`, `/expiry`; empty for an
    /// expression on its own.
    ///
    /// The steps within a JSON body are a JSON Pointer (RFC 6901), those within an XML body names with a count where it is
    /// not the first of its name, and `@` before an attribute's.
    public let path: String
    /// Where in the field, in bytes of UTF-8 after the escapes of JSON or XML are undone.
    public let offset: Int

    init(_ code: Code, _ message: String, path: String = "", offset: Int = 0) {
        self.code = code
        self.message = message
        self.path = path
        self.offset = offset
    }

    /// The message with the place and the label.
    public var description: String { "\(path.isEmpty ? "" : path + ": ")\(message) [\(code.rawValue)]" }

    /// The same fault with the field that it stands in.
    func inside(_ path: String) -> TemplateError {
        TemplateError(code, message, path: path + self.path, offset: offset)
    }
}

extension TemplateError {
    /// What is wrong with an expression or a template.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The short label for metrics.
        public var rawValue: String

        /// Makes a code.
        ///
        /// - Parameter rawValue: A short label in snake case.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// No `(` follows `$`, `.`, `%` or `#`.
        public static let missingOpening = Code(rawValue: "template_missing_opening")
        /// A `)`, or the `}` that must end the field, is missing.
        public static let missingClosing = Code(rawValue: "template_missing_closing")
        /// A text in quotes has no end.
        public static let unclosedLiteral = Code(rawValue: "template_unclosed_literal")
        /// Something other than `+` follows a token.
        public static let invalidOperator = Code(rawValue: "template_invalid_operator")
        /// A comma stands in `%()` or `#()`.
        public static let unexpectedLength = Code(rawValue: "template_unexpected_length")
        /// `.()` has no comma.
        public static let missingLength = Code(rawValue: "template_missing_length")
        /// What follows the comma is no number from zero to 2147483647.
        public static let invalidLength = Code(rawValue: "template_invalid_length")
        /// A token begins with a character that none begins with.
        public static let invalidToken = Code(rawValue: "template_invalid_token")
        /// Fewer than three characters are left for a token.
        public static let tokenTooShort = Code(rawValue: "template_token_too_short")
        /// `:{` has no `}`.
        public static let unclosedDefault = Code(rawValue: "template_unclosed_default")
        /// A property's name is empty or has a character other than `A-Z a-z 0-9 _`.
        public static let invalidProperty = Code(rawValue: "template_invalid_property")
        /// A property's name has more than ``TemplateProperty/maximumNameLength`` characters.
        public static let propertyTooLong = Code(rawValue: "template_property_too_long")
        /// `#()` stands with other tokens or in braces.
        public static let numberInComposite = Code(rawValue: "template_number_in_composite")
        /// `$body` is not supported.
        public static let bodyExpression = Code(rawValue: "template_body_expression")
        /// The body is not what the platform's templates are written in.
        public static let invalidBody = Code(rawValue: "template_invalid_body")
        /// A name in a JSON body begins as an expression does.
        public static let expressionInName = Code(rawValue: "template_expression_in_name")
        /// The template's name has more than ``TemplateDescription/maximumNameLength`` characters.
        public static let nameTooLong = Code(rawValue: "template_name_too_long")
        /// The platform's templates have no headers.
        public static let headersNotAllowed = Code(rawValue: "template_headers_not_allowed")
        /// A header's name or value is not allowed.
        public static let invalidHeader = Code(rawValue: "template_invalid_header")
        /// A header is missing that cannot be found out from the body.
        public static let missingHeader = Code(rawValue: "template_missing_header")
        /// The expiry is empty, or neither an expression, a date nor `0`.
        public static let invalidExpiry = Code(rawValue: "template_invalid_expiry")
        /// The priority is empty, or neither an expression nor a number up to 255.
        public static let invalidPriority = Code(rawValue: "template_invalid_priority")
    }
}
