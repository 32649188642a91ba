/// What a pattern's braces stand for.
struct PatternArgument: Sendable, Hashable {
    /// The parts of an event that a pattern can name.
    enum Field: String, Sendable, CaseIterable {
        case headline, summary, category, id, story, revision, kind, url, image

        /// Whether it is news text, which has a language and a direction.
        var isText: Bool { self == .headline || self == .summary }

        /// Whether words can be chosen by its values.
        var isWord: Bool { self == .kind || self == .category || self == .revision }
    }

    let field: Field
    /// Place among the offered languages of the text meant; `nil` for the language at hand.
    let localeIndex: Int?

    /// Reads a name: a field's, or `headline_fr` and `summary_pt_BR` where languages are given.
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
