import StrictJSON
import Timestamps

/// Reads an event straight from its bytes, as nearly all of them can be read.
///
/// Makes no tree and notes no faults: it gives up at the first surprise, and ``EventSchemaReader`` has to say what the
/// document is. What it reads, both read the same; tests and a fuzz target hold them to it.
struct EventScan {
    private var cursor: JSONCursor
    private var seen: UInt32 = 0
    private var isVersion1 = false
    private var id: String?
    private var source: String?
    private var story: String?
    private var revision: Int64?
    private var kind: EventKind?
    private var urgency: Int?
    private var published: Timestamp?
    private var embargo: Timestamp?
    private var expires: Timestamp?
    private var users: [String] = []
    private var delivery = EventDelivery.open
    private var categories: [String] = []
    private var language: String?
    private var text: [EventText] = []
    private var url: String?
    private var image: String?
    private var approvedBy: [String] = []
    private var mode = EventMode.live
    private var note: String?

    /// Why a document is left to the thorough reader; it finds out by itself.
    private struct Surprise: Error {}

    /// Reads one document.
    ///
    /// - Parameters:
    ///   - bytes: One JSON text, without a byte order mark.
    ///   - defaultSource: The source of an event that names none.
    /// - Returns: The event; nothing where the thorough reader has to look, which may find an event all the same.
    static func event(_ bytes: Span<UInt8>, defaultSource: String) -> NewsEvent? {
        guard var scan = try? EventScan(cursor: JSONCursor(bytes)), (try? scan.read(bytes)) != nil else { return nil }
        return scan.event(defaultSource: defaultSource)
    }

    private init(cursor: JSONCursor) {
        self.cursor = cursor
    }

    private func event(defaultSource: String) -> NewsEvent? {
        guard isVersion1, let id, let story, let revision, let kind, let published else { return nil }
        let speaksToReaders = kind != .hold && kind != .kill
        if speaksToReaders, (categories.isEmpty && users.isEmpty) || text.isEmpty { return nil }
        return NewsEvent(
            id: id,
            source: source ?? defaultSource,
            story: story,
            revision: revision,
            kind: kind,
            urgency: urgency,
            published: published,
            embargo: embargo,
            expires: expires,
            categories: categories,
            language: language,
            text: text,
            url: url,
            image: image,
            approvedBy: approvedBy,
            mode: mode,
            note: note,
            users: users,
            delivery: delivery
        )
    }

    // MARK: Members

    private mutating func read(_ bytes: Span<UInt8>) throws {
        try cursor.beginObject(bytes)
        while let name = try cursor.nextMember(bytes) {
            guard let member = EventMember(name, bytes) else { throw Surprise() }
            guard seen & member.bit == 0 else { throw Surprise() }
            seen |= member.bit
            try read(member, bytes)
        }
        try cursor.end(bytes)
    }

    private mutating func read(_ member: EventMember, _ bytes: Span<UInt8>) throws {
        switch member {
        case .version: isVersion1 = try cursor.int64(bytes) == 1
        case .id: id = try string(.identifier, most: EventSchemaReader.longestID, bytes)
        case .source: source = try string(.uriReference, most: EventSchemaReader.longestSource, bytes)
        case .story: story = try string(.identifier, most: EventSchemaReader.longestStory, bytes)
        case .revision: revision = try integer(in: 1...EventSchemaReader.largestRevision, bytes)
        case .kind: kind = try choice(bytes)
        case .urgency: urgency = Int(try integer(in: 1...9, bytes))
        case .published: published = try instant(bytes)
        case .embargo: embargo = try instant(bytes)
        case .expires: expires = try instant(bytes)
        case .audience: users = try audience(bytes)
        case .delivery: delivery = try choice(bytes)
        case .categories: categories = try strings(.category, most: 96, count: 1...16, bytes)
        case .language: language = try string(.languageTag, most: 35, bytes)
        case .text: text = try texts(bytes)
        case .url: url = try string(.link, most: 2048, bytes)
        case .image: image = try string(.link, most: 2048, bytes)
        case .approvedBy: approvedBy = try strings(.name, most: 128, count: 0...8, bytes)
        case .mode: mode = try choice(bytes)
        case .note: note = try string(.free, most: 2048, bytes)
        }
    }

