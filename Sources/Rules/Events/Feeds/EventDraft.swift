import NewsflashStrictJSON
import NewsflashTimestamps

/// The members of an event as read from a feed's document, before they are checked against the schema.
struct EventDraft {
    /// The members of an event, version 1.
    private(set) var members: [JSONMember] = [JSONMember(name: "v", value: .number(JSONNumber(1)))]
    /// The reason why subscribers are not notified; the members for them are then left out.
    var withheld: String?
    /// Set if the act is unclear, for example because of an unknown status: the story must not continue as usual.
    var unclear: DecodeError?
    /// Faults that a check against the schema does not find; they reject the event unless it withdraws.
    var violations = SchemaViolations()
    /// Faults in members that a withdrawal does not need.
    var oddities = SchemaViolations()
    /// See ``NewsEvent/kindIfFirst``.
    var kindIfFirst: EventKind?
    /// See ``NewsEvent/spareCategories``.
    private(set) var spareCategories: [String] = []
    /// The revision of a hold because of a fault in the item, if it is not that of ``document``; it must not exceed later
    /// versions.
    var holdRevision: Int64?
    /// Tolerated faults.
    var warnings: [EventWarning] = []
    /// The paths of members in this item, if they are more precise than those of ``FeedPlaces``.
    var origins: [String: [String]] = [:]

    var document: JSONValue { .object(members) }

    /// Returns the text of an added member.
    func text(_ name: String) -> String? { members.last { $0.name == name }?.value.string }

    /// Whether the item expires before it is published or before its embargo ends; it is then never sent.
    func isOver(publishedAt published: Timestamp?) -> Bool {
        func instant(_ member: String) -> Timestamp? { text(member).flatMap(EventSchemaReader.instant(of:)) }
        guard let expires = instant("expires") else { return false }
        return [published, instant("embargo")].contains { $0.map { expires <= $0 } ?? false }
    }

    /// Copies the embargo or the expiry of another draft, with its faults.
    mutating func addLimit(_ name: String, of limits: EventDraft) {
        add(name, limits.members.last { $0.name == name }?.value)
        if let places = limits.origins[name] { origins[name] = places }
        violations.add(limits.violations.of(name))
    }

    mutating func add(_ name: String, _ value: JSONValue?) {
        if let value { members.append(JSONMember(name: name, value: value)) }
    }

    mutating func add(_ name: String, _ text: String?) {
        add(name, text.map { .string($0) })
    }

    mutating func add(_ name: String, _ integer: Int64?) {
        add(name, integer.map { .number(JSONNumber($0)) })
    }

    /// Adds a list without repeated elements, at most `most`; adds nothing if the list is empty.
    mutating func add(_ name: String, each texts: [String], most: Int) {
        var seen: Set<String> = []
        var elements: [JSONValue] = []
        for text in texts where elements.count < most && seen.insert(text).inserted { elements.append(.string(text)) }
        if !elements.isEmpty { add(name, .array(elements)) }
    }

    /// Adds the categories of an item's subjects, with a warning if they are more than an event may have.
    mutating func add(_ subjects: ItemSubjects) {
        let categories = subjects.categories
        guard !categories.isEmpty else { return }
        add("categories", .array(categories.map { .string($0) }))
        spareCategories = subjects.spare
        if subjects.areCut { warnings.append(.categoriesCut) }
    }

    /// Adds the users without repetitions. None is dropped: the schema must reject an invalid user, who would not be
    /// notified.
    mutating func add(users: [String]) {
        var seen: Set<String> = []
        let users = users.filter { seen.insert($0).inserted }
        guard !users.isEmpty else { return }
        add("audience", .object([JSONMember(name: "users", value: .array(users.map { .string($0) }))]))
    }

    /// Adds a link if it is valid; news without a picture is better than no news.
    mutating func add(_ name: String, link: String?) {
        if let link, StringSyntax.link.fits(link), link.utf8.count <= 2048 { add(name, link) }
    }

    /// Adds the note to editors, cut to the length allowed in events; feeds may have longer ones.
    mutating func add(note: String?) {
        if let note { add("note", note.cut(to: 2048)) }
    }

    /// Adds texts by language.
    mutating func add(_ texts: [(language: String, headline: String, summary: String?)]) {
        guard !texts.isEmpty else { return }
        let members = texts.map { text in
            var parts = [JSONMember(name: "headline", value: .string(text.headline))]
            if let summary = text.summary {
                parts.append(JSONMember(name: "summary", value: .string(summary.cut(to: 4096))))
            }
            return JSONMember(name: text.language, value: .object(parts))
        }
        add("text", .object(members))
    }
}

extension String {
    /// The text cut to `count` Unicode scalars.
    func cut(to count: Int) -> String {
        utf8.count <= count ? self : String(String.UnicodeScalarView(unicodeScalars.prefix(count)))
    }
}
