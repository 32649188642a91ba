import NewsEvents
import Publishing

/// The ledger topic's partition in memory, compacted: the encoded latest record of each story.
struct RehearsalLedger {
    private var records: [String: (value: [UInt8], offset: Int64)] = [:]
    /// The offset after the last record.
    private(set) var end: Int64 = 0

    /// Writes a record, or a tombstone.
    ///
    /// - Returns: Its offset.
    mutating func append(_ write: LedgerWrite) -> Int64 {
        defer { end += 1 }
        records[write.key] = write.value.map { ($0, end) }
        return end
    }

    /// Reads one record.
    ///
    /// - Parameter offset: The offset of the record; compaction may have removed it.
    /// - Returns: The story and its facts; `nil` if the record does not exist any more.
    func record(at offset: Int64) -> (story: String, facts: StoryFacts)? {
        guard let entry = records.values.first(where: { $0.offset == offset }),
            let (story, facts) = try? LedgerRecordCodec.decode(entry.value.span)
        else { return nil }
        return (story, facts)
    }

    /// Reads the partition from its beginning to its end, as a new owner does.
    ///
    /// - Parameter restoration: Receives the records.
    /// - Throws: ``LedgerRecordError`` for a record that cannot be read.
    func restore(into restoration: LedgerRestoration) throws(LedgerRecordError) {
        for (story, entry) in records.sorted(by: { $0.value.offset < $1.value.offset }) {
            let key = Array(story.utf8)
            try restoration.apply(key: key.span, value: entry.value.span, at: entry.offset)
        }
    }
}
