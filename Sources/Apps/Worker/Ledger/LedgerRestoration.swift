import Kafka
import Locks
import NewsEvents
import Publishing
import Timestamps

/// A record of the ledger that cannot be read.
struct LedgerDamage: Error, CustomStringConvertible {
    var offset: Int64
    var error: LedgerRecordError

    var description: String {
        "the record at offset \(offset) is damaged: \(error); what waits there would be lost and what was sent forgotten. "
            + "Mend or delete the record, or set ledger.damaged to ignore"
    }
}

/// One partition's ledger while it is read.
final class LedgerRestoration: Sendable {
    /// The content of the records that were read so far.
    fileprivate struct Table: Sendable {
        var index: StoryIndex
        /// The stories of which an event waits, without the bytes of their events.
        var waiting: [StoryIndex.Key: RestoredLedger.WaitingStory] = [:]
        var owners = LedgerOwners()
        /// Records that knew less than one before them; they are written again once the partition is worked on.
        var late: [LedgerOverwrite] = []
        /// Records that were passed over.
        var damaged = 0
    }

    /// The end of the source partition.
    private enum SourceEnd: Sendable {
        case unknown
        /// `nil` if nobody could tell.
        case known(Int64?)
    }

    let source: SourcePartition
    /// When the partition was assigned.
    let began: Instant
    private let id: PartitionID
    private let assignment: UInt32
    /// The consumer group to which the ledger must belong; empty for any.
    private let group: String
    private let byteLimit: Int
    private let table: Locked<Table>
    private let sourceEnd = Locked(SourceEnd.unknown)

    init(
        _ source: SourcePartition,
        as id: PartitionID,
        assignment: UInt32,
        group: String = "",
        byteLimit: Int,
        began: Instant = .now
    ) {
        self.source = source
        self.began = began
        self.id = id
        self.assignment = assignment
        self.group = group
        self.byteLimit = byteLimit
        self.table = Locked(Table(index: StoryIndex(byteLimit: byteLimit)))
    }

    /// Takes the offset after the last record of the source partition; `nil` where nobody could tell. The first that is told
    /// counts.
    func sourceEnded(at offset: Int64?) {
        sourceEnd.withLock { end in
            if case .unknown = end { end = .known(offset) }
        }
    }

    /// Whether ``sourceEnded(at:)`` was called.
    var knowsSource: Bool {
        sourceEnd.withLock { end in if case .known = end { true } else { false } }
    }

    /// Records that were passed over.
    var damaged: Int { table.withLock { $0.damaged } }

    /// The same from the beginning.
    func anew() -> LedgerRestoration {
        LedgerRestoration(source, as: id, assignment: assignment, group: group, byteLimit: byteLimit, began: began)
    }

    /// Takes up records, in order; a later one of a story takes the place of the earlier, unless it knows less.
    func take(_ messages: [KafkaMessage], ignoringDamage: Bool) throws(LedgerDamage) {
        try table.withLock { (table) throws(LedgerDamage) in
            for message in messages {
                do throws(LedgerRecordError) {
                    try message.withKey { (key) throws(LedgerRecordError) in
                        guard let key else { return }
                        try message.withValue { (value) throws(LedgerRecordError) in
                            try table.take(key: key, value: value, at: message.offset, of: source)
                        }
                    }
                } catch {
                    guard ignoringDamage else { throw LedgerDamage(offset: message.offset, error: error) }
                    table.damaged += 1
                }
            }
        }
    }

    /// The same for a record that lies in memory.
    func take(key: Span<UInt8>, value: Span<UInt8>?, at offset: Int64) throws(LedgerRecordError) {
        try table.withLock { (table) throws(LedgerRecordError) in
            try table.take(key: key, value: value, at: offset, of: source)
        }
    }

    /// Why the ledger must not be used: its latest owner is of another group. `nil` if it may be.
    var refusal: String? {
        let owner = table.withLock { $0.owners.latest() }
        guard !group.isEmpty, let owner, !owner.group.isEmpty, owner.group != group else { return nil }
        return owner.foreignGroupMessage(group)
    }

    /// Hands over all that was read, once.
    ///
    /// - Parameter end: The offset after the last record of the ledger.
    /// - Returns: The ledger, and the records that knew less than one before them.
    func finish(at end: Int64) -> (ledger: RestoredLedger, late: [LedgerOverwrite]) {
        let table = table.withLock { table in
            defer { table = Table(index: StoryIndex(byteLimit: 0)) }
            return table
        }
        let sourceEnd = sourceEnd.withLock { end -> Int64? in if case .known(let offset) = end { offset } else { nil } }
        let ledger = RestoredLedger(
            partition: id,
            assignment: assignment,
            stories: table.index,
            waiting: table.waiting.values.sorted { $0.ledgerOffset < $1.ledgerOffset },
            owners: table.owners,
            sourceEnd: sourceEnd,
            ledgerEnd: end
        )
        return (ledger, table.late)
    }
}

extension LedgerRestoration.Table {
    fileprivate mutating func take(
        key: Span<UInt8>,
        value: Span<UInt8>?,
        at offset: Int64,
        of source: SourcePartition
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
        case .waiting(let events):
            // Their bytes are read again when their wait is over.
            let marks = events.map { event in
                var mark = event
                mark.value = []
                mark.key = nil
                mark.headers = []
                return mark
            }
            waiting[story] = RestoredLedger.WaitingStory(key: story, ledgerOffset: offset, events: marks)
        case .late(let facts):
            late.append(LedgerOverwrite(source: source, story: key.text, facts: facts))
        }
    }
}

extension Span<UInt8> {
    fileprivate var text: String {
        withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}

extension LedgerOwner {
    /// Why a worker of another group refuses the ledger, and what to do.
    package func foreignGroupMessage(_ group: String) -> String {
        "the ledger belongs to kafka.group '\(self.group)', and a worker of '\(group)' would take its news for sent: give this "
            + "group topics of its own (leave out topics.ledger and topics.control, or put {group} into both names); if "
            + "the group was renamed and no worker of '\(self.group)' runs, start once with ledger.damaged: ignore"
    }
}
