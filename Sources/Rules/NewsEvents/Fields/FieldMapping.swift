import StrictJSON

/// Where the documents of a feed have the members of an event, so that a new feed needs no code.
package struct FieldMapping: Sendable, Equatable {
    /// The targets of a mapping: the members of an event except its text, the type for ``PushFilter``, and conditions for what is
    /// not for push.
    package enum Member: String, Sendable, CaseIterable {
        case id, source, story, revision, kind, urgency, published, embargo, expires
        case users, delivery, categories, language, url, image, approvedBy, mode, note, type, skip

        /// Whether it takes all values that are found, and not the first.
        package var isList: Bool { self == .users || self == .categories || self == .approvedBy }
    }

    /// Where the words of one language are.
    package struct Text: Sendable, Equatable {
        package var headline: [FieldRule]
        package var summary: [FieldRule]

        package init(headline: [FieldRule], summary: [FieldRule] = []) {
            self.headline = headline
            self.summary = summary
        }
    }

    /// The words of a document.
    package enum Texts: Sendable, Equatable {
        /// In the language that the document names.
        case one(Text)
        /// In languages that the mapping names, in order.
        case byLanguage([LanguageText])
    }

    /// The words of one language.
    package struct LanguageText: Sendable, Equatable {
        /// BCP 47.
        package var language: String
        package var text: Text

        package init(language: String, text: Text) {
            self.language = language
            self.text = text
        }
    }

    /// For each member its rules: the first that finds something gives a single value, all of them give a list.
    package var members: [Member: [FieldRule]]
    package var texts: Texts

    package init(members: [Member: [FieldRule]], texts: Texts) {
        self.members = members
        self.texts = texts
    }

    /// Whether a text may name a language (BCP 47, by shape).
    package static func isLanguageTag(_ text: String) -> Bool {
        text.utf8.count <= 35 && TextForm.languageTag.fits(text)
    }

    /// The places of all members but the words.
    var places: [(pointer: FieldPointer, isName: Bool)] {
        members.flatMap { member, rules in
            rules.compactMap(\.pointer).map { ($0, member == .story || member == .id) }
        }
    }

    /// Where documents have each member of an event, as JSON Pointers.
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
