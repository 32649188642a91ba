import NewsEvents
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
    ) throws(LedgerRecordError) -> (story: String, record: StoryRecord) {
        do throws(JSONError) {
            let scan = try LedgerRecordScan(value)
            return (scan.story.string(value), try record(scan, value))
        } catch {
            throw LedgerRecordError(error, in: value)
        }
    }

    /// Makes the whole record of one that was gone through.
    static func record(_ scan: LedgerRecordScan, _ bytes: Span<UInt8>) throws(JSONError) -> StoryRecord {
        var record = StoryRecord(
            revision: scan.revision,
            eventID: scan.eventID.string(bytes),
            source: scan.source.string(bytes),
            kind: scan.kind,
            digest: scan.digest,
            isTold: scan.isTold,
            changedAt: scan.changedAt
        )
        record.phase = scan.phase
        record.passedRevision = scan.passedRevision
        record.isSecure = scan.isSecure
        record.done = scan.done
        record.wordsOffset = scan.wordsOffset
        if var list = scan.text?.beginning {
            try list.beginArray(bytes)
            while try list.nextElement(bytes) { record.text.append(try text(&list, bytes)) }
        }
        record.earlier = try earlier(scan.earlier, bytes)
        record.pushes = try pushes(scan.pushes, bytes)
        if let list = scan.sent { record.sent = try sent(list, bytes) }
        if let list = scan.maybeSent { record.maybeSent = try sent(list, bytes) }
        if var list = scan.closing?.beginning {
            try list.beginArray(bytes)
            while try list.nextElement(bytes) { record.closing.append(try closing(&list, bytes)) }
        }
        if var list = scan.waiting?.beginning {
            try list.beginArray(bytes)
            while try list.nextElement(bytes) { record.waiting.append(try waiting(&list, bytes)) }
        }
        return record
    }

    static func earlier(_ list: LedgerList?, _ bytes: Span<UInt8>) throws(JSONError) -> [UInt64] {
        guard var list = list?.beginning else { return [] }
        var names: [UInt64] = []
        try list.beginArray(bytes)
        while try list.nextElement(bytes) { names.append(try list.hexadecimal(bytes)) }
        return names.suffix(StoryRecord.longestPast)
    }

    static func pushes(_ list: LedgerList?, _ bytes: Span<UInt8>) throws(JSONError) -> [StoryRecord.Push] {
        guard var list = list?.beginning else { return [] }
        var pushes: [StoryRecord.Push] = []
        try list.beginArray(bytes)
        while try list.nextElement(bytes) { pushes.append(try push(&list, bytes)) }
        return pushes.suffix(StoryRecord.Push.maximumCount)
    }

    private static func push(_ cursor: inout JSONCursor, _ bytes: Span<UInt8>) throws(JSONError) -> StoryRecord.Push {
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
        return StoryRecord.Push(at: at, source: source, words: words, categories: categories, isLoud: !isSilent)
    }

    private static func sent(_ list: LedgerList, _ bytes: Span<UInt8>) throws(JSONError) -> [StoryRecord.Sent] {
        var entries: [StoryRecord.Sent] = []
        // The count is what somebody wrote; most have a few.
        entries.reserveCapacity(min(list.count, 8))
        var list = list.beginning
        try list.beginArray(bytes)
        while try list.nextElement(bytes) {
            entries.append(try SentScan(&list, bytes).entry(list, bytes))
        }
        return entries
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
    ) throws(JSONError) -> StoryRecord.Closing {
        var members = try LedgerMembers<ClosingMember>(&cursor, bytes)
        var offset: Int64?
        var event: String?
        var outcome: OutcomeKind?
        var reason: String?
        var detail: String?
        while let member = try members.next(&cursor, bytes) {
            switch member {
            case .offset: offset = try cursor.count(bytes)
            case .event: event = try cursor.string(bytes)
            case .outcome: outcome = try cursor.value(bytes, "is no outcome that this version knows")
            case .reason: reason = try cursor.string(bytes)
            case .detail: detail = try cursor.string(bytes)
            }
        }
        guard let offset else { throw members.missing(.offset, cursor) }
        guard let event else { throw members.missing(.event, cursor) }
        guard let outcome else { throw members.missing(.outcome, cursor) }
        return StoryRecord.Closing(offset: offset, event: event, verdict: EventVerdict(outcome, reason, detail))
    }

    private static func waiting(
        _ cursor: inout JSONCursor,
        _ bytes: Span<UInt8>
    ) throws(JSONError) -> StoryRecord.Waiting {
        var members = try LedgerMembers<WaitingMember>(&cursor, bytes)
        var offset: Int64?
        var timestamp: Timestamp?
        var consumedAt: Timestamp?
        var until: Timestamp?
        var reason: StoryRecord.WaitReason?
        var attempts: Int64 = 0
        var key: [UInt8]?
        var value: [UInt8]?
        var headers: [StoryRecord.Waiting.Header] = []
        while let member = try members.next(&cursor, bytes) {
            switch member {
            case .offset: offset = try cursor.count(bytes)
            case .timestamp: timestamp = try cursor.timestamp(bytes)
            case .consumed: consumedAt = try cursor.timestamp(bytes)
            case .until: until = try cursor.timestamp(bytes)
            case .reason: reason = try cursor.value(bytes, "is no reason to wait that this version knows")
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
        return StoryRecord.Waiting(
            offset: offset,
            timestamp: timestamp,
            consumedAt: consumedAt,
            until: until,
            reason: reason,
            attempts: Int(clamping: attempts),
            key: key,
            value: value,
            headers: headers
        )
    }

    private static func header(
        _ cursor: inout JSONCursor,
        _ bytes: Span<UInt8>
    ) throws(JSONError) -> StoryRecord.Waiting.Header {
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
        return StoryRecord.Waiting.Header(name: name, value: value)
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
