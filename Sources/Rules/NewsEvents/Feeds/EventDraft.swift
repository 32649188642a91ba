import StrictJSON
import Timestamps

/// What a feed's document says in the members of an event, before it is held to the schema.
struct EventDraft {
    /// The members of an event, version 1.
    private(set) var members: [JSONMember] = [JSONMember(name: "v", value: .number(JSONNumber(1)))]
    /// Why readers are not told; what they would be told is left out then.
    var withheld: String?
    /// Why the act is not known, such as an unknown status: the story must not go on as if nothing were.
    var unclear: Refusal?
    /// Faults that the schema cannot see; they refuse the event unless it withdraws.
    var faults = SchemaFaults()
    /// Faults of members that play no part in a withdrawal.
    var oddities = SchemaFaults()
    /// See ``NewsEvent/kindIfFirst``.
    var kindIfFirst: EventKind?
    /// See ``NewsEvent/spareCategories``.
    private(set) var spareCategories: [String] = []
    /// The revision of a hold that a fault of the item asks for, if it is not ``document``'s: not above versions that come later.
    var holdRevision: Int64?
    /// Faults that were forgiven.
    var warnings: [EventWarning] = []
    /// The places of members in this item, if they are known better than by ``FeedPlaces``.
    var origins: [String: [String]] = [:]

    var document: JSONValue { .object(members) }

    /// A text that was added.
    func text(_ name: String) -> String? { members.last { $0.name == name }?.value.string }

    /// Whether the item is no longer of interest when it is published, or when its embargo ends: it is never sent.
    func isOver(publishedAt published: Timestamp?) -> Bool {
        func instant(_ member: String) -> Timestamp? { text(member).flatMap(EventSchemaReader.instant(of:)) }
        guard let expires = instant("expires") else { return false }
        return [published, instant("embargo")].contains { $0.map { expires <= $0 } ?? false }
    }

    /// Takes over the embargo or the expiry of another draft, with what is wrong with it.
    mutating func addLimit(_ name: String, of limits: EventDraft) {
        add(name, limits.members.last { $0.name == name }?.value)
        if let places = limits.origins[name] { origins[name] = places }
        faults.add(limits.faults.of(name))
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

    /// Adds a list, each element once, as many as an event may have; nothing where it is empty.
    mutating func add(_ name: String, each texts: [String], most: Int) {
        var seen: Set<String> = []
        var elements: [JSONValue] = []
        for text in texts where elements.count < most && seen.insert(text).inserted { elements.append(.string(text)) }
        if !elements.isEmpty { add(name, .array(elements)) }
    }

    /// Adds the categories of an item's subjects, with a warning if an event has no room for all.
    mutating func add(_ subjects: ItemSubjects) {
        let categories = subjects.categories
        guard !categories.isEmpty else { return }
        add("categories", .array(categories.map { .string($0) }))
        spareCategories = subjects.spare
        if subjects.areCut { warnings.append(.categoriesCut) }
    }

    /// Adds the users, each once. None is left out: whoever is named and cannot be told is for the schema to refuse.
    mutating func add(users: [String]) {
        var seen: Set<String> = []
        let users = users.filter { seen.insert($0).inserted }
        guard !users.isEmpty else { return }
        add("audience", .object([JSONMember(name: "users", value: .array(users.map { .string($0) }))]))
    }

    /// Adds a link, unless it is none that may be pushed: news without a picture is better than none.
    mutating func add(_ name: String, link: String?) {
        if let link, TextForm.link.fits(link), link.utf8.count <= 2048 { add(name, link) }
    }

    /// Adds the note to editors, which may be longer in feeds than in events.
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
    /// At most so many Unicode scalars.
    func cut(to count: Int) -> String {
        utf8.count <= count ? self : String(String.UnicodeScalarView(unicodeScalars.prefix(count)))
    }
}
