import NewsEvents
import NotificationHubs
import Routing
import Signing
import StrictJSON
import Timestamps

extension LedgerRecordCodec {
    /// Reads a record.
    ///
    /// - Parameter value: The whole value of a record of the ledger topic.
    /// - Returns: The story that it names, and what it says of it.
    /// - Throws: The first fault with its path. Bytes that were damaged are told by their sum.
    package static func decode(
        _ value: Span<UInt8>
    ) throws(LedgerRecordError) -> (story: String, record: StoryFacts) {
        do throws(JSONError) {
            let scan = try LedgerRecordScan(value)
            return (scan.story.string(value), try facts(scan, value))
        } catch {
            throw LedgerRecordError(error, in: value)
        }
    }

    /// Makes the whole record of one that was gone through.
    static func facts(_ scan: LedgerRecordScan, _ bytes: Span<UInt8>) throws(JSONError) -> StoryFacts {
        var record = StoryFacts(
            revision: scan.revision,
            eventID: scan.eventID.string(bytes),
            source: scan.source.string(bytes),
            kind: scan.kind,
            digest: scan.digest,
            isFinal: scan.isFinal,
            changedAt: scan.changedAt
        )
        record.phase = scan.phase
        record.passedRevision = scan.passedRevision
        record.isSecure = scan.isSecure
        record.processed = scan.processed
        record.term = scan.term
        record.wordsOffset = scan.wordsOffset
        if var list = scan.text?.beginning {
            try list.beginArray(bytes)
            while try list.nextElement(bytes) { record.text.append(try text(&list, bytes)) }
        }
        record.earlier = try acts(scan.earlier, bytes)
        record.begun = try acts(scan.begun, bytes)
        record.pushes = try pushes(scan.pushes, bytes)
        if let list = scan.audiences { record.audiences = try audiences(list, bytes) }
        if var list = scan.closing?.beginning {
            try list.beginArray(bytes)
            while try list.nextElement(bytes) { record.closing += try closing(&list, bytes) }
        }
        record.waiting = try waiting(scan.waiting, bytes)
        return record
    }

    static func acts(_ list: LedgerList?, _ bytes: Span<UInt8>) throws(JSONError) -> [UInt64] {
        guard var list = list?.beginning else { return [] }
        var names: [UInt64] = []
        try list.beginArray(bytes)
        while try list.nextElement(bytes) { names.append(try list.hexadecimal(bytes)) }
        return names.suffix(StoryFacts.maximumEarlier)
    }

    static func pushes(_ list: LedgerList?, _ bytes: Span<UInt8>) throws(JSONError) -> [StoryFacts.Push] {
        guard var list = list?.beginning else { return [] }
        var pushes: [StoryFacts.Push] = []
        try list.beginArray(bytes)
        while try list.nextElement(bytes) { pushes.append(try push(&list, bytes)) }
        return pushes.suffix(StoryFacts.Push.maximumCount)
    }

    private static func push(_ cursor: inout JSONCursor, _ bytes: Span<UInt8>) throws(JSONError) -> StoryFacts.Push {
        var members = try LedgerMembers<PushMember>(&cursor, bytes)
        var at: Timestamp?
        var source: String?
        var words: UInt64?
        var categories: [String] = []
        var isSilent = false
        while let member = try members.next(&cursor, bytes) {
            switch member {
            case .at: at = try cursor.timestamp(bytes)
            case .source: source = try cursor.string(bytes)
            case .words: words = try cursor.hexadecimal(bytes)
            case .categories:
                try cursor.beginArray(bytes)
                while try cursor.nextElement(bytes) { categories.append(try cursor.string(bytes)) }
            case .silent: isSilent = try cursor.bool(bytes)
            }
        }
        guard let at else { throw members.missing(.at, cursor) }
        guard let source else { throw members.missing(.source, cursor) }
        guard let words else { throw members.missing(.words, cursor) }
        return StoryFacts.Push(at: at, source: source, words: words, categories: categories, isLoud: !isSilent)
    }

    static func waiting(_ list: LedgerList?, _ bytes: Span<UInt8>) throws(JSONError) -> [StoryFacts.Waiting] {
        guard var list = list?.beginning else { return [] }
        var events: [StoryFacts.Waiting] = []
        try list.beginArray(bytes)
        while try list.nextElement(bytes) { events.append(try waiting(&list, bytes)) }
        return events
    }

