import NewsflashBasics
import NewsflashStrictJSON
import NewsflashTimestamps

/// Checks a document against `schemas/breaking-news-event-v1.schema.json` and makes the event from it.
///
/// Checks the members in the order of the schema and collects every fault, so that a newsroom can fix all at once. Members
/// that are not in the schema are ignored, except in `audience` and if they may restrict, such as `Embargo` or `users`:
/// subscribers whom they exclude must not be notified. Members that only restrict may be null, which means no restriction. An
/// extension reads the single values.
struct EventSchemaReader {
    static let longestID = 128
    static let longestSource = 256
    static let longestStory = 256
    static let longestUser = 64
    static let longestHeadline = 1024
    private static let longestKind = 32
    static let largestRevision: Int64 = 9_007_199_254_740_991

    var violations = SchemaViolations()
    /// Whether the document has a member that may restrict and is not in the schema; see ``recordStrays(in:)``.
    private(set) var hasStray = false
    private let defaultSource: String
    /// The reason why subscribers are not notified; no text is then required.
    private let withheld: String?
    /// Whether the document was made from a feed's item, which may have more categories and several codes in each.
    private let isDraft: Bool
    private var ignoresStrays = false

    /// Creates a reader for one document.
    ///
    /// - Parameters:
    ///   - defaultSource: The source of a document that names none.
    ///   - withheld: See ``NewsEvent/withheld``.
    ///   - isDraft: Whether the document was made from a feed's item.
    init(defaultSource: String, withheld: String? = nil, isDraft: Bool = false) {
        self.defaultSource = defaultSource
        self.withheld = withheld
        self.isDraft = isDraft
    }

    /// Makes the event from a document.
    ///
    /// - Returns: The event; `nil` if there are ``violations``.
    mutating func event(_ document: JSONValue) -> NewsEvent? {
        readVersion(document[member: "v"])
        let id = string(
            document[member: "id"],
            .identifier,
            most: Self.longestID,
            isRequired: true,
            at: "/id"
        )
        let source = string(document[member: "source"], .uriReference, most: Self.longestSource, at: "/source")
        let story = string(
            document[member: "story"],
            .identifier,
            most: Self.longestStory,
            isRequired: true,
            at: "/story"
        )
        let revision = integer(
            document[member: "revision"],
            in: 1...Self.largestRevision,
            isRequired: true,
            at: "/revision"
        )
        let kind = choice(EventKind.self, document[member: "kind"], isRequired: true, at: "/kind")
        let urgency = integer(document[member: "urgency"], in: 1...9, at: "/urgency")
        let published = instant(document[member: "published"], isRequired: true, at: "/published")
        let embargo = embargo(document.present("embargo"))
        let expires = limit(document.present("expires"), at: "/expires")
        if !(kind?.isNews ?? true), let expires, let published, expires <= published {
            violations.add("/expires", "must be later than /published")
        }
        let speaksToReaders = (kind?.isNews ?? true) && withheld == nil
        let audience = document.present("audience")
        let users = users(audience)
        let delivery = choice(EventDelivery.self, document.present("delivery"), at: "/delivery")
        let categories = strings(
            document[member: "categories"],
            isDraft ? .categories : .category,
            most: isDraft ? 400 : 96,
            count: (audience == nil ? 1 : 0)...(isDraft ? ItemSubjects.most : 16),
            isRequired: speaksToReaders && audience == nil,
            at: "/categories"
        )
        let language = string(document[member: "language"], .languageTag, most: 35, at: "/language")
        let text = texts(document[member: "text"], isRequired: speaksToReaders)
        let url = string(document[member: "url"], .link, most: 2048, at: "/url")
        let image = string(document[member: "image"], .link, most: 2048, at: "/image")
        let approvedBy = strings(document[member: "approvedBy"], .name, most: 128, count: 0...8, at: "/approvedBy")
        let mode = choice(EventMode.self, document[member: "mode"], at: "/mode")
        let note = string(document[member: "note"], .free, most: 2048, at: "/note")
        if !isDraft, !ignoresStrays { recordStrays(in: document) }

        guard violations.isEmpty, let id, let story, let revision, let kind, let published else { return nil }
        return NewsEvent(
            id: id,
            source: source ?? defaultSource,
            story: story,
            revision: revision,
            kind: kind,
            urgency: urgency.map { Int($0) },
            published: published,
            embargo: embargo,
            expires: expires,
            categories: categories,
            language: language,
            text: text,
            url: url,
            image: image,
            approvedBy: approvedBy,
            mode: mode ?? .live,
            note: note,
            withheld: withheld,
            users: users,
            delivery: delivery ?? .open
        )
    }

