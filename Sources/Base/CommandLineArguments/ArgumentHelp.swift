/// The help of one argument, option or flag. A string literal is enough for most.
package struct ArgumentHelp: Sendable, ExpressibleByStringInterpolation {
    /// The places where an argument is shown.
    package enum Visibility: Sendable {
        /// In help, usage and completions.
        case `default`
        /// Not shown, but it can be given.
        case hidden
    }

    /// One or two sentences; wrapped when shown.
    package var abstract: String
    /// The text in angle brackets; `nil` for the property's name.
    package var valueName: String?
    /// The places where the argument is shown.
    package var visibility: Visibility

    /// Creates a help text with further details.
    package init(_ abstract: String = "", valueName: String? = nil, visibility: Visibility = .default) {
        self.abstract = abstract
        self.valueName = valueName
        self.visibility = visibility
    }

    package init(stringLiteral value: String) {
        self.init(value)
    }
}
