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
    private struct Content: Sendable {
        var table: LedgerTable
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
    private let content: Locked<Content>
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
        self.content = Locked(Content(table: LedgerTable(byteLimit: byteLimit)))
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
    var damaged: Int { content.withLock { $0.damaged } }

    /// The same from the beginning.
    func anew() -> LedgerRestoration {
        LedgerRestoration(source, as: id, assignment: assignment, group: group, byteLimit: byteLimit, began: began)
    }

    /// Takes up records, in order; a later one of a story takes the place of the earlier, unless it knows less.
    func take(_ messages: [KafkaMessage], ignoringDamage: Bool) throws(LedgerDamage) {
        try content.withLock { (content) throws(LedgerDamage) in
            for message in messages {
                do throws(LedgerRecordError) {
                    try message.withKey { (key) throws(LedgerRecordError) in
                        guard let key else { return }
                        try message.withValue { (value) throws(LedgerRecordError) in
                            try content.table.take(key: key, value: value, at: message.offset)
                        }
                    }
                } catch {
                    guard ignoringDamage else { throw LedgerDamage(offset: message.offset, error: error) }
                    content.damaged += 1
                }
            }
        }
    }

    /// The same for a record that lies in memory.
    func take(key: Span<UInt8>, value: Span<UInt8>?, at offset: Int64) throws(LedgerRecordError) {
        try content.withLock { (content) throws(LedgerRecordError) in
            try content.table.take(key: key, value: value, at: offset)
        }
    }

    /// Why the ledger must not be used: its latest owner is of another group. `nil` if it may be.
    var refusal: String? {
        let owner = content.withLock { $0.table.owners.latest() }
        guard !group.isEmpty, let owner, !owner.group.isEmpty, owner.group != group else { return nil }
        return owner.foreignGroupMessage(group)
    }

    /// Hands over all that was read, once.
    ///
    /// - Parameter end: The offset after the last record of the ledger.
    /// - Returns: The ledger; nothing if it was handed over before.
    func finish(at end: Int64) -> RestoredLedger {
        let table = content.withLock { content in
            defer { content.table = LedgerTable(byteLimit: 0) }
            return content.table
        }
        let sourceEnd = sourceEnd.withLock { end -> Int64? in if case .known(let offset) = end { offset } else { nil } }
        return table.restored(id, assignment: assignment, sourceEnd: sourceEnd, ledgerEnd: end)
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
