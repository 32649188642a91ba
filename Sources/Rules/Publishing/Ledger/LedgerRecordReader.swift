import Basics
import NewsEvents
import NotificationHubs
import Routing
import Signing
import StrictJSON
import Timestamps

extension LedgerRecordCodec {
    /// Decodes a record.
    ///
    /// - Parameter value: The whole value of a record of the ledger topic.
    /// - Returns: The story of the record, and its facts.
    /// - Throws: The first fault with its path. The sum shows damaged bytes.
    package static func decode(
        _ value: Span<UInt8>
    ) throws(LedgerRecordError) -> (story: String, record: StoryFacts) {
        do throws(JSONError) {
            let reader = try LedgerRecordReader(value)
            return (reader.story, try reader.wholeFacts(value))
        } catch {
            throw LedgerRecordError(error, in: value)
        }
    }
}

/// A record whose grammar, version, single values and sum are valid. Its lists are decoded on demand, because restoring the
/// index needs few of them.
struct LedgerRecordReader {
    let story: String
    /// The facts without the lists.
    let facts: StoryFacts
    private let record: LedgerObject

    private static let lists: [StaticString] = [
        "text", "earlier", "begun", "pushes", "audiences", "closing", "waiting",
    ]

    init(_ bytes: Span<UInt8>) throws(JSONError) {
        var cursor = try JSONCursor(bytes)
        var record = try LedgerObject(&cursor, bytes)
        try cursor.end(bytes)
        let sum = try record.cursor(of: "sum", bytes)
        if let sum { record.end = sum.position }
        try Self.checkVersion(record, bytes)
        story = try record.required("story", bytes)
        var facts = StoryFacts(
            revision: try record.required("revision", bytes),
            eventID: try record.required("event", bytes),
            source: try record.required("source", bytes),
            kind: try record.required("kind", bytes),
            digest: ContentDigest(value: try record.required("digest", bytes)),
            isFinal: try record.value("final", bytes) ?? true,
            changedAt: try record.required("changed", bytes)
        )
        facts.phase = try record.value("phase", bytes) ?? .open
        let passed: Int64 = try record.value("passed", bytes) ?? 0
        facts.passedRevision = passed > facts.revision ? passed : 0
        facts.isSecure = try record.value("secure", bytes) ?? false
        facts.term = try record.value("term", bytes) ?? 0
        facts.processed = try record.value("processed", bytes) ?? ProcessedOffsets()
        facts.embargo = try record.value("embargo", bytes)
        facts.wordsOffset = try record.value("words", bytes)
        facts.withdrawalOffset = try record.value("withdrawal", bytes)
        for name in Self.lists {
            var list = try record.cursor(of: name, bytes)
            try list?.beginArray(bytes)
        }
        if let sum { try Self.check(sum, bytes) }
        self.record = record
        self.facts = facts
    }

    /// Checks the version first, because everything else may be of another one.
    private static func checkVersion(_ record: LedgerObject, _ bytes: Span<UInt8>) throws(JSONError) {
        guard var cursor = try record.cursor(of: "v", bytes) else { throw record.missing("v") }
        let start = cursor.position
        let version = try cursor.int64(bytes)
        guard version == LedgerRecordCodec.version else {
            let message =
                "the record is of version \(version), this newsflash reads version \(LedgerRecordCodec.version)"
            throw cursor.fault(.ledgerVersion, at: start, message)
        }
    }

    /// Compares the sum at a cursor with the hash of all bytes up to the comma before it.
    private static func check(_ sum: JSONCursor, _ bytes: Span<UInt8>) throws(JSONError) {
        var cursor = sum
        let written = try UInt64(reading: &cursor, bytes)
        var end = sum.position
        while end > 0, bytes[end - 1] != UInt8(ascii: ",") { end -= 1 }
        guard Checksum.of(bytes.extracting(0..<end)) == written else {
            let message = "is not that of the record's bytes: it was damaged or edited"
            throw cursor.fault(.ledgerSum, at: sum.position, message)
        }
    }

