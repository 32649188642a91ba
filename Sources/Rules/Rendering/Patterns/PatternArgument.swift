/// An argument in the braces of a pattern.
struct PatternArgument: Sendable, Hashable {
    /// The parts of an event that can be an argument.
    enum Field: String, Sendable, CaseIterable {
        case headline, summary, category, id, story, revision, kind, url, image

        /// Whether it is news text, which has a language and a direction.
        var isText: Bool { self == .headline || self == .summary }

        /// Whether a choice can depend on it.
        var isWord: Bool { self == .kind || self == .category || self == .revision }
    }

    let field: Field
    /// The index of the text's language among those offered; `nil` for the language that is being rendered.
    let localeIndex: Int?

    /// Reads the name of a field, or `headline_fr` and `summary_pt_BR` if languages are given.
    init?(_ name: some StringProtocol, locales: OfferedLocales?) {
        if let field = Field(rawValue: String(name)) {
            self.field = field
            self.localeIndex = nil
            return
        }
        let sides = name.split(separator: "_", maxSplits: 1)
        guard sides.count == 2, let field = Field(rawValue: String(sides[0])), field.isText,
            let index = locales?.index(ofName: sides[1])
        else { return nil }
        self.field = field
        self.localeIndex = index
    }
}