    private mutating func audience(_ bytes: Span<UInt8>) throws -> [String] {
        var users: [String] = []
        try cursor.beginObject(bytes)
        while let name = try cursor.nextMember(bytes) {
            guard users.isEmpty, name.equals("users", bytes) else { throw Surprise() }
            users = try names(bytes)
        }
        guard !users.isEmpty else { throw Surprise() }
        return users
    }

    private mutating func names(_ bytes: Span<UInt8>) throws -> [String] {
        var names: [String] = []
        var seen: Set<String> = []
        try cursor.beginArray(bytes)
        while try cursor.nextElement(bytes) {
            let name = try string(.user, most: EventSchemaReader.longestUser, bytes)
            guard names.count < EventAddress.maximumUsers, seen.insert(name).inserted else { throw Surprise() }
            names.append(name)
        }
        guard !names.isEmpty else { throw Surprise() }
        return names
    }

    private mutating func texts(_ bytes: Span<UInt8>) throws -> [EventText] {
        var texts: [EventText] = []
        texts.reserveCapacity(4)
        try cursor.beginObject(bytes)
        while let name = try cursor.nextMember(bytes) {
            let language = name.string(bytes)
            guard language.utf8.count <= 35, TextForm.languageTag.fits(language), texts.count < 40,
                !texts.contains(where: { $0.language == language })
            else { throw Surprise() }
            texts.append(try text(in: language, bytes))
        }
        guard !texts.isEmpty else { throw Surprise() }
        return texts
    }

    private mutating func text(in language: String, _ bytes: Span<UInt8>) throws -> EventText {
        var headline: String?
        var summary: String?
        try cursor.beginObject(bytes)
        while let name = try cursor.nextMember(bytes) {
            if headline == nil, name.equals("headline", bytes) {
                headline = try string(.free, most: 1024, bytes)
            } else if summary == nil, name.equals("summary", bytes) {
                summary = try string(.free, most: 4096, bytes)
            } else {
                throw Surprise()
            }
        }
        guard let headline else { throw Surprise() }
        return EventText(language: language, headline: headline, summary: summary)
    }

    // MARK: Values

    /// A string whose bytes are no more than its scalars may be.
    private mutating func string(_ form: TextForm, most: Int, _ bytes: Span<UInt8>) throws -> String {
        let text = try cursor.string(bytes)
        guard text.utf8.count <= most, form.fits(text) else { throw Surprise() }
        return text
    }

    private mutating func strings(
        _ form: TextForm,
        most: Int,
        count: ClosedRange<Int>,
        _ bytes: Span<UInt8>
    ) throws -> [String] {
        var texts: [String] = []
        texts.reserveCapacity(4)
        try cursor.beginArray(bytes)
        while try cursor.nextElement(bytes) {
            let text = try string(form, most: most, bytes)
            guard texts.count < count.upperBound, !texts.contains(where: { $0.utf8.elementsEqual(text.utf8) }) else {
                throw Surprise()
            }
            texts.append(text)
        }
        guard texts.count >= count.lowerBound else { throw Surprise() }
        return texts
    }

    private mutating func integer(in range: ClosedRange<Int64>, _ bytes: Span<UInt8>) throws -> Int64 {
        let value = try cursor.int64(bytes)
        guard range.contains(value) else { throw Surprise() }
        return value
    }

    private mutating func instant(_ bytes: Span<UInt8>) throws -> Timestamp {
        let text = try cursor.text(bytes)
        guard !text.hasEscapes, let instant = Timestamp(rfc3339: bytes.extracting(text.range)) else {
            throw Surprise()
        }
        return instant
    }

    private mutating func choice<Choice: RawRepresentable<String>>(_ bytes: Span<UInt8>) throws -> Choice {
        guard let choice = Choice(rawValue: try cursor.string(bytes)) else { throw Surprise() }
        return choice
    }
}
