import NewsEvents
import NotificationHubs
import StrictJSON
import Timestamps

/// The form of a story's record in the memory of a ``StoryLedgerTable``: numbers of variable length, and strings that
/// stand in many records as numbers of a pool. Texts and waiting events are left out.
struct CompactStory {
    var names: StringPool
    var expressions: ExpressionPool
    /// The record that was written last.
    private(set) var bytes: [UInt8] = []

    init(poolByteLimit: Int) {
        names = StringPool(byteLimit: poolByteLimit / 2)
        expressions = ExpressionPool(byteLimit: poolByteLimit / 2)
    }

    var byteCount: Int { names.byteCount + expressions.byteCount + bytes.capacity }

    /// Flags, two numbers of eight bytes, and five of variable length.
    private static let maximumHeadLength = 1 + 2 * 8 + 5 * OutputSpan.maximumNumberLength

    /// What stands in front of the lists.
    struct Head {
        var phase: StoryRecord.Phase
        var kind: EventKind
        var isTold: Bool
        var textIsElsewhere: Bool
        var waitingIsElsewhere: Bool
        var revision: Int64
        var passedRevision: Int64
        var digest: UInt64
        var changedAt: Timestamp
        var done: DoneOffsets
        var wordsOffset: Int64?
    }

    /// Writes a record.
    mutating func write(_ record: StoryRecord, of story: String) {
        let head = Head(
            phase: record.phase,
            kind: record.kind,
            isTold: record.isTold,
            textIsElsewhere: record.textIsElsewhere || !record.text.isEmpty,
            waitingIsElsewhere: record.waitingIsElsewhere || !record.waiting.isEmpty,
            revision: record.revision,
            passedRevision: record.passedRevision,
            digest: record.digest.value,
            changedAt: record.changedAt,
            done: record.done,
            wordsOffset: record.wordsOffset
        )
        begin()
        put(story)
        put(head)
        put(record.eventID)
        putName(record.source)
        put(record.earlier, record.pushes, isSecure: record.isSecure, changedAt: record.changedAt)
        put(record.sent, changedAt: record.changedAt)
        put(record.maybeSent, changedAt: record.changedAt)
        put(UInt64(record.closing.count))
        let closing = record.closing.span
        for index in closing.indices { put(closing[index]) }
    }

    /// Writes a record that was gone through and has nothing that waits, with few strings made.
    mutating func write(_ scan: LedgerRecordScan, _ source: Span<UInt8>) throws(JSONError) {
        let head = Head(
            phase: scan.phase,
            kind: scan.kind,
            isTold: scan.isTold,
            textIsElsewhere: scan.text != nil,
            waitingIsElsewhere: false,
            revision: scan.revision,
            passedRevision: scan.passedRevision,
            digest: scan.digest.value,
            changedAt: scan.changedAt,
            done: scan.done,
            wordsOffset: scan.wordsOffset
        )
        begin()
        put(scan.story, source)
        put(head)
        put(scan.eventID, source)
        putName(scan.source, source)
        put(
            try LedgerRecordCodec.earlier(scan.earlier, source),
            try LedgerRecordCodec.pushes(scan.pushes, source),
            isSecure: scan.isSecure,
            changedAt: scan.changedAt
        )
        try put(scan.sent, source, changedAt: scan.changedAt)
        try put(scan.maybeSent, source, changedAt: scan.changedAt)
        try putClosing(scan.closing, source)
    }

