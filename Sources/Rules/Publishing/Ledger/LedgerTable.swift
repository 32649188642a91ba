import ASCII

/// The content of one partition's ledger while its records are read in order.
package struct LedgerTable: Sendable {
    private var index: StoryIndex
    /// The stories of which an event waits, without the bytes of their events.
    private var waiting: [StoryIndex.Key: RestoredLedger.WaitingStory] = [:]
    package private(set) var owners = LedgerOwners()
    /// Records that knew less than one before them: they are merged once the partition is worked on.
    package private(set) var late: [(story: String, facts: StoryFacts)] = []

    /// - Parameter byteLimit: The bytes that the index of stories and the cached facts may take together.
    package init(byteLimit: Int) {
        index = StoryIndex(byteLimit: byteLimit)
    }

    /// Takes up a record; a later one of a story takes the place of the earlier, unless it knows less.
    ///
    /// - Parameters:
    ///   - key: The record's key.
    ///   - value: Its value; `nil` for a tombstone.
    ///   - offset: Its offset in the ledger.
    /// - Throws: The first fault of the record; the table is unchanged.
    package mutating func take(
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
            // Their bytes are read again when their wait is over.
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
            late.append((Self.text(of: key), facts))
        }
    }

    /// Ends the reading.
    ///
    /// - Parameters:
    ///   - partition: The partition.
    ///   - assignment: The assignment for which it was read.
    ///   - sourceEnd: The offset after the last record of the source; `nil` if nobody could tell.
    ///   - ledgerEnd: The offset after the last record of the ledger.
    /// - Returns: All that was read but ``late``.
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
            owners: owners,
            sourceEnd: sourceEnd,
            ledgerEnd: ledgerEnd
        )
    }

    private static func text(of key: Span<UInt8>) -> String {
        unsafe key.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
