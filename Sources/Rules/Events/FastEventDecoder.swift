import NewsflashStrictJSON
import NewsflashTimestamps

/// A fast decoder for well-formed events, which are nearly all events.
///
/// Builds no tree and collects no faults. It gives up at the first unexpected value, and ``EventSchemaReader`` then decodes
/// or rejects the document. Both must decode to equal events; tests and a fuzz target check that.
struct FastEventDecoder {
    private var cursor: JSONCursor
    /// The bits of the members read so far.
    private var seen: UInt32 = 0

    /// Thrown if ``EventSchemaReader`` must decode the document; it finds the reason itself.
    private struct UnexpectedValueError: Error {}

    private static var required: UInt32 {
        EventMember.version.bit | EventMember.id.bit | EventMember.story.bit | EventMember.revision.bit
            | EventMember.kind.bit | EventMember.published.bit
    }

    /// Reads one document.
    ///
    /// - Parameters:
    ///   - bytes: One JSON text, without a byte order mark.
    ///   - defaultSource: The source of an event that names none.
    /// - Returns: The event; `nil` if ``EventSchemaReader`` must decode the document, which may still be an event.
    static func event(_ bytes: Span<UInt8>, defaultSource: String) -> NewsEvent? {
        guard let cursor = try? JSONCursor(bytes) else { return nil }
        var scan = FastEventDecoder(cursor: cursor)
        // Absent members keep these defaults.
        var event = NewsEvent.Fields(
            id: "",
            source: defaultSource,
            story: "",
            revision: 0,
            kind: .update,
            urgency: EventKind.update.defaultUrgency,
            published: Timestamp(nanoseconds: 0)
        )
        guard (try? scan.read(&event, bytes)) != nil else { return nil }
        return NewsEvent(event)
    }

    private init(cursor: JSONCursor) {
        self.cursor = cursor
    }

    /// Whether all required members are present.
    private func isWhole(_ event: borrowing NewsEvent.Fields) -> Bool {
        guard seen & Self.required == Self.required else { return false }
        let speaksToReaders = event.kind != .hold && event.kind != .kill
        return !speaksToReaders || (!event.categories.isEmpty || has(.audience)) && !event.text.isEmpty
    }

    private func has(_ member: EventMember) -> Bool { seen & member.bit != 0 }

    // MARK: Members

    private mutating func read(_ event: inout NewsEvent.Fields, _ bytes: Span<UInt8>) throws {
        try cursor.beginObject(bytes)
        while let name = try cursor.nextMember(bytes) {
            guard let member = EventMember(name, bytes) else { throw UnexpectedValueError() }
            guard !has(member) else { throw UnexpectedValueError() }
            seen |= member.bit
            try read(member, of: &event, bytes)
        }
        try cursor.end(bytes)
        guard isWhole(event) else { throw UnexpectedValueError() }
        if !event.kind.isNews, let expires = event.expires, expires <= event.published { throw UnexpectedValueError() }
        if !has(.urgency) { event.urgency = event.kind.defaultUrgency }
    }

    private mutating func read(
        _ member: EventMember,
        of event: inout NewsEvent.Fields,
        _ bytes: Span<UInt8>
    ) throws {
        switch member {
        case .version: guard try cursor.int64(bytes) == 1 else { throw UnexpectedValueError() }
        case .id: event.id = try string(.identifier, most: EventSchemaReader.longestID, bytes)
        case .source: event.source = try string(.uriReference, most: EventSchemaReader.longestSource, bytes)
        case .story: event.story = try string(.identifier, most: EventSchemaReader.longestStory, bytes)
        case .revision: event.revision = try integer(in: 1...EventSchemaReader.largestRevision, bytes)
        case .kind: event.kind = try choice(bytes)
        case .urgency: event.urgency = Int(try integer(in: 1...9, bytes))
        case .published: event.published = try instant(bytes)
        case .embargo:
            let embargo = try instant(bytes)
            guard embargo >= FeedTime.firstDayAfterZero else { throw UnexpectedValueError() }
            event.embargo = embargo
        case .expires: event.expires = try instant(bytes)
        case .audience: event.rare.users = try audience(bytes)
        case .delivery: event.rare.delivery = try choice(bytes)
        case .categories: event.categories = try strings(.category, most: 96, count: 1...16, bytes)
        case .language: event.language = try string(.languageTag, most: 35, bytes)
        case .text: event.text = try texts(bytes)
        case .url: event.url = try string(.link, most: 2048, bytes)
        case .image: event.image = try string(.link, most: 2048, bytes)
        case .approvedBy: event.approvedBy = try strings(.name, most: 128, count: 0...8, bytes)
        case .mode: event.mode = try choice(bytes)
        case .note: event.note = try string(.free, most: 2048, bytes)
        }
    }

