/// What help says of one argument, option or flag; a string literal serves for most.
package struct ArgumentHelp: Sendable, ExpressibleByStringInterpolation {
    /// Where an argument is shown.
    package enum Visibility: Sendable {
        /// In help, usage and completions.
        case `default`
        /// Nowhere, yet it can be given.
        case hidden
    }

    /// One or two sentences; wrapped where they are shown.
    package var abstract: String
    /// What stands between the angle brackets, where the property's name does not serve.
    package var valueName: String?
    /// Where the argument is shown.
    package var visibility: Visibility

    /// Makes a help text with more than its words.
    package init(_ abstract: String = "", valueName: String? = nil, visibility: Visibility = .default) {
        self.abstract = abstract
        self.valueName = valueName
        self.visibility = visibility
    }

    package init(stringLiteral value: String) {
        self.init(value)
    }
}
