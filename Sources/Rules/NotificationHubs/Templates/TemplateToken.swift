import NotificationHubsCore

/// One part of an expression.
enum TemplateToken: Sendable, Hashable {
    /// Text in quotes, or a whole field that is no expression.
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

/// A property in an expression and what is made of its value.
struct TemplateReference: Sendable, Hashable {
    /// What the first character asks for.
    enum Form: Sendable, Hashable {
        /// `$`: the text.
        case text
        /// `.`: the text, with three dots at its end where it was clipped.
        case ellipsis
        /// `%`: the text in percent-encoding.
        case percent
        /// `#`: a number of JSON where it is one.
        case number
    }

    var form: Form
    /// As written.
    var name: String
    /// The name in lower case, as values are kept.
    var key: String
    /// The most UTF-16 units of the result.
    var length: Int?
    /// Instead of a value that is missing.
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
