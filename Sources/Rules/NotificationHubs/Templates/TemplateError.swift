/// An invalid expression, or a template that the hub rejects.
///
/// The hub responds with 400. If the .NET SDK has the same check, ``message`` begins with the SDK's message.
package struct TemplateError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of the fault; the label for metrics and tests.
    package let code: Code
    /// The fault in words; may contain the device's expression.
    package let message: String
    /// The field: `/body/aps/alert`, `/body/toast/visual/text[2]`, `/headers/X-WNS-Type`, `/expiry`; empty for a single
    /// expression.
    ///
    /// The path within a JSON body is a JSON Pointer (RFC 6901). Within an XML body it consists of element names, with a number
    /// from the second element of a name on, and of attribute names with a leading `@`.
    package let path: String
    /// The position in the field, in bytes of UTF-8 without JSON or XML escapes.
    package let offset: Int

    init(_ code: Code, _ message: String, path: String = "", offset: Int = 0) {
        self.code = code
        self.message = message
        self.path = path
        self.offset = offset
    }

    /// The message with path and code.
    package var description: String { "\(path.isEmpty ? "" : path + ": ")\(message) [\(code.rawValue)]" }

    /// Returns the same error with the path of its field.
    func inside(_ path: String) -> TemplateError {
        TemplateError(code, message, path: path + self.path, offset: offset)
    }
}

extension TemplateError {
    /// The kind of a fault of an expression or a template.
    package struct Code: RawRepresentable, Hashable, Sendable {
        /// The short label for metrics.
        package var rawValue: String

        /// Creates a code.
        ///
        /// - Parameter rawValue: The label, in snake case.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// No `(` follows `$`, `.`, `%` or `#`.
        package static let missingOpening = Code(rawValue: "template_missing_opening")
        /// A `)`, or the `}` that must end the field, is missing.
        package static let missingClosing = Code(rawValue: "template_missing_closing")
        /// A quoted text has no end.
        package static let unclosedLiteral = Code(rawValue: "template_unclosed_literal")
        /// Something other than `+` follows a token.
        package static let invalidOperator = Code(rawValue: "template_invalid_operator")
        /// `%()` or `#()` contains a comma.
        package static let unexpectedLength = Code(rawValue: "template_unexpected_length")
        /// `.()` has no comma.
        package static let missingLength = Code(rawValue: "template_missing_length")
        /// The text after the comma is not a number from zero to 2147483647.
        package static let invalidLength = Code(rawValue: "template_invalid_length")
        /// A token has an invalid first character.
        package static let invalidToken = Code(rawValue: "template_invalid_token")
        /// Fewer than three characters are left for a token.
        package static let tokenTooShort = Code(rawValue: "template_token_too_short")
        /// `:{` has no `}`.
        package static let unclosedDefault = Code(rawValue: "template_unclosed_default")
        /// A property's name is empty or has a character other than `A-Z a-z 0-9 _`.
        package static let invalidProperty = Code(rawValue: "template_invalid_property")
        /// A property's name has more than ``TemplateProperty/maximumNameLength`` characters.
        package static let propertyTooLong = Code(rawValue: "template_property_too_long")
        /// `#()` is combined with other tokens or is in braces.
        package static let numberInComposite = Code(rawValue: "template_number_in_composite")
        /// `$body` is not supported.
        package static let bodyExpression = Code(rawValue: "template_body_expression")
        /// The body is not in the format of the platform's templates.
        package static let invalidBody = Code(rawValue: "template_invalid_body")
        /// A name in a JSON body begins like an expression.
        package static let expressionInName = Code(rawValue: "template_expression_in_name")
        /// The template's name has more than ``TemplateDescription/maximumNameLength`` characters.
        package static let nameTooLong = Code(rawValue: "template_name_too_long")
        /// Templates of the platform cannot have headers.
        package static let headersNotAllowed = Code(rawValue: "template_headers_not_allowed")
        /// A header has an invalid name or value.
        package static let invalidHeader = Code(rawValue: "template_invalid_header")
        /// A required header is missing and cannot be derived from the body.
        package static let missingHeader = Code(rawValue: "template_missing_header")
        /// The expiry is empty, or is not an expression, a date or `0`.
        package static let invalidExpiry = Code(rawValue: "template_invalid_expiry")
        /// The priority is empty, or is neither an expression nor a number up to 255.
        package static let invalidPriority = Code(rawValue: "template_invalid_priority")
    }
}
