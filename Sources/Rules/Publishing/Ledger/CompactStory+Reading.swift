import ASCII
import NewsEvents
import NotificationHubs
import Timestamps

extension CompactStory {
    /// Reads a record that ``write(_:of:)`` has written.
    func record(_ bytes: Span<UInt8>, at start: Int) -> StoryRecord {
        var reader = CompactReader(position: start)
        reader.skipText(bytes)
        let flags = reader.byte(bytes)
        let revision = reader.signed(bytes)
        let passedRevision = Int64(bitPattern: reader.number(bytes))
        let digest = reader.fixed(bytes)
        let changedAt = Timestamp(nanoseconds: Int64(bitPattern: reader.fixed(bytes)))
        let wordsOffset = reader.signed(bytes)
        let done = reader.done(bytes)
        let eventID = reader.text(bytes)
        var record = StoryRecord(
            revision: revision,
            eventID: eventID,
            source: reader.text(bytes, names),
            kind: EventKind.allCases[Int(flags & 7)],
            digest: ContentDigest(value: digest),
            isTold: flags & 0x20 != 0,
            changedAt: changedAt
        )
        record.passedRevision = passedRevision
        record.phase = StoryRecord.Phase.allCases[Int(flags >> 3 & 3)]
        record.textIsElsewhere = flags & 0x40 != 0
        record.waitingIsElsewhere = flags & 0x80 != 0
        record.done = done
        record.wordsOffset = wordsOffset < 0 ? nil : wordsOffset
        let counts = reader.count(bytes)
        record.isSecure = counts & 64 != 0
        for _ in 0..<counts >> 7 { record.earlier.append(reader.fixed(bytes)) }
        for _ in 0..<counts & 63 { record.pushes.append(push(bytes, &reader, changedAt: changedAt)) }
        record.sent = sent(bytes, &reader, changedAt: changedAt)
        record.maybeSent = sent(bytes, &reader, changedAt: changedAt)
        for _ in 0..<reader.count(bytes) { record.closing.append(reader.closing(bytes)) }
        return record
    }

    /// Reads the name of a record's story.
    static func story(_ bytes: Span<UInt8>, at start: Int) -> String {
        var reader = CompactReader(position: start)
        return reader.text(bytes)
    }

    /// Whether a record is that of a story.
    static func isRecord(_ bytes: Span<UInt8>, at start: Int, of story: Span<UInt8>) -> Bool {
        var reader = CompactReader(position: start)
        let length = reader.count(bytes)
        guard length == story.count else { return false }
        return bytes.extracting(reader.position..<reader.position + length).isEqual(to: story)
    }

    private func push(
        _ bytes: Span<UInt8>,
        _ reader: inout CompactReader,
        changedAt: Timestamp
    ) -> StoryRecord.Push {
        let at = Timestamp(nanoseconds: changedAt.nanoseconds &+ reader.signed(bytes))
        let source = reader.text(bytes, names)
        let words = reader.fixed(bytes)
        let counts = reader.count(bytes)
        var categories: [String] = []
        for _ in 0..<counts >> 1 { categories.append(reader.text(bytes, names)) }
        return StoryRecord.Push(
            at: at,
            source: source,
            words: words,
            categories: categories,
            isLoud: counts & 1 == 1
        )
    }

    private func sent(
        _ bytes: Span<UInt8>,
        _ reader: inout CompactReader,
        changedAt: Timestamp
    ) -> [StoryRecord.Sent] {
        var entries: [StoryRecord.Sent] = []
        let count = reader.count(bytes)
        entries.reserveCapacity(count)
        for _ in 0..<count {
            let hub = reader.text(bytes, names)
            let format = reader.text(bytes, names)
            let expression = reader.expression(bytes, expressions)
            let counts = reader.count(bytes)
            let locale = counts & 1 == 0 ? nil : reader.text(bytes, names)
            var categories: [String] = []
            for _ in 0..<counts >> 2 { categories.append(reader.text(bytes, names)) }
            let revision = reader.signed(bytes)
            let at = Timestamp(nanoseconds: changedAt.nanoseconds &+ reader.signed(bytes))
            guard let expression else { continue }
            entries.append(
                StoryRecord.Sent(
                    hub: hub,
                    format: format,
                    expression: expression,
                    locale: locale,
                    categories: categories,
                    isForUsers: counts & 2 != 0,
                    revision: revision,
                    at: at
                )
            )
        }
        return entries
    }
}

/// Walks through a compact record; its bytes are our own, so nothing in them can be wrong.
private struct CompactReader {
    var position: Int

    mutating func byte(_ bytes: Span<UInt8>) -> UInt8 {
        defer { position += 1 }
        return bytes[position]
    }

    mutating func number(_ bytes: Span<UInt8>) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let next = byte(bytes)
            value |= UInt64(next & 0x7F) << shift
            if next < 0x80 { return value }
            shift += 7
        }
    }

    mutating func count(_ bytes: Span<UInt8>) -> Int { Int(truncatingIfNeeded: number(bytes)) }

    mutating func signed(_ bytes: Span<UInt8>) -> Int64 {
        let value = number(bytes)
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    mutating func fixed(_ bytes: Span<UInt8>) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 8) { value |= UInt64(byte(bytes)) << UInt64(shift) }
        return value
    }

    mutating func skipText(_ bytes: Span<UInt8>) {
        let length = count(bytes)
        position += length
    }

    mutating func text(_ bytes: Span<UInt8>) -> String { text(bytes, length: count(bytes)) }

    /// A string of a pool, or one that follows.
    mutating func text(_ bytes: Span<UInt8>, _ pool: StringPool) -> String {
        let head = count(bytes)
        return head & 1 == 1 ? pool[head >> 1] : text(bytes, length: head >> 1)
    }

    /// An expression of the pool, or one that follows, which was held to the rules when it was written.
    mutating func expression(_ bytes: Span<UInt8>, _ pool: ExpressionPool) -> TagExpression? {
        let head = count(bytes)
        return head & 1 == 1 ? pool[head >> 1] : try? TagExpression(parsing: text(bytes, length: head >> 1))
    }

    private mutating func text(_ bytes: Span<UInt8>, length: Int) -> String {
        defer { position += length }
        return bytes.extracting(position..<position + length).string
    }

    mutating func done(_ bytes: Span<UInt8>) -> DoneOffsets {
        let through = signed(bytes)
        var above: [Int64] = []
        var last = through
        for _ in 0..<count(bytes) {
            last &+= signed(bytes)
            above.append(last)
        }
        return DoneOffsets(through: through, above: above) ?? DoneOffsets()
    }

    mutating func closing(_ bytes: Span<UInt8>) -> StoryRecord.Closing {
        let offset = signed(bytes)
        let event = text(bytes)
        let outcome = OutcomeKind.allCases[Int(byte(bytes))]
        let flags = byte(bytes)
        let reason = flags & 1 == 0 ? nil : text(bytes)
        let detail = flags & 2 == 0 ? nil : text(bytes)
        return StoryRecord.Closing(offset: offset, event: event, verdict: EventVerdict(outcome, reason, detail))
    }
}