    /// Compares the story with the record's key.
    func check(isOf key: Span<UInt8>, _ bytes: Span<UInt8>) throws(JSONError) {
        guard !story.utf8.span.isEqual(to: key), let cursor = try record.cursor(of: "story", bytes) else { return }
        throw cursor.fault(.ledgerKey, at: cursor.position, "is not the story of the record's key")
    }

    /// The facts with all lists.
    func wholeFacts(_ bytes: Span<UInt8>) throws(JSONError) -> StoryFacts {
        var facts = facts
        facts.text = try record.value("text", bytes) ?? []
        facts.earlier = try acts("earlier", bytes)
        facts.begun = try acts("begun", bytes)
        facts.pushes = try pushes(bytes)
        facts.audiences = try record.value("audiences", bytes) ?? []
        facts.closing = try closing(bytes)
        facts.waiting = try waiting(bytes)
        return facts
    }

    func waiting(_ bytes: Span<UInt8>) throws(JSONError) -> [StoryFacts.Waiting] {
        try record.value("waiting", bytes) ?? []
    }

    func closing(_ bytes: Span<UInt8>) throws(JSONError) -> [StoryFacts.Closing] {
        let closing: [ClosingRepeats] = try record.value("closing", bytes) ?? []
        return closing.flatMap(\.ends)
    }

    func pushes(_ bytes: Span<UInt8>) throws(JSONError) -> [StoryFacts.Push] {
        let pushes: [StoryFacts.Push] = try record.value("pushes", bytes) ?? []
        return pushes.suffix(StoryFacts.Push.maximumCount)
    }

    private func acts(_ name: StaticString, _ bytes: Span<UInt8>) throws(JSONError) -> [UInt64] {
        let acts: [UInt64] = try record.value(name, bytes) ?? []
        return acts.suffix(StoryFacts.maximumEarlier)
    }
}

// MARK: - Objects

extension ProcessedOffsets: LedgerReadable {
    init(reading cursor: inout JSONCursor, _ bytes: Span<UInt8>) throws(JSONError) {
        let start = cursor.position
        let object = try LedgerObject(&cursor, bytes)
        let processed = ProcessedOffsets(
            through: try object.value("through", bytes) ?? -1,
            open: try object.value("open", bytes) ?? [],
            ahead: try object.value("ahead", bytes) ?? []
        )
        guard let processed else { throw cursor.fault(.ledgerMember, at: start, "the offsets do not ascend") }
        self = processed
    }
}

extension EventText: LedgerReadable {
    init(reading cursor: inout JSONCursor, _ bytes: Span<UInt8>) throws(JSONError) {
        let object = try LedgerObject(&cursor, bytes)
        self.init(
            language: try object.required("language", bytes),
            headline: try object.required("headline", bytes),
            summary: try object.value("summary", bytes)
        )
    }
}

extension StoryFacts.Push: LedgerReadable {
    init(reading cursor: inout JSONCursor, _ bytes: Span<UInt8>) throws(JSONError) {
        let object = try LedgerObject(&cursor, bytes)
        let isSilent = try object.value("silent", bytes) ?? false
        self.init(
            at: try object.required("at", bytes),
            source: try object.required("source", bytes),
            words: try object.required("words", bytes),
            categories: try object.value("categories", bytes) ?? [],
            isLoud: !isSilent
        )
    }
}

extension AudienceFact: LedgerReadable {
    init(reading cursor: inout JSONCursor, _ bytes: Span<UInt8>) throws(JSONError) {
        let object = try LedgerObject(&cursor, bytes)
        let audience = Audience(
            hub: try object.required("hub", bytes),
            format: try object.required("format", bytes),
            planned: PlannedAudience(
                expression: try object.required("tags", bytes),
                locale: try object.value("locale", bytes),
                categories: try object.value("categories", bytes) ?? [],
                isForUsers: try object.value("users", bytes) ?? false
            )
        )
        let act = Act(
            id: try object.required("act", bytes),
            kind: try object.required("kind", bytes),
            revision: try object.required("revision", bytes),
            at: try object.required("at", bytes)
        )
        self.init(
            audience,
            act,
            try object.value("certainty", bytes) ?? .accepted,
            isFollowUp: try object.value("followUp", bytes) ?? false,
            unanswered: try object.value("unanswered", bytes).map { (count: Int64) in Int(clamping: max(0, count)) }
                ?? 0
        )
    }
}

