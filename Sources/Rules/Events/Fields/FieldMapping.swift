import NewsflashStrictJSON
import NewsflashTimestamps

/// The places of an event's members in the documents of a feed, so that a new feed needs no code.
package struct FieldMapping: Sendable, Equatable {
    /// The targets of a mapping: the members of an event except its text, the type for ``PushFilter``, and conditions for
    /// items that are not for push.
    package enum Member: String, Sendable, CaseIterable {
        case id, source, story, revision, kind, urgency, published, embargo, expires
        case users, delivery, categories, language, url, image, approvedBy, mode, note, type, skip
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

extension FieldMapping {
    /// Makes the draft of an event from a document.
    ///
    /// - Parameters:
    ///   - document: An object.
    ///   - rules: The rules of the source.
    ///   - isNamed: Whether an envelope names the event, so that the draft needs no id.
    ///   - writtenAt: The record's time, used for a withdrawal that has none.
    /// - Returns: The draft, which must be checked against the schema of events.
    func draft(of document: JSONValue, rules: SourceRules, isNamed: Bool, writtenAt: Timestamp?) -> EventDraft {
        var draft = EventDraft()
        let story = first(.story, in: document)?.text
        let revision = first(.revision, in: document)
        let level = first(.urgency, in: document)?.int64.flatMap { (1...9).contains($0) ? Int($0) : nil }
        draft.add("source", first(.source, in: document)?.text)
        draft.add("story", story.map { FeedName.shaped($0, most: EventSchemaReader.longestStory) })
        var kind: EventKind?
        do throws(DecodeError) {
            kind = try self.kind(of: document, rules, level, isFirst: revision?.int64 == 1)
            obeyWords(of: document, rules, &kind, &draft.warnings)
        } catch {
            addID(of: document, story, revision, nil, writtenAt, isNamed: isNamed, to: &draft)
            draft.add("revision", revision?.number)
            draft.unclear = error
            return draft
        }
        var limits = EventDraft()
        var isSkipped = false
        if kind?.isNews ?? true {
            addLimit(.embargo, of: document, latest: true, to: &limits)
            addLimit(.expires, of: document, latest: false, to: &limits)
            isSkipped = self.isSkipped(document, &draft.violations)
            let published = first(.published, in: document).flatMap { EventSchemaReader.instant(of: $0.time) }
            if kind != nil, !isSkipped, limits.isOver(publishedAt: published) {
                kind = .hold
                draft.warnings.append(.over(members[.expires]?.first?.pointer?.text ?? "/expires"))
                draft.add("embargo", limits.text("embargo"))
            }
        }
        addID(of: document, story, revision, kind, writtenAt, isNamed: isNamed, to: &draft)
        draft.add("kind", kind?.rawValue)
        if members[.kind] == nil, kind == .update { draft.kindIfFirst = rules.kindOfFirst(level) }
        draft.add("language", first(.language, in: document)?.text)
        draft.add(note: first(.note, in: document)?.text)
        addPublished(of: document, isNews: kind?.isNews ?? true, writtenAt, to: &draft)
        addDelivery(of: document, to: &draft)
        guard kind?.isNews ?? true else {
            draft.add("revision", revision?.number ?? .number(JSONNumber(1)))
            addMode(of: document, to: &draft)
            recordOddities(of: document, in: &draft.oddities)
            return draft
        }
        draft.add("revision", revision?.number)
        let usual = kind ?? rules.kind(urgency: level, isFirst: revision?.int64 == 1)
        guard !isSkipped,
            rules.push.passes(kind: usual, urgency: level, type: first(.type, in: document)?.text)
        else {
            draft.withheld = PushFilter.reason
            // The embargo also applies to waiting news of the story.
            draft.addLimit("embargo", of: limits)
            return draft
        }
        addMode(of: document, to: &draft)
        draft.addLimit("embargo", of: limits)
        draft.addLimit("expires", of: limits)
        addRest(of: document, rules, level, to: &draft)
        return draft
    }

    private func first(_ member: Member, in document: JSONValue) -> FieldValue? {
        members[member]?.first(in: document)
    }

    /// The kind; `nil` if it is mapped and absent, so that an envelope may provide it.
    ///
    /// - Throws: ``DecodeError`` if a value is not a kind, because it may withdraw the story.
    private func kind(
        of document: JSONValue,
        _ rules: SourceRules,
        _ level: Int?,
        isFirst: Bool
    ) throws(DecodeError) -> EventKind? {
        guard let mapped = members[.kind] else { return rules.kind(urgency: level, isFirst: isFirst) }
        guard let found = mapped.restriction(in: document) else { return nil }
        guard case .value(let value, _) = found else {
            throw DecodeError(.status, "/kind: \(found.complaint ?? "")\(places(.kind))")
        }
        if let kind = EventKind(rawValue: value.text.lowercased()) { return kind }
        throw DecodeError(.status, "/kind: \(value.text.quoted(limit: 32)) is not mapped\(places(.kind))")
    }

    /// Obeys the note and the headlines: they can withdraw or hold a document that is mapped as news. A correction counts
    /// only if there is no rule for the kind.
    private func obeyWords(
        of document: JSONValue,
        _ rules: SourceRules,
        _ kind: inout EventKind?,
        _ warnings: inout [EventWarning]
    ) {
        guard kind != .kill, let order = noted(in: document, rules) else { return }
        switch order.act {
        case .kill: kind = .kill
        case .hold, .embargo:
            if kind == .hold { return }
            kind = .hold
        case .correction:
            if members[.kind] == nil { kind = .correction }
            return
        }
        warnings.append(order.warning)
    }

    /// The strictest instruction in the note and the headlines.
    private func noted(in document: JSONValue, _ rules: SourceRules) -> NotedOrder? {
        func found(_ fields: [FieldRule]) -> [(place: String, text: String)] {
            fields.flatMap { rule in rule.values(in: document).map { (rule.pointer?.text ?? "", $0.text) } }
        }
        let notes = found(members[.note] ?? []).prefix(Self.mostWords).flatMap { place, text in
            rules.notes.orders(in: text).map { NotedOrder($0, at: place) }
        }
        let headlines = found(headlineRules).prefix(Self.mostWords).flatMap { place, text in
            rules.notes.orders(inHeadline: rules.isHTML ? HTMLText.plain(text) : text).map { NotedOrder($0, at: place) }
        }
        let hasEmbargo = (members[.embargo] ?? []).restrictions(in: document).contains { restriction in
            guard case .value(let value, _) = restriction else { return true }
            return !FeedTime.isNoEmbargo(.string(value.time))
        }
        return (notes + headlines).strictest(hasEmbargo: hasEmbargo)
    }

    /// The maximum number of notes, and of headlines, that are checked for instructions.
    private static let mostWords = 32

    private var headlineRules: [FieldRule] {
        switch texts {
        case .one(let text): text.headline
        case .byLanguage(let texts): texts.flatMap(\.text.headline)
        }
    }

    /// The paths of a member, for a fault.
    private func places(_ member: Member) -> String {
        let pointers = (members[member] ?? []).compactMap { $0.pointer?.text.printable(limit: 64) }
        return pointers.isEmpty ? "" : " (read from \(pointers.prefix(4).joined(separator: " or ")))"
    }

    /// Adds the mapped id; without a rule, it is made as for ninjs.
    private func addID(
        of document: JSONValue,
        _ story: String?,
        _ revision: FieldValue?,
        _ kind: EventKind?,
        _ writtenAt: Timestamp?,
        isNamed: Bool,
        to draft: inout EventDraft
    ) {
        guard members[.id] == nil else { return draft.add("id", first(.id, in: document)?.text) }
        guard !isNamed, let story else { return }
        let act = kind.flatMap { $0.isNews ? nil : $0.rawValue }
        var number = revision.flatMap { value in value.int64.map { String($0) } }
        if number == nil {
            guard let kind, !kind.isNews else { return }
            number = kind == .hold ? writtenAt.map { String($0.milliseconds) } : nil
        }
        draft.add("id", FeedName.id(story, number: number, act: act))
    }

    private func addPublished(
        of document: JSONValue,
        isNews: Bool,
        _ writtenAt: Timestamp?,
        to draft: inout EventDraft
    ) {
        if let published = first(.published, in: document) {
            draft.add("published", published.time)
        } else if !isNews {
            draft.add("published", (writtenAt ?? Timestamp(seconds: 0)).rfc3339)
        }
    }

    /// Records unreadable values of members that a withdrawal does not need.
    private func recordOddities(of document: JSONValue, in oddities: inout SchemaViolations) {
        let passed: [Member] = [
            .urgency, .embargo, .expires, .users, .categories, .language, .url, .image, .note, .type,
        ]
        for member in passed {
            for restriction in (members[member] ?? []).restrictions(in: document) {
                guard let complaint = restriction.complaint else { continue }
                oddities.add("/\(member.rawValue)", complaint + places(member))
            }
        }
    }

    /// Adds the strictest delivery; an unreadable one takes precedence.
    private func addDelivery(of document: JSONValue, to draft: inout EventDraft) {
        var words: [String] = []
        for restriction in (members[.delivery] ?? []).restrictions(in: document) {
            switch restriction {
            case .value(let value, _): words.append(value.text)
            case .unreadable(let value): return draft.add("delivery", value)
            case .obstacle: return draft.violations.add("/delivery", restriction.complaint ?? "")
            }
        }
        let unknown = words.first { EventDelivery(rawValue: $0) == nil }
        draft.add("delivery", unknown ?? words.first { $0 == EventDelivery.secure.rawValue } ?? words.first)
    }

    /// Adds the strictest embargo or expiry; an unreadable one takes precedence.
    private func addLimit(_ member: Member, of document: JSONValue, latest: Bool, to draft: inout EventDraft) {
        var strictest: (instant: Timestamp, text: String)?
        for restriction in (members[member] ?? []).restrictions(in: document) {
            switch restriction {
            case .unreadable(let value): return draft.add(member.rawValue, value)
            case .obstacle: return draft.violations.add("/\(member.rawValue)", restriction.complaint ?? "")
            case .value(let value, _):
                if let complaint = value.complaint { return draft.violations.add("/\(member.rawValue)", complaint) }
                let text = value.time
                if latest ? FeedTime.isNoEmbargo(.string(text)) : FeedTime.isNone(text) { continue }
                guard let instant = EventSchemaReader.instant(of: text) else { return draft.add(member.rawValue, text) }
                let isStricter = strictest.map { latest ? instant > $0.instant : instant < $0.instant } ?? true
                if isStricter { strictest = (instant, text) }
            }
        }
        draft.add(member.rawValue, strictest?.text)
    }

    /// Adds the strictest mode that the rules find.
    ///
    /// An unmapped word that is not a mode rejects the event, because it may be a drill. A word for no, such as `false` or
    /// `0`, counts as absent if a map contains an answer for `true`.
    private func addMode(of document: JSONValue, to draft: inout EventDraft) {
        var modes: [EventMode] = []
        let rules = members[.mode] ?? []
        for rule in rules {
            let isQuestion = rule.map.keys.contains { $0.truth == true }
            for restriction in rule.restrictions(in: document) {
                guard case .value(let value, let isMapped) = restriction else {
                    draft.violations.add("/mode", restriction.complaint ?? "")
                    continue
                }
                if let mode = EventMode(rawValue: value.text.lowercased()) {
                    modes.append(mode)
                } else if isMapped || !isQuestion || value.text.truth != false {
                    let word = value.text.quoted(limit: 32)
                    draft.violations.add("/mode", "\(word) is neither a mode nor mapped")
                }
            }
        }
        if modes.isEmpty, let standard = rules.lazy.compactMap(\.standard).first { draft.add("mode", standard) }
        draft.add("mode", [EventMode.backfill, .test, .live].first(where: modes.contains)?.rawValue)
    }

    /// Whether any of the rules of `skip` finds a yes. With a map, only mapped words count; without one, a word that is
    /// neither yes nor no rejects the event.
    private func isSkipped(_ document: JSONValue, _ violations: inout SchemaViolations) -> Bool {
        var found = SchemaViolations()
        for rule in members[.skip] ?? [] {
            let restrictions = rule.restrictions(in: document)
            for restriction in restrictions.isEmpty ? [rule.standardRestriction].compactMap(\.self) : restrictions {
                guard case .value(let value, let isMapped) = restriction else {
                    found.add("/skip", restriction.complaint ?? "")
                    continue
                }
                if value.text.truth == true { return true }
                if value.text.truth == nil, isMapped || rule.map.isEmpty {
                    found.add("/skip", "must be true or false, is \(value.text.quoted(limit: 32))")
                }
            }
        }
        violations.add(found)
        return false
    }

    private func addRest(of document: JSONValue, _ rules: SourceRules, _ level: Int?, to draft: inout EventDraft) {
        draft.add("urgency", level.map { Int64($0) })
        addUsers(of: document, to: &draft)
        let categories = list(.categories, in: document).compactMap(SubjectCode.sound)
        draft.add("categories", each: categories, most: ItemSubjects.most)
        if Set(categories).count > ItemSubjects.most { draft.warnings.append(.categoriesCut) }
        draft.add("approvedBy", each: list(.approvedBy, in: document), most: 8)
        draft.add(words(in: document, language: first(.language, in: document)?.text, isHTML: rules.isHTML))
        draft.add("url", link: link(first(.url, in: document)?.text, document, rules))
        draft.add("image", link: first(.image, in: document)?.text)
    }

    /// Adds the users. The schema rejects a value that is not a name.
    private func addUsers(of document: JSONValue, to draft: inout EventDraft) {
        var names: [String] = []
        for restriction in (members[.users] ?? []).restrictions(in: document, isOfEach: true) {
            switch restriction {
            case .value(let value, _): names.append(value.text)
            case .unreadable(let value):
                return draft.add("audience", .object([JSONMember(name: "users", value: .array([value]))]))
            case .obstacle: return draft.violations.add("/audience/users", restriction.complaint ?? "")
            }
        }
        draft.add(users: names)
    }
}
