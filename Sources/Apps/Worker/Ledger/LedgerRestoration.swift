import NewsflashBasics
import NewsflashEvents
import NewsflashKafka
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashTopicPartitions

/// An unreadable record of the ledger.
struct LedgerDamage: Error, CustomStringConvertible {
    var offset: Int64
    var error: LedgerRecordError

    var description: String {
        "the record at offset \(offset) is damaged: \(error); without it, waiting events are lost and sent ones forgotten. "
            + "To continue, restart with ledger.damaged: ignore and write a tombstone for its key (runbook "
            + "NewsflashPartitionStuck)"
    }
}

/// The ledger of one partition while it is read.
final class LedgerRestoration: Sendable {
    /// The content of the records read so far.
    private struct Content: Sendable {
        var table: LedgerTable
        /// The number of skipped records.
        var damaged = 0
    }

    /// The end of the source partition.
    private enum SourceEnd: Sendable {
        case unknown
        /// `nil` if no leader responded.
        case known(Int64?)
    }

    let source: TopicPartition
    /// The time when the partition was assigned.
    let began: Instant
    private let id: PartitionID
    private let assignment: UInt32
    /// The consumer group that the ledger must belong to; empty for any.
    private let group: String
    private let byteLimit: Int
    private let content: Locked<Content>
    private let sourceEnd = Locked(SourceEnd.unknown)

    init(
        _ source: TopicPartition,
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

    /// Records the offset after the last record of the source partition; `nil` if no leader responded. Only the first call
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

    /// The number of skipped records.
    var damaged: Int { content.withLock { $0.damaged } }

    /// A new restoration of the same partition.
    func anew() -> LedgerRestoration {
        LedgerRestoration(source, as: id, assignment: assignment, group: group, byteLimit: byteLimit, began: began)
    }

    /// Applies records in order. A later record of a story replaces the earlier one, unless it contains less.
    func apply(_ messages: [KafkaMessage], ignoringDamage: Bool) throws(LedgerDamage) {
        try content.withLock { (content) throws(LedgerDamage) in
            for message in messages {
                do throws(LedgerRecordError) {
                    try message.withKey { (key) throws(LedgerRecordError) in
                        guard let key else { return }
                        try message.withValue { (value) throws(LedgerRecordError) in
                            try content.table.apply(key: key, value: value, at: message.offset)
                        }
                    }
                } catch {
                    guard ignoringDamage else { throw LedgerDamage(offset: message.offset, error: error) }
                    content.damaged += 1
                }
            }
        }
    }

    /// Applies a record that is in memory.
    func apply(key: Span<UInt8>, value: Span<UInt8>?, at offset: Int64) throws(LedgerRecordError) {
        try content.withLock { (content) throws(LedgerRecordError) in
            try content.table.apply(key: key, value: value, at: offset)
        }
    }

    /// The reason why the ledger must not be used: its latest owner belongs to another group. `nil` if it may be used.
    var refusal: String? {
        let owner = content.withLock { $0.table.owners.latest() }
        guard !group.isEmpty, let owner, !owner.group.isEmpty, owner.group != group else { return nil }
        return owner.foreignGroupMessage(group)
    }

    /// Returns the restored ledger, once.
    ///
    /// - Parameter end: The offset after the last record of the ledger.
    /// - Returns: The ledger; empty after the first call.
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
    /// Returns why a worker of another group refuses the ledger, and what to do.
    package func foreignGroupMessage(_ group: String) -> String {
        "the ledger belongs to kafka.group '\(self.group)', and a worker of '\(group)' would treat its news as sent: give this "
            + "group topics of its own (leave out topics.ledger and topics.control, or put {group} into both names); if "
            + "the group was renamed and no worker of '\(self.group)' runs, start once with ledger.damaged: ignore"
    }
}
