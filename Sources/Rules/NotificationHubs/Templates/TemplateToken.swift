import NotificationHubsCore

/// A token of an expression.
enum TemplateToken: Sendable, Hashable {
    /// A quoted text, or a whole literal field.
    case literal(String)
    /// `$( )`, `.( )`, `%( )` or `#( )`.
    case property(TemplateReference)

    func text(_ values: TemplateValues) -> String {
        switch self {
        case .literal(let text): text
        case .property(let reference): reference.text(values)
        }
    }
}

/// A property in an expression, with the form of its value.
struct TemplateReference: Sendable, Hashable {
    /// The form, given by the first character.
    enum Form: Sendable, Hashable {
        /// `$`: the text.
        case text
        /// `.`: the text, with three dots at its end if it was clipped.
        case ellipsis
        /// `%`: the text, percent-encoded.
        case percent
        /// `#`: a JSON number if the text is one.
        case number
    }

    var form: Form
    /// The name as written.
    var name: String
    /// The name in lower case, the key of the values.
    var key: String
    /// The maximum number of UTF-16 code units in the result.
    var length: Int?
    /// The default for a missing value.
    var fallback: String?

    func text(_ values: TemplateValues) -> String {
        let value = values.value(ofKey: key) ?? fallback ?? ""
        switch (form, length) {
        case (.percent, _): return PercentEncoding.encode(value, uppercase: true)
        case (.ellipsis, let length?): return value.clippedWithDots(to: length)
        case (_, let length?): return value.clipped(to: length)
        case (_, nil): return value
        }
    }
}