    private static func audiences(_ list: LedgerList, _ bytes: Span<UInt8>) throws(JSONError) -> [AudienceFact] {
        var facts: [AudienceFact] = []
        // The count is what somebody wrote; most have a few.
        facts.reserveCapacity(min(list.count, 8))
        var list = list.beginning
        try list.beginArray(bytes)
        while try list.nextElement(bytes) { facts.append(try audience(&list, bytes)) }
        return facts
    }

    private static func audience(_ cursor: inout JSONCursor, _ bytes: Span<UInt8>) throws(JSONError) -> AudienceFact {
        var members = try LedgerMembers<AudienceMember>(&cursor, bytes)
        var hub: String?
        var format: String?
        var expression: TagExpression?
        var locale: String?
        var categories: [String] = []
        var isForUsers = false
        var act: UInt64?
        var kind: EventKind?
        var revision: Int64?
        var at: Timestamp?
        var certainty = AudienceFact.Certainty.accepted
        var isFollowUp = false
        while let member = try members.next(&cursor, bytes) {
            switch member {
            case .hub: hub = try cursor.string(bytes)
            case .format: format = try cursor.string(bytes)
            case .tags: expression = try tagExpression(&cursor, bytes)
            case .locale: locale = try cursor.string(bytes)
            case .categories:
                try cursor.beginArray(bytes)
                while try cursor.nextElement(bytes) { categories.append(try cursor.string(bytes)) }
            case .users: isForUsers = try cursor.bool(bytes)
            case .act: act = try cursor.hexadecimal(bytes)
            case .kind: kind = try cursor.kind(bytes)
            case .revision: revision = try cursor.count(bytes)
            case .at: at = try cursor.timestamp(bytes)
            case .followUp: isFollowUp = try cursor.bool(bytes)
            case .certainty: certainty = try cursor.value(bytes, "is not a certainty that this version knows")
            }
        }
        guard let hub else { throw members.missing(.hub, cursor) }
        guard let format else { throw members.missing(.format, cursor) }
        guard let expression else { throw members.missing(.tags, cursor) }
        guard let act else { throw members.missing(.act, cursor) }
        guard let kind else { throw members.missing(.kind, cursor) }
        guard let revision else { throw members.missing(.revision, cursor) }
        guard let at else { throw members.missing(.at, cursor) }
        let audience = PlannedAudience(
            expression: expression,
            locale: locale,
            categories: categories,
            isForUsers: isForUsers
        )
        return AudienceFact(
            Recipients(hub: hub, format: format, audience: audience),
            AudienceFact.Act(id: act, kind: kind, revision: revision, at: at),
            certainty,
            isFollowUp: isFollowUp
        )
    }

    /// Reads an expression, held to the hub's limits.
    private static func tagExpression(
        _ cursor: inout JSONCursor,
        _ bytes: Span<UInt8>
    ) throws(JSONError) -> TagExpression {
        let start = cursor.position
        let text = try cursor.string(bytes)
        do throws(TagExpressionError) {
            return try TagExpression(parsing: text)
        } catch {
            throw cursor.fault(.ledgerMember, at: start, error.message)
        }
    }

    private static func text(_ cursor: inout JSONCursor, _ bytes: Span<UInt8>) throws(JSONError) -> EventText {
        var members = try LedgerMembers<TextMember>(&cursor, bytes)
        var language: String?
        var headline: String?
        var summary: String?
        while let member = try members.next(&cursor, bytes) {
            switch member {
            case .language: language = try cursor.string(bytes)
            case .headline: headline = try cursor.string(bytes)
            case .summary: summary = try cursor.string(bytes)
            }
        }
        guard let language else { throw members.missing(.language, cursor) }
        guard let headline else { throw members.missing(.headline, cursor) }
        return EventText(language: language, headline: headline, summary: summary)
    }