    /// Makes the rejection of a document that is not an event.
    ///
    /// - Parameters:
    ///   - document: An object.
    ///   - error: The reason if it is not ``violations``.
    ///   - origins: See ``SchemaViolations/detail(from:)``.
    /// - Returns: The rejection, with the identifiers that the document contains.
    func rejection(
        of document: JSONValue,
        for error: DecodeError? = nil,
        from origins: [String: [String]] = [:]
    ) -> EventRejection {
        func code(_ name: String, _ other: String?, limit: Int) -> String? {
            guard let text = document[member: name]?.string ?? other, !text.isEmpty else { return nil }
            return text.printable(limit: limit)
        }
        let revision = document[member: "revision"]?.int64
        return EventRejection(
            error?.reason ?? .schema,
            error?.detail ?? violations.detail(from: origins),
            id: code("id", nil, limit: Self.longestID),
            source: code("source", defaultSource, limit: Self.longestSource),
            story: code("story", nil, limit: Self.longestStory),
            revision: revision.flatMap { $0 >= 0 ? $0 : nil },
            kind: code("kind", nil, limit: Self.longestKind)
        )
    }

    /// Makes the event from a kill or a hold that has ``violations``, without the faulty members.
    ///
    /// - Parameters:
    ///   - document: An object.
    ///   - kind: Kill or hold.
    ///   - story: Its story.
    ///   - writtenAt: The record's time, used if the withdrawal has none.
    /// - Returns: The event; `nil` if it has violations even so.
    func withdrawal(_ document: JSONValue, _ kind: EventKind, of story: String, writtenAt: Timestamp?) -> NewsEvent? {
        let defaults = [
            JSONMember(name: "v", value: .number(JSONNumber(1))),
            JSONMember(name: "id", value: .string(FeedName.id(of: kind, document, writtenAt: writtenAt))),
            JSONMember(name: "story", value: .string(story)),
            // The lowest revision, so that no later news of the story counts as older.
            JSONMember(name: "revision", value: .number(JSONNumber(1))),
            JSONMember(name: "kind", value: .string(kind.rawValue)),
            JSONMember(name: "published", value: .string((writtenAt ?? Timestamp(seconds: 0)).rfc3339)),
        ]
        // If the delivery is unclear, subscribers must not get the words.
        let unclear = violations.members.contains("delivery") ? violations.members.union(["text"]) : violations.members
        let sound = (document.object ?? []).filter { !unclear.contains($0.name) }
        var reader = EventSchemaReader(defaultSource: defaultSource)
        reader.ignoresStrays = true
        return reader.event(JSONValue.object(sound).completed(with: defaults))
    }

    /// The members that restrict, or determine the kind of act.
    private static let restricting: Set<String> = ["kind", "embargo", "expires", "audience", "delivery", "mode"]

    /// Adds violations for unknown members that may restrict: known names with other letter case, and usual names of such
    /// members.
    private mutating func recordStrays(in document: JSONValue) {
        for member in document.object ?? [] where !member.value.isNull && !Self.restricting.contains(member.name) {
            let name = member.name.lowercasedASCII
            let complaint: String
            if Self.restricting.contains(name) {
                complaint = "is unknown; write \(name)"
            } else if FeedPlaces.isEmbargo(name, member.value), !FeedTime.isNoEmbargo(member.value) {
                complaint = "is unknown; use embargo"
            } else if name == "users" {
                complaint = "is unknown; the users are in /audience"
            } else if ItemState.order(of: name, member.value) != nil {
                complaint = "is unknown; an event that withdraws has kind kill or hold"
            } else {
                continue
            }
            violations.add("/" + JSONPointer.escaped(member.name).printable(limit: 40), complaint)
            hasStray = true
        }
    }

    private mutating func readVersion(_ value: JSONValue?) {
        guard let value else { return violations.add("/v", "is missing") }
        if value.int64 != 1 { violations.add("/v", "must be 1: other versions of the event are not known") }
    }