extension TagExpression: LedgerReadable {
    /// Reads an expression and checks it against the hub's limits.
    init(reading cursor: inout JSONCursor, _ bytes: Span<UInt8>) throws(JSONError) {
        let start = cursor.position
        let text = try cursor.string(bytes)
        do throws(TagExpressionError) {
            self = try TagExpression(parsing: text)
        } catch {
            throw cursor.fault(.ledgerMember, at: start, error.message)
        }
    }
}

/// The ends of one event and its repeats, which are written together.
private struct ClosingRepeats: LedgerReadable {
    let ends: [StoryFacts.Closing]

    init(reading cursor: inout JSONCursor, _ bytes: Span<UInt8>) throws(JSONError) {
        let object = try LedgerObject(&cursor, bytes)
        let offsets: [Int64] = try object.required("offsets", bytes)
        let event: String = try object.required("event", bytes)
        let verdict = EventVerdict(
            try object.required("outcome", bytes),
            try object.value("reason", bytes),
            try object.value("detail", bytes)
        )
        let stage = try object.value("stage", bytes) ?? DeadLetter.Stage.send
        ends = offsets.map { StoryFacts.Closing(offset: $0, event: event, verdict: verdict, stage: stage) }
    }
}

extension StoryFacts.Waiting: LedgerReadable {
    init(reading cursor: inout JSONCursor, _ bytes: Span<UInt8>) throws(JSONError) {
        let object = try LedgerObject(&cursor, bytes)
        guard let value = try object.bytes("value", base64: "value_base64", bytes) else {
            throw object.missing("value")
        }
        self.init(
            offset: try object.required("offset", bytes),
            timestamp: try object.value("timestamp", bytes),
            consumedAt: try object.required("consumed", bytes),
            until: try object.value("until", bytes),
            reason: try object.required("reason", bytes),
            source: try object.value("source", bytes) ?? "",
            heldAt: try object.value("held", bytes),
            isSuspected: try object.value("suspected", bytes) ?? false,
            isExpress: try object.value("express", bytes) ?? false,
            hasEnded: try object.value("ended", bytes) ?? false,
            hubs: try object.value("hubs", bytes) ?? [],
            attempts: Int(clamping: try object.value("attempts", bytes) ?? Int64(0)),
            key: try object.bytes("key", base64: "key_base64", bytes),
            value: value,
            headers: try object.value("headers", bytes) ?? []
        )
    }
}

extension StoryFacts.Waiting.Header: LedgerReadable {
    init(reading cursor: inout JSONCursor, _ bytes: Span<UInt8>) throws(JSONError) {
        let object = try LedgerObject(&cursor, bytes)
        self.init(
            name: try object.required("name", bytes),
            value: try object.bytes("value", base64: "value_base64", bytes)
        )
    }
}

extension LedgerObject {
    /// Reads bytes: a string, or base 64 under another name if they are not UTF-8.
    fileprivate func bytes(
        _ name: StaticString,
        base64 other: StaticString,
        _ bytes: Span<UInt8>
    ) throws(JSONError) -> [UInt8]? {
        let text: String? = try value(name, bytes)
        guard var cursor = try cursor(of: other, bytes) else { return text.map { Array($0.utf8) } }
        let start = cursor.position
        guard let value = Base64.decode(try cursor.string(bytes)) else {
            throw cursor.fault(.ledgerMember, at: start, "must be padded base 64")
        }
        return value
    }
}