    static func closing(
        _ cursor: inout JSONCursor,
        _ bytes: Span<UInt8>
    ) throws(JSONError) -> [StoryFacts.Closing] {
        var members = try LedgerMembers<ClosingMember>(&cursor, bytes)
        var offsets: [Int64]?
        var event: String?
        var outcome: OutcomeKind?
        var reason: String?
        var detail: String?
        var stage = DeadLetter.Stage.send
        while let member = try members.next(&cursor, bytes) {
            switch member {
            case .offsets: offsets = try cursor.offsets(bytes)
            case .event: event = try cursor.string(bytes)
            case .outcome: outcome = try cursor.value(bytes, "is no outcome that this version knows")
            case .reason: reason = try cursor.string(bytes)
            case .detail: detail = try cursor.string(bytes)
            case .stage: stage = try cursor.value(bytes, "is not a stage that this version knows")
            }
        }
        guard let offsets else { throw members.missing(.offsets, cursor) }
        guard let event else { throw members.missing(.event, cursor) }
        guard let outcome else { throw members.missing(.outcome, cursor) }
        let verdict = EventVerdict(outcome, reason, detail)
        return offsets.map { StoryFacts.Closing(offset: $0, event: event, verdict: verdict, stage: stage) }
    }

    private static func waiting(
        _ cursor: inout JSONCursor,
        _ bytes: Span<UInt8>
    ) throws(JSONError) -> StoryFacts.Waiting {
        var members = try LedgerMembers<WaitingMember>(&cursor, bytes)
        var offset: Int64?
        var timestamp: Timestamp?
        var consumedAt: Timestamp?
        var until: Timestamp?
        var reason: StoryFacts.WaitReason?
        var source = ""
        var hubs: [String] = []
        var attempts: Int64 = 0
        var key: [UInt8]?
        var value: [UInt8]?
        var headers: [StoryFacts.Waiting.Header] = []
        while let member = try members.next(&cursor, bytes) {
            switch member {
            case .offset: offset = try cursor.count(bytes)
            case .timestamp: timestamp = try cursor.timestamp(bytes)
            case .consumed: consumedAt = try cursor.timestamp(bytes)
            case .until: until = try cursor.timestamp(bytes)
            case .reason: reason = try cursor.value(bytes, "is no reason to wait that this version knows")
            case .source: source = try cursor.string(bytes)
            case .hubs:
                try cursor.beginArray(bytes)
                while try cursor.nextElement(bytes) { hubs.append(try cursor.string(bytes)) }
            case .attempts: attempts = try cursor.count(bytes)
            case .key: key = try cursor.plainBytes(bytes)
            case .keyBase64: key = try cursor.base64(bytes)
            case .value: value = try cursor.plainBytes(bytes)
            case .valueBase64: value = try cursor.base64(bytes)
            case .headers:
                try cursor.beginArray(bytes)
                while try cursor.nextElement(bytes) { headers.append(try header(&cursor, bytes)) }
            }
        }
        guard let offset else { throw members.missing(.offset, cursor) }
        guard let consumedAt else { throw members.missing(.consumed, cursor) }
        guard let reason else { throw members.missing(.reason, cursor) }
        guard let value else { throw members.missing(.value, cursor) }
        return StoryFacts.Waiting(
            offset: offset,
            timestamp: timestamp,
            consumedAt: consumedAt,
            until: until,
            reason: reason,
            source: source,
            hubs: hubs,
            attempts: Int(clamping: attempts),
            key: key,
            value: value,
            headers: headers
        )
    }

    private static func header(
        _ cursor: inout JSONCursor,
        _ bytes: Span<UInt8>
    ) throws(JSONError) -> StoryFacts.Waiting.Header {
        var members = try LedgerMembers<HeaderMember>(&cursor, bytes)
        var name: String?
        var value: [UInt8]?
        while let member = try members.next(&cursor, bytes) {
            switch member {
            case .name: name = try cursor.string(bytes)
            case .value: value = try cursor.plainBytes(bytes)
            case .valueBase64: value = try cursor.base64(bytes)
            }
        }
        guard let name else { throw members.missing(.name, cursor) }
        return StoryFacts.Waiting.Header(name: name, value: value)
    }
}

extension JSONCursor {
    /// Reads a string as the bytes that it stands for.
    fileprivate mutating func plainBytes(_ bytes: Span<UInt8>) throws(JSONError) -> [UInt8] {
        Array(try string(bytes).utf8)
    }

    /// Reads a string of base 64 as the bytes that it stands for.
    fileprivate mutating func base64(_ bytes: Span<UInt8>) throws(JSONError) -> [UInt8] {
        let start = position
        guard let value = Base64.decode(try string(bytes)) else {
            throw fault(.ledgerMember, at: start, "is no padded base 64")
        }
        return value
    }
}
