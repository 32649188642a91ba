import StrictJSON

/// The places of an event's members in the documents of a feed, so that a new feed needs no code.
package struct FieldMapping: Sendable, Equatable {
    /// The targets of a mapping: the members of an event except its text, the type for ``PushFilter``, and conditions for
    /// items that are not for push.
    package enum Member: String, Sendable, CaseIterable {
        case id, source, story, revision, kind, urgency, published, embargo, expires
        case users, delivery, categories, language, url, image, approvedBy, mode, note, type, skip

        /// Whether it receives all values instead of the first.
        package var isList: Bool { self == .users || self == .categories || self == .approvedBy }
    }

    /// The rules for the text in one language.
    package struct Text: Sendable, Equatable {
        package var headline: [FieldRule]
        package var summary: [FieldRule]

        package init(headline: [FieldRule], summary: [FieldRule] = []) {
            self.headline = headline
            self.summary = summary
        }
    }

    /// The rules for the text of a document.
    package enum Texts: Sendable, Equatable {
        /// One text, in the language that the document names.
        case one(Text)
        /// Texts in the languages that the mapping names, in order.
        case byLanguage([LanguageText])
    }

    /// A language and the rules for its text.
    package struct LanguageText: Sendable, Equatable {
        /// A tag of BCP 47.
        package var language: String
        package var text: Text

        package init(language: String, text: Text) {
            self.language = language
            self.text = text
        }
    }

    /// The rules for each member. A single value comes from the first rule that finds something, a list from all rules.
    package var members: [Member: [FieldRule]]
    package var texts: Texts

    package init(members: [Member: [FieldRule]], texts: Texts) {
        self.members = members
        self.texts = texts
    }

    /// Whether a text has the shape of a language tag (BCP 47).
    package static func isLanguageTag(_ text: String) -> Bool {
        text.utf8.count <= 35 && StringSyntax.languageTag.fits(text)
    }

    /// The places of all members except the text.
    var places: [(pointer: FieldPointer, isName: Bool)] {
        members.flatMap { member, rules in
            rules.compactMap(\.pointer).map { ($0, member == .story || member == .id) }
        }
    }

    /// The paths of each member of an event in documents, as JSON Pointers.
    var origins: [String: [String]] {
        func pointers(_ rules: [FieldRule]) -> [String] { rules.compactMap { $0.pointer?.text } }
        var origins: [String: [String]] = [:]
        for (member, rules) in members { origins[member.rawValue] = pointers(rules) }
        switch texts {
        case .one(let text): origins["text"] = pointers(text.headline)
        case .byLanguage(let texts): origins["text"] = texts.flatMap { pointers($0.text.headline) }
        }
        return origins.filter { !$0.value.isEmpty }
    }

    func list(_ member: Member, in document: JSONValue) -> [String] {
        (members[member] ?? []).flatMap { $0.values(in: document) }.compactMap(\.text)
    }

    func link(_ url: String?, _ document: JSONValue, _ rules: SourceRules) -> String? {
        guard url == nil, case .pattern(let pattern) = rules.link else { return url }
        func found(_ member: Member) -> String { members[member]?.first(in: document)?.text ?? "" }
        return LinkRule.fill(pattern, story: found(.story), id: found(.id))
    }

    func words(
        in document: JSONValue,
        language: String?,
        isHTML: Bool
    ) -> [(language: String, headline: String, summary: String?)] {
        let texts: [LanguageText] =
            switch texts {
            case .one(let text): [LanguageText(language: language ?? "und", text: text)]
            case .byLanguage(let texts): texts
            }
        return texts.compactMap { part in
            guard let headline = part.text.headline.first(in: document)?.text else { return nil }
            let summary = part.text.summary.first(in: document)?.text
            guard isHTML else { return (part.language, headline, summary) }
            return (part.language, HTMLText.plain(headline), summary.map(HTMLText.plain))
        }
    }
}