    private mutating func begin() {
        // One giant must not hold its room for ever.
        bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 16)
    }

    private mutating func put(_ head: Head) {
        let phase = UInt8(StoryRecord.Phase.allCases.firstIndex(of: head.phase) ?? 0)
        let kind = UInt8(EventKind.allCases.firstIndex(of: head.kind) ?? 0)
        let flags =
            kind | phase << 3 | (head.isTold ? 0x20 : 0) | (head.textIsElsewhere ? 0x40 : 0)
            | (head.waitingIsElsewhere ? 0x80 : 0)
        bytes.append(addingCapacity: Self.maximumHeadLength) { output in
            output.append(flags)
            output.append(signed: head.revision)
            output.append(number: UInt64(bitPattern: head.passedRevision))
            output.append(8, bytesOf: head.digest)
            output.append(8, bytesOf: UInt64(bitPattern: head.changedAt.nanoseconds))
            output.append(signed: head.wordsOffset ?? -1)
            output.append(signed: head.done.through)
            output.append(number: UInt64(head.done.above.count))
        }
        var last = head.done.through
        for offset in head.done.above {
            put(signed: offset &- last)
            last = offset
        }
    }

    private mutating func put(
        _ earlier: [UInt64],
        _ pushes: [StoryRecord.Push],
        isSecure: Bool,
        changedAt: Timestamp
    ) {
        // Most stories have none of the three.
        put(UInt64(earlier.count) << 7 | (isSecure ? 0x40 : 0) | UInt64(pushes.count))
        for name in earlier { put(fixed: name) }
        for push in pushes {
            put(signed: push.at.nanoseconds &- changedAt.nanoseconds)
            putName(push.source)
            put(fixed: push.words)
            put(UInt64(push.categories.count) << 1 | (push.isLoud ? 1 : 0))
            for category in push.categories { putName(category) }
        }
    }

    private mutating func put(_ list: [StoryRecord.Sent], changedAt: Timestamp) {
        put(UInt64(list.count))
        list.span.lendEach { put($0, changedAt: changedAt) }
    }

    private mutating func put(_ entry: borrowing StoryRecord.Sent, changedAt: Timestamp) {
        putName(entry.hub)
        putName(entry.format)
        put(entry.expression, isForUsers: entry.isForUsers)
        put(Self.counts(entry.categories.count, isForUsers: entry.isForUsers, hasLocale: entry.locale != nil))
        if let locale = entry.locale { putName(locale) }
        let categories = entry.categories.span
        for index in categories.indices { putName(categories[index]) }
        let age = entry.at.nanoseconds &- changedAt.nanoseconds
        let revision = entry.revision
        bytes.append(addingCapacity: 2 * OutputSpan.maximumNumberLength) { output in
            output.append(signed: revision)
            output.append(signed: age)
        }
    }

    private static func counts(_ categories: Int, isForUsers: Bool, hasLocale: Bool) -> UInt64 {
        UInt64(categories) << 2 | (isForUsers ? 2 : 0) | (hasLocale ? 1 : 0)
    }

    private mutating func put(_ closing: borrowing StoryRecord.Closing) {
        put(signed: closing.offset)
        put(closing.event)
        let outcome = UInt8(closing.verdict.outcome.place)
        let parts: UInt8 = (closing.verdict.reason == nil ? 0 : 1) | (closing.verdict.detail == nil ? 0 : 2)
        bytes.append(addingCapacity: 2) { output in
            output.append(outcome)
            output.append(parts)
        }
        if let reason = closing.verdict.reason { put(reason) }
        if let detail = closing.verdict.detail { put(detail) }
    }

    private mutating func putClosing(_ list: LedgerList?, _ source: Span<UInt8>) throws(JSONError) {
        put(UInt64(list?.count ?? 0))
        guard var list = list?.beginning else { return }
        try list.beginArray(source)
        while try list.nextElement(source) { put(try LedgerRecordCodec.closing(&list, source)) }
    }

    private mutating func put(
        _ list: LedgerList?,
        _ source: Span<UInt8>,
        changedAt: Timestamp
    ) throws(JSONError) {
        guard let list else { return put(0 as UInt64) }
        put(UInt64(list.count))
        var cursor = list.beginning
        try cursor.beginArray(source)
        while try cursor.nextElement(source) {
            try put(try SentScan(&cursor, source), cursor, source, changedAt: changedAt)
        }
    }

    private mutating func put(
        _ entry: SentScan,
        _ cursor: JSONCursor,
        _ source: Span<UInt8>,
        changedAt: Timestamp
    ) throws(JSONError) {
        putName(entry.hub, source)
        putName(entry.format, source)
        if !entry.expression.hasEscapes, let known = expressions.number(of: source.extracting(entry.expression.range)) {
            put(UInt64(known) << 1 | 1)
        } else {
            // Only what is an expression comes into the pool.
            put(try entry.tagExpression(cursor, source), isForUsers: entry.isForUsers)
        }
        put(Self.counts(entry.categoryCount, isForUsers: entry.isForUsers, hasLocale: entry.locale != nil))
        if let locale = entry.locale { putName(locale, source) }
        if var categories = entry.categories {
            try categories.beginArray(source)
            while try categories.nextElement(source) { putName(try categories.text(source), source) }
        }
        put(signed: entry.revision)
        put(signed: entry.at.nanoseconds &- changedAt.nanoseconds)
    }

    private mutating func put(_ text: String) {
        unsafe text.withBytes { put(unsafe Span(_unsafeElements: $0)) }
    }

    /// Users are named once or twice in their lives: they would fill the pool for good.
    private mutating func put(_ expression: TagExpression, isForUsers: Bool) {
        unsafe expression.description.withBytes { bytes in
            let text = unsafe Span(_unsafeElements: bytes)
            put(number: isForUsers ? nil : expressions.take(expression, text), text)
        }
    }

    private mutating func put(_ text: JSONText, _ source: Span<UInt8>) {
        if text.hasEscapes { put(text.string(source)) } else { put(source.extracting(text.range)) }
    }

    private mutating func put(_ text: Span<UInt8>) {
        put(UInt64(text.count))
        append(text)
    }

    private mutating func putName(_ text: String) {
        unsafe text.withBytes { bytes in
            let text = unsafe Span(_unsafeElements: bytes)
            put(number: names.take(text), text)
        }
    }

    private mutating func putName(_ text: JSONText, _ source: Span<UInt8>) {
        guard !text.hasEscapes else { return putName(text.string(source)) }
        let text = source.extracting(text.range)
        put(number: names.take(text), text)
    }

    /// A number of a pool with the lowest bit set, or the length of a string that follows.
    private mutating func put(number: Int?, _ text: Span<UInt8>) {
        if let number { return put(UInt64(number) << 1 | 1) }
        put(UInt64(text.count) << 1)
        append(text)
    }

    private mutating func append(_ text: Span<UInt8>) {
        unsafe text.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }

    private mutating func put(_ value: UInt64) {
        guard value >= 0x80 else { return bytes.append(UInt8(truncatingIfNeeded: value)) }
        bytes.append(addingCapacity: OutputSpan.maximumNumberLength) { $0.append(number: value) }
    }

    private mutating func put(signed value: Int64) {
        bytes.append(addingCapacity: OutputSpan.maximumNumberLength) { $0.append(signed: value) }
    }

    private mutating func put(fixed value: UInt64) {
        bytes.append(addingCapacity: 8) { $0.append(8, bytesOf: value) }
    }
}
