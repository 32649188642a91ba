import NewsflashBasics
import NewsflashStrictJSON

/// The act of an item on its story, and whether it is for push.
extension NinjsItem {
    /// The kind of the event, and a word for its id if the event does not notify.
    struct Act {
        var kind: EventKind
        var word: String?
        /// The instruction in words that makes it a withdrawal.
        var order: NotedOrder?
    }

    private static let priorities = ["f": 1, "b": 2, "u": 3, "r": 4, "d": 5]

    /// The urgency; `nil` also for a number that is not an urgency, such as 0 or 10.
    var urgency: Int? {
        if let value = item.present("urgency") {
            let number = value.int64 ?? value.string.flatMap(Int64.init(digits:))
            return number.flatMap { (1...9).contains($0) ? Int($0) : nil }
        }
        return text("editorialpriority").flatMap { Self.priorities[$0] }
    }

    /// Determines the act. A status takes precedence over signals, signals over notes, and notes over the urgency.
    ///
    /// - Parameters:
    ///   - urgency: The item's urgency.
    ///   - isFirst: Whether it is the story's first revision.
    ///   - ordered: The instruction of the item's envelope, used for an item without status, words and urgency.
    ///   - oddities: Receives the fault of an unknown status if another status withdraws.
    /// - Returns: The kind, and the word for the id.
    /// - Throws: ``DecodeError`` if a status is unknown, because it may withdraw.
    func act(urgency: Int?, isFirst: Bool, ordered: EventKind? = nil, _ oddities: inout SchemaViolations)
        throws(DecodeError) -> Act
    {
        var isHeld = false
        var isKilled = false
        var unknown: (place: String, complaint: String)?
        for (place, value) in limits(.status) {
            switch value.string.flatMap(rules.status(of:)) {
            case .usable: break
            case .canceled: isKilled = true
            case .withheld: isHeld = true
            case nil:
                let found = value.string?.quoted(limit: 32) ?? value.typeName
                unknown =
                    unknown ?? (
                        place,
                        "must be one of usable, withheld, canceled, is \(found); status of the source can map it"
                    )
            }
        }
        if let unknown {
            guard isKilled else { throw DecodeError(.status, "\(unknown.place): \(unknown.complaint)") }
            oddities.add(unknown.place, unknown.complaint)
        }
        if isKilled { return Act(kind: .kill, word: "canceled") }
        if let stated {
            // A usable item with such a member contradicts itself: it is held until a person decides.
            if stated == .kill, limits(.status).isEmpty { return Act(kind: .kill, word: "canceled") }
            isHeld = true
        }
        let noted = noted
        if noted?.act == .kill { return Act(kind: .kill, word: "kill", order: noted) }
        if isHeld { return Act(kind: .hold, word: "withheld") }
        if let noted, noted.act != .correction { return Act(kind: .hold, word: "hold", order: noted) }
        if let ordered, noted == nil, limits(.status).isEmpty, urgency == nil, !hasText {
            return Act(kind: ordered, word: ordered == .kill ? "canceled" : "withheld")
        }
        return Act(kind: noted == nil ? rules.kind(urgency: urgency, isFirst: isFirst) : .correction)
    }

    /// The instruction of the members other than the status; see ``ItemState``.
    private var stated: EventKind? {
        // For these types the planned event is canceled, not the news of it.
        if let type, PushFilter.neverPushed.contains(type) { return nil }
        let orders = members.filter { $0.name != "pubstatus" }.compactMap { ItemState.order(of: $0.name, $0.value) }
        return orders.first { $0 == .kill } ?? orders.first
    }

    /// The strictest instruction in notes, genres, signals and headlines. An embargo in words counts if the item has no other
    /// embargo.
    var noted: NotedOrder? {
        var orders: [NotedOrder] = []
        for (place, value) in [FeedPlaces.Part.note, .signal].flatMap({ limits($0) }) {
            orders += rules.notes.orders(in: value, at: place, isGenre: false)
        }
        for member in members where member.name == "genre" || member.name == "genres" {
            orders += rules.notes.orders(in: member.value, at: member.place, isGenre: true)
        }
        let headlines = members.filter { $0.name.hasPrefix("headline") || $0.name == "title" }
            .flatMap { member in member.value.words.map { (member.place, $0) } }
        // The headline for subscribers may come from another place.
        for (place, text) in headlines.prefix(Self.mostHeadlines) + (headline.map { [("headline", $0)] } ?? []) {
            orders += rules.notes.orders(inHeadline: HTMLText.plain(text)).map { NotedOrder($0, at: place) }
        }
        return orders.strictest(hasEmbargo: hasEmbargo)
    }

