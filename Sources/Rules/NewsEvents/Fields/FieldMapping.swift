import StrictJSON

/// Where the documents of a feed have the members of an event, so that a new feed needs no code.
package struct FieldMapping: Sendable, Equatable {
    /// What a mapping can say: the members of an event but its text, and the type that ``PushFilter`` looks at.
    package enum Member: String, Sendable, CaseIterable {
        case id, source, story, revision, kind, urgency, published, embargo, expires
        case users, delivery, categories, language, url, image, approvedBy, mode, note, type

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

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - document: An object.
    ///   - rules: What the newsroom says of the source.
    /// - Returns: What it says, to be held to the schema of events.
    func draft(of document: JSONValue, rules: SourceRules) -> EventDraft {
        var draft = EventDraft()
        func found(_ member: Member) -> String? { members[member]?.first(in: document)?.text }
        for member in [Member.id, .source, .story] { draft.add(member.rawValue, found(member)) }
        let revision = members[.revision]?.first(in: document)?.number
        draft.add("revision", revision)
        let urgency = members[.urgency]?.first(in: document)
        let level = urgency?.int64.flatMap { Int(exactly: $0) }
        var kind = rules.kind(urgency: level, isFirst: revision?.int64 == 1)
        if let word = found(.kind) {
            // An act that nobody has named may be a withdrawal.
            guard let known = EventKind(rawValue: word) else {
                draft.add("kind", word)
                draft.unknownStatus = Refusal(.status, "/kind: '\(word.printable(limit: 32))' is none that is mapped")
                return draft
            }
            kind = known
        }
        if members[.kind] == nil || found(.kind) != nil { draft.add("kind", kind.rawValue) }
        let language = found(.language)
        draft.add("language", language)
        draft.add("published", members[.published]?.first(in: document)?.time)
        draft.add(note: found(.note))
        draft.add("delivery", found(.delivery))
        guard rules.push.passes(kind: kind, urgency: level, type: found(.type)) else {
            draft.withheld = PushFilter.reason
            return draft
        }
        draft.add("mode", found(.mode))
        guard kind != .kill, kind != .hold else { return draft }
        draft.add("urgency", urgency?.number)
        draft.add("embargo", members[.embargo]?.first(in: document)?.time)
        draft.add("expires", members[.expires]?.first(in: document)?.time)
        draft.add(users: list(.users, in: document))
        draft.add("categories", each: list(.categories, in: document).compactMap(SubjectCode.sound), most: 16)
        draft.add("approvedBy", each: list(.approvedBy, in: document), most: 8)
        draft.add(words(in: document, language: language, isHTML: rules.isHTML))
        draft.add("url", link: link(found(.url), document, rules))
        draft.add("image", link: found(.image))
        return draft
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

    private func list(_ member: Member, in document: JSONValue) -> [String] {
        (members[member] ?? []).flatMap { $0.values(in: document) }.compactMap(\.text)
    }

    private func link(_ url: String?, _ document: JSONValue, _ rules: SourceRules) -> String? {
        guard url == nil, case .pattern(let pattern) = rules.link else { return url }
        func found(_ member: Member) -> String { members[member]?.first(in: document)?.text ?? "" }
        return LinkRule.fill(pattern, story: found(.story), id: found(.id))
    }

    private func words(
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