    private mutating func audience(_ bytes: Span<UInt8>) throws -> [String] {
        var users: [String] = []
        try cursor.beginObject(bytes)
        while let name = try cursor.nextMember(bytes) {
            guard users.isEmpty, name.equals("users", bytes) else { throw UnexpectedValueError() }
            users = try names(bytes)
        }
        guard !users.isEmpty else { throw UnexpectedValueError() }
        return users
    }

    private mutating func names(_ bytes: Span<UInt8>) throws -> [String] {
        var names: [String] = []
        var seen: Set<String> = []
        try cursor.beginArray(bytes)
        while try cursor.nextElement(bytes) {
            let name = try string(.user, most: EventSchemaReader.longestUser, bytes)
            guard names.count < RareMembers.maximumUsers, seen.insert(name).inserted else {
                throw UnexpectedValueError()
            }
            names.append(name)
        }
        guard !names.isEmpty else { throw UnexpectedValueError() }
        return names
    }

    private mutating func texts(_ bytes: Span<UInt8>) throws -> [EventText] {
        var texts: [EventText] = []
        texts.reserveCapacity(4)
        try cursor.beginObject(bytes)
        while let name = try cursor.nextMember(bytes) {
            let language = try string(name, .languageTag, most: 35, bytes)
            guard texts.count < 40, !texts.contains(where: { $0.language == language }) else {
                throw UnexpectedValueError()
            }
            texts.append(try text(in: language, bytes))
        }
        guard !texts.isEmpty else { throw UnexpectedValueError() }
        return texts
    }

    private mutating func text(in language: String, _ bytes: Span<UInt8>) throws -> EventText {
        var text = EventText(language: language, headline: "")
        var hasHeadline = false
        try cursor.beginObject(bytes)
        while let name = try cursor.nextMember(bytes) {
            if !hasHeadline, name.equals("headline", bytes) {
                text.headline = try string(.free, most: 1024, bytes)
                hasHeadline = true
            } else if text.summary == nil, name.equals("summary", bytes) {
                text.summary = try string(.free, most: 4096, bytes)
            } else {
                throw UnexpectedValueError()
            }
        }
        guard hasHeadline else { throw UnexpectedValueError() }
        return text
    }

    // MARK: Values

    /// Reads a string of at most `most` bytes. The schema allows `most` scalars; longer texts are left to
    /// ``EventSchemaReader``.
    private mutating func string(_ form: StringSyntax, most: Int, _ bytes: Span<UInt8>) throws -> String {
        try string(cursor.text(bytes), form, most: most, bytes)
    }

    private func string(_ text: JSONText, _ form: StringSyntax, most: Int, _ bytes: Span<UInt8>) throws -> String {
        guard !text.hasEscapes else { return try stringWithEscapes(text, form, most: most, bytes) }
        guard text.range.count <= most, form.fits(bytes.extracting(text.range)) else { throw UnexpectedValueError() }
        return text.string(bytes)
    }

    private func stringWithEscapes(
        _ text: JSONText,
        _ form: StringSyntax,
        most: Int,
        _ bytes: Span<UInt8>
    ) throws -> String {
        let string = text.string(bytes)
        guard string.utf8.count <= most, form.fits(string) else { throw UnexpectedValueError() }
        return string
    }