    private mutating func users(_ audience: JSONValue?) -> [String] {
        guard let audience else { return [] }
        guard case .object(let members) = audience else {
            violations.add("/audience", "must be an object, is \(audience.typeName)")
            return []
        }
        for member in members where member.name != "users" {
            let name = JSONPointer.escaped(member.name).printable(limit: 40)
            violations.add("/audience/\(name)", "is unknown; an audience has users")
        }
        guard let users = present(audience[member: "users"], isRequired: true, at: "/audience/users") else { return [] }
        return names(users, most: Self.longestUser, count: 1...RareMembers.maximumUsers, at: "/audience/users")
    }

    private mutating func texts(_ value: JSONValue?, isRequired: Bool) -> [EventText] {
        guard let value = present(value, isRequired: isRequired, at: "/text") else { return [] }
        guard case .object(let members) = value else {
            violations.add("/text", "must be an object, is \(value.typeName)")
            return []
        }
        if !(1...40).contains(members.count) {
            violations.add("/text", "must have 1 to 40 languages, has \(members.count)")
        }
        var texts: [EventText] = []
        texts.reserveCapacity(min(members.count, 40))
        for member in members {
            if let text = text(member) { texts.append(text) }
        }
        return texts
    }

    private mutating func text(_ member: JSONMember) -> EventText? {
        func place() -> String { "/text/" + JSONPointer.escaped(member.name).printable(limit: 40) }
        if member.name.utf8.count > 35 || !StringSyntax.languageTag.fits(member.name) {
            violations.add(place(), "the name \(StringSyntax.languageTag.complaint)")
        }
        guard case .object = member.value else {
            violations.add(place(), "must be an object, is \(member.value.typeName)")
            return nil
        }
        let headline = string(
            member.value[member: "headline"],
            .free,
            most: Self.longestHeadline,
            isRequired: true,
            at: place() + "/headline"
        )
        let summary = string(member.value[member: "summary"], .free, most: 4096, at: place() + "/summary")
        guard let headline else { return nil }
        return EventText(language: member.name, headline: headline, summary: summary)
    }
}

/// Checks of single values against the schema. Places are closures, so that a valid event builds no pointers.
extension EventSchemaReader {
    /// Adds a fault if a required member is missing.
    mutating func present(_ value: JSONValue?, isRequired: Bool, at place: @autoclosure () -> String) -> JSONValue? {
        if value == nil, isRequired { violations.add(place(), "is missing") }
        return value
    }

    /// Reads a string; lengths are counted in Unicode scalars, as in JSON Schema.
    mutating func string(
        _ value: JSONValue?,
        _ form: StringSyntax,
        most: Int,
        isRequired: Bool = false,
        at place: @autoclosure () -> String
    ) -> String? {
        guard let value = present(value, isRequired: isRequired, at: place()) else { return nil }
        guard case .string(let text) = value else {
            violations.add(place(), "must be a string, is \(value.typeName)")
            return nil
        }
        guard text.hasAtMost(most) else {
            violations.add(place(), "longer than \(most)")
            return nil
        }
        guard form.fits(text) else {
            violations.add(place(), form.complaint)
            return nil
        }
        return text
    }

