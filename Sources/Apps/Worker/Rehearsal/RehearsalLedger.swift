import NewsEvents
import Publishing

/// The ledger topic's partition in memory, compacted: the last record of each story, in its real bytes.
struct RehearsalLedger {
    private var records: [String: (value: [UInt8], offset: Int64)] = [:]
    private var end: Int64 = 0

    /// Writes a record, or a tombstone.
    ///
    /// - Returns: Its offset.
    mutating func append(_ write: LedgerWrite) -> Int64 {
        defer { end += 1 }
        records[write.story] = write.record.map { (LedgerRecordCodec.encode($0, of: write.story), end) }
        return end
    }

    /// Reads one record.
    ///
    /// - Parameters:
    ///   - story: Its key.
    ///   - offset: Where it lay; compaction may have taken it away.
    /// - Returns: What it says; `nil` where another record lies there, or one that cannot be read.
    func record(of story: String, at offset: Int64) -> StoryRecord? {
        guard let entry = records[story], entry.offset == offset,
            let (name, record) = try? LedgerRecordCodec.decode(entry.value.span), name == story
        else { return nil }
        return record
    }

    /// Reads the partition from its beginning to its end, as a worker does that takes it over.
    ///
    /// - Parameter restoration: Takes the records.
    /// - Throws: ``LedgerRecordError`` for a record that cannot be read.
    func restore(into restoration: LedgerRestoration) throws(LedgerRecordError) {
        for (story, entry) in records.sorted(by: { $0.value.offset < $1.value.offset }) {
            let key = Array(story.utf8)
            try restoration.take(key: key.span, value: entry.value.span, at: entry.offset)
        }
        restoration.reachedEnd(at: end)
    }
}