    private mutating func strings(
        _ form: StringSyntax,
        most: Int,
        count: ClosedRange<Int>,
        _ bytes: Span<UInt8>
    ) throws -> [String] {
        var texts: [String] = []
        texts.reserveCapacity(4)
        try cursor.beginArray(bytes)
        while try cursor.nextElement(bytes) {
            let text = try string(form, most: most, bytes)
            guard texts.count < count.upperBound, !texts.contains(where: { $0.isSame(as: text) }) else {
                throw UnexpectedValueError()
            }
            texts.append(text)
        }
        guard texts.count >= count.lowerBound else { throw UnexpectedValueError() }
        return texts
    }

    private mutating func integer(in range: ClosedRange<Int64>, _ bytes: Span<UInt8>) throws -> Int64 {
        let value = try cursor.int64(bytes)
        guard range.contains(value) else { throw UnexpectedValueError() }
        return value
    }

    private mutating func instant(_ bytes: Span<UInt8>) throws -> Timestamp {
        let text = try cursor.text(bytes)
        guard !text.hasEscapes, let instant = Timestamp(rfc3339: bytes.extracting(text.range)) else {
            throw UnexpectedValueError()
        }
        return instant
    }

    private mutating func choice<Choice: RawRepresentable<String>>(_ bytes: Span<UInt8>) throws -> Choice {
        guard let choice = Choice(rawValue: try cursor.string(bytes)) else { throw UnexpectedValueError() }
        return choice
    }
}

extension String {
    /// Whether both have the same bytes; the cheap comparisons come first.
    fileprivate func isSame(as other: String) -> Bool {
        utf8.count == other.utf8.count && self == other && utf8.elementsEqual(other.utf8)
    }
}

/// The members of an event, as ``FastEventDecoder`` identifies them by name.
enum EventMember: UInt32 {
    case version, id, source, story, revision, kind, urgency, published, embargo, expires
    case audience, delivery, categories, language, text, url, image, approvedBy, mode, note

    /// The bit of this member in a set.
    var bit: UInt32 { 1 << rawValue }

    /// Looks up a name by its length and first letter, so that at most one word is compared.
    init?(_ name: JSONText, _ bytes: Span<UInt8>) {
        guard let first = name.range.first.map({ bytes[$0] }) else { return nil }
        let (member, word): (EventMember, StaticString)
        switch (name.range.count, first) {
        case (1, UInt8(ascii: "v")): (member, word) = (.version, "v")
        case (2, UInt8(ascii: "i")): (member, word) = (.id, "id")
        case (3, UInt8(ascii: "u")): (member, word) = (.url, "url")
        case (4, UInt8(ascii: "k")): (member, word) = (.kind, "kind")
        case (4, UInt8(ascii: "t")): (member, word) = (.text, "text")
        case (4, UInt8(ascii: "m")): (member, word) = (.mode, "mode")
        case (4, UInt8(ascii: "n")): (member, word) = (.note, "note")
        case (5, UInt8(ascii: "s")): (member, word) = (.story, "story")
        case (5, UInt8(ascii: "i")): (member, word) = (.image, "image")
        case (6, UInt8(ascii: "s")): (member, word) = (.source, "source")
        case (7, UInt8(ascii: "u")): (member, word) = (.urgency, "urgency")
        case (7, UInt8(ascii: "e")) where bytes[name.range.lowerBound + 1] == UInt8(ascii: "m"):
            (member, word) = (.embargo, "embargo")
        case (7, UInt8(ascii: "e")): (member, word) = (.expires, "expires")
        case (8, UInt8(ascii: "r")): (member, word) = (.revision, "revision")
        case (8, UInt8(ascii: "l")): (member, word) = (.language, "language")
        case (8, UInt8(ascii: "a")): (member, word) = (.audience, "audience")
        case (8, UInt8(ascii: "d")): (member, word) = (.delivery, "delivery")
        case (9, UInt8(ascii: "p")): (member, word) = (.published, "published")
        case (10, UInt8(ascii: "c")): (member, word) = (.categories, "categories")
        case (10, UInt8(ascii: "a")): (member, word) = (.approvedBy, "approvedBy")
        default: return nil
        }
        guard !name.hasEscapes, name.equals(word, bytes) else { return nil }
        self = member
    }
}