    /// Reads an integer; `1.0` is an integer.
    mutating func integer(
        _ value: JSONValue?,
        in range: ClosedRange<Int64>,
        isRequired: Bool = false,
        at place: @autoclosure () -> String
    ) -> Int64? {
        guard let value = present(value, isRequired: isRequired, at: place()) else { return nil }
        guard case .number(let number) = value else {
            violations.add(place(), "must be an integer, is \(value.typeName)")
            return nil
        }
        guard let integer = number.int64, range.contains(integer) else {
            violations.add(place(), "must be an integer from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return integer
    }

    /// Reads one of a closed list of words.
    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _: Choice.Type,
        _ value: JSONValue?,
        isRequired: Bool = false,
        at place: @autoclosure () -> String
    ) -> Choice? {
        guard let value = present(value, isRequired: isRequired, at: place()) else { return nil }
        if case .string(let text) = value, let choice = Choice(rawValue: text) { return choice }
        let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        let found = value.string?.quoted(limit: 32) ?? value.typeName
        violations.add(place(), "must be one of \(known), is \(found)")
        return nil
    }

    /// Reads an instant of RFC 3339. Instants outside the years 1678 to 2262 are clamped.
    mutating func instant(
        _ value: JSONValue?,
        isRequired: Bool = false,
        at place: @autoclosure () -> String
    ) -> Timestamp? {
        guard let value = present(value, isRequired: isRequired, at: place()) else { return nil }
        guard case .string(let text) = value else {
            violations.add(place(), "must be a date-time, is \(value.typeName)")
            return nil
        }
        if let instant = Self.instant(of: text) { return instant }
        violations.add(place(), "must be a date-time of RFC 3339 with offset, such as 2026-03-02T09:40:00+01:00")
        return nil
    }

    /// Reads an instant that only restricts. Instead of none, some systems write the first instant of .NET's calendar.
    mutating func limit(_ value: JSONValue?, at place: @autoclosure () -> String) -> Timestamp? {
        if let text = value?.string, FeedTime.isNone(text) { return nil }
        return instant(value, at: place())
    }

    /// Reads an embargo; see ``FeedTime/isNoEmbargo(_:)``.
    mutating func embargo(_ value: JSONValue?) -> Timestamp? {
        if let value, FeedTime.isNoEmbargo(value) { return nil }
        return instant(value, at: "/embargo")
    }

    /// The instant of an RFC 3339 text. Instants outside the years 1678 to 2262 are clamped.
    static func instant(of text: String) -> Timestamp? { Timestamp(rfc3339: text) ?? distantInstant(text) }

    /// Reads an instant that does not fit into nanoseconds, such as the year 9999 that some systems write for never.
    ///
    /// The calendar repeats every 400 years, so the rest is checked with the equivalent year from 1800 to 2199.
    private static func distantInstant(_ text: String) -> Timestamp? {
        guard text.utf8.first?.isDigit == true, let year = Int(text.prefix(4)), !(1700...2200).contains(year)
        else { return nil }
        guard Timestamp(rfc3339: "\(1800 + year % 400)\(text.dropFirst(4))") != nil else { return nil }
        return Timestamp(nanoseconds: year < 1700 ? .min : .max)
    }

    /// Reads an array of strings; a repeated string is a fault.
    mutating func strings(
        _ value: JSONValue?,
        _ form: StringSyntax,
        most: Int,
        count: ClosedRange<Int>,
        isRequired: Bool = false,
        at place: @autoclosure () -> String
    ) -> [String] {
        guard let value = present(value, isRequired: isRequired, at: place()) else { return [] }
        let elements = elements(value, count: count, at: place())
        var texts: [String] = []
        texts.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            guard let text = string(element, form, most: most, at: "\(place())/\(index)") else { continue }
            if texts.contains(where: { $0.utf8.elementsEqual(text.utf8) }) {
                violations.add("\(place())/\(index)", "occurs twice")
            }
            texts.append(text)
        }
        return texts
    }

    /// Returns the elements of an array; empty if there is a fault.
    private mutating func elements(
        _ value: JSONValue,
        count: ClosedRange<Int>,
        at place: @autoclosure () -> String
    ) -> [JSONValue] {
        guard case .array(let elements) = value else {
            violations.add(place(), "must be an array, is \(value.typeName)")
            return []
        }
        guard count.contains(elements.count) else {
            let range = "\(count.lowerBound) to \(count.upperBound)"
            violations.add(place(), "must have \(range) elements, has \(elements.count)")
            return []
        }
        return elements
    }

    /// Reads an array of users' names, which may be long; a repeated name is a fault.
    mutating func names(
        _ value: JSONValue,
        most: Int,
        count: ClosedRange<Int>,
        at place: @autoclosure () -> String
    ) -> [String] {
        let elements = elements(value, count: count, at: place())
        var names: [String] = []
        var seen: Set<String> = []
        names.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            guard let name = string(element, .user, most: most, at: "\(place())/\(index)") else { continue }
            if !seen.insert(name).inserted { violations.add("\(place())/\(index)", "occurs twice") }
            names.append(name)
        }
        return names
    }
}

extension String {
    /// Whether the text has at most `count` Unicode scalars. Counts them only if it has more than `count` bytes.
    fileprivate func hasAtMost(_ count: Int) -> Bool {
        utf8.count <= count || (utf8.count <= 4 * count && unicodeScalars.count <= count)
    }
}