    /// Whether it has its own embargo, even one that has ended.
    private var hasEmbargo: Bool {
        limits(.embargo).contains { !FeedTime.isNoEmbargo($0.value) && $0.value.string?.isEmpty != true }
    }

    /// The maximum number of headlines that are checked.
    private static let mostHeadlines = 8

    /// The note to editors, for people.
    var note: String? { limits(.note).lazy.flatMap(\.value.words).first { !$0.isEmpty } }

    func passes(_ kind: EventKind, urgency: Int?) -> Bool {
        rules.push.passes(kind: kind, urgency: urgency, type: type, isWhole: isWhole)
    }

    /// Whether news of the item's type is pushed, regardless of its urgency.
    var isOfPushedType: Bool { rules.push.passes(kind: .correction, urgency: nil, type: type) }

    /// Whether the item has all of its content; `false` if its statement about this is unreadable.
    private var isWhole: Bool {
        limits(.representation).allSatisfy { member in
            if member.value.string?.isEmpty ?? false { return true }
            let words = member.value.words.map(\.lastPartOfCode.lowercasedASCII)
            return !words.isEmpty && words.allSatisfy { !["incomplete", "partial", "associated"].contains($0) }
        }
    }

    /// The type in lower case, also from a QCode, URI or list; if there are several, the one that keeps the item from push.
    /// An item with the members of a planned event or of its coverage has that type, regardless of its own.
    var type: String? {
        if item.present("eventDetails") != nil { return "event" }
        if item.present("plannedCoverage") != nil { return "planning" }
        let types = limits(.type).flatMap { member in
            if member.value.string?.isEmpty ?? false { return [String]() }
            let words = member.value.words.map(\.lastPartOfCode.lowercasedASCII)
            // An item with an unreadable type is not pushed.
            return words.isEmpty ? [""] : words
        }
        return types.first { PushFilter.neverPushed.contains($0) || !rules.push.types.contains($0) } ?? types.first
    }

    /// The members of a part, regardless of the case of their names, so that no restriction is missed. For AP's items this
    /// includes members next to the item.
    func limits(_ part: FeedPlaces.Part) -> [(place: String, value: JSONValue)] {
        let names = Set(FeedPlaces.places(of: part, in: flavour).map { $0.dropFirst().lowercased() })
        return members.compactMap { member in
            let isEmbargo = part == .embargo && FeedPlaces.isEmbargo(member.name, member.value)
            return isEmbargo || names.contains(member.name) ? (member.place, member.value) : nil
        }
    }

    /// Records faults of members that a withdrawal does not need.
    func recordOddities(_ oddities: inout SchemaViolations) {
        for part in FeedPlaces.Part.allCases {
            for place in FeedPlaces.places(of: part, in: flavour) {
                let complaint = item.at(place).flatMap { FeedPlaces.form(of: part, at: place).complaint(of: $0) }
                if let complaint { oddities.add(place, complaint) }
            }
        }
        if language == nil, let place = presentPlaces(of: .language).first {
            oddities.add(place, StringSyntax.languageTag.complaint)
        }
    }
}

extension EditorialNotes {
    /// The maximum number of texts of a member that are checked.
    private static let mostTexts = 32

    /// The instructions in the texts and codes of a member.
    fileprivate func orders(in value: JSONValue, at place: String, isGenre: Bool) -> [NotedOrder] {
        value.words.prefix(Self.mostTexts).flatMap { text in
            let found = orders(in: text, isGenre: isGenre)
            let orders = found.isEmpty && text.isCode ? orders(in: text.lastPartOfCode, isGenre: isGenre) : found
            return orders.map { NotedOrder($0, at: place) }
        }
    }
}

extension JSONValue {
    /// The texts of a member that may be a text, a list, or an object with a code, a name or texts by language.
    var words: [String] { words(depth: 0) }

    private func words(depth: Int) -> [String] {
        guard depth < 3 else { return [] }
        switch self {
        case .string(let text): return [text]
        case .array(let elements): return elements.prefix(16).flatMap { $0.words(depth: depth + 1) }
        case .object(let members): return members.prefix(16).flatMap { $0.value.words(depth: depth + 1) }
        case .null, .bool, .number: return []
        }
    }
}

extension String {
    /// Whether it is a QCode or a URI.
    fileprivate var isCode: Bool {
        utf8.count <= 128 && utf8.contains { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
            && !utf8.contains { $0 == 0x20 || $0 == UInt8(ascii: "<") || $0 >= 0x80 }
    }

    /// The part after the last colon, slash or number sign of a code; the whole text if it is not a code.
    var lastPartOfCode: String {
        guard isCode, let end = utf8.lastIndex(where: { [0x3A, 0x2F, 0x23].contains($0) }) else { return self }
        return String(self[utf8.index(after: end)...])
    }
}
