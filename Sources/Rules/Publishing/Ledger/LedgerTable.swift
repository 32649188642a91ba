import NewsflashBasics

/// The content of one partition's ledger while its records are read in order.
package struct LedgerTable: Sendable {
    private var index: StoryIndex
    /// The stories with waiting events, without the bytes of these events.
    private var waiting: [StoryIndex.Key: RestoredLedger.WaitingStory] = [:]
    package private(set) var owners = LedgerOwners()
    /// The records of late writers, with their offsets.
    private var late: [(record: LateRecord, key: StoryIndex.Key, ledgerOffset: Int64)] = []

    /// - Parameter byteLimit: The maximum memory of the index of stories and the cached facts together, in bytes.
    package init(byteLimit: Int) {
        index = StoryIndex(byteLimit: byteLimit)
    }

    /// Applies a record. A later record of a story replaces the earlier, unless it got less far.
    ///
    /// - Parameters:
    ///   - key: The record's key.
    ///   - value: Its value; `nil` for a tombstone.
    ///   - offset: Its offset in the ledger.
    /// - Throws: The first fault of the record; the table is unchanged.
    package mutating func apply(
        key: Span<UInt8>,
        value: Span<UInt8>?,
        at offset: Int64
    ) throws(LedgerRecordError) {
        if LedgerOwner.isKey(key) {
            guard let value else { return owners = LedgerOwners() }
            return owners.add(try LedgerOwner(decoding: value), at: offset)
        }
        let story = StoryIndex.Key(key)
        guard let value else {
            index.remove(story)
            waiting[story] = nil
            return
        }
        switch try index.restore(value, of: key, ledgerOffset: offset) {
        case .known:
            waiting[story] = nil
        case .waiting(let events, let isAnyOver):
            // The bytes are read again when the wait is over.
            let marks = events.map { event in
                var mark = event
                mark.value = []
                mark.key = nil
                mark.headers = []
                return mark
            }
            waiting[story] = RestoredLedger.WaitingStory(
                key: story,
                ledgerOffset: offset,
                events: marks,
                isAnyOver: isAnyOver
            )
        case .late(let facts):
            return late.append((LateRecord(story: Self.text(of: key), facts), story, offset))
        }
        // The owner of the later term may not have read this record.
        if let term = owners.latestTerm, let written = index.latestRecord(of: story)?.term, written < term {
            let (name, facts) = try LedgerRecordCodec.decode(value)
            late.append((LateRecord(story: name, facts), story, offset))
        }
    }

    /// The records of late writers to merge. A record that is the latest of its story and in the index is not among them,
    /// because it has all facts.
    private var unmerged: [LateRecord] {
        late.compactMap { late in
            guard let latest = index.latestRecord(of: late.key)?.ledgerOffset, latest != late.ledgerOffset else {
                return nil
            }
            var record = late.record
            record.isLatest = latest < late.ledgerOffset
            return record
        }
    }

    /// Ends the reading.
    ///
    /// - Parameters:
    ///   - partition: The partition.
    ///   - assignment: The assignment for which it was read.
    ///   - sourceEnd: The offset after the last record of the source; `nil` if it is unknown.
    ///   - ledgerEnd: The offset after the last record of the ledger.
    /// - Returns: The restored ledger.
    package consuming func restored(
        _ partition: PartitionID,
        assignment: UInt32,
        sourceEnd: Int64?,
        ledgerEnd: Int64
    ) -> RestoredLedger {
        RestoredLedger(
            partition: partition,
            assignment: assignment,
            stories: index,
            waiting: waiting.values.sorted { $0.ledgerOffset < $1.ledgerOffset },
            late: unmerged,
            owners: owners,
            sourceEnd: sourceEnd,
            ledgerEnd: ledgerEnd
        )
    }

    private static func text(of key: Span<UInt8>) -> String {
        unsafe key.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
