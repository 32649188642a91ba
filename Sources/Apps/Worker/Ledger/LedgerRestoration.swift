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

/// One partition's ledger while it is read. The reader's thread alone takes records; whoever completes it takes the result.
final class LedgerRestoration: @unchecked Sendable {
    let source: SourcePartition
    /// When the partition was assigned.
    let began: Instant
    private let id: PartitionID
    private let assignment: UInt32
    /// The consumer group to which the ledger must belong; empty for any.
    private let group: String
    private var index: StoryIndex
    /// The stories of which an event waits, without the bytes of their events.
    private var waiting: [StoryIndex.Key: RestoredLedger.WaitingStory] = [:]
    private var owners = LedgerOwners()
    /// Records that knew less than one before them; they are mended once the partition is worked on.
    private(set) var late: [LedgerOverwrite] = []
    private struct Progress {
        /// The offset after the last record of the ledger.
        var end: Int64?
        var knowsSource = false
        var sourceEnd: Int64?
    }

    private let progress = Locked(Progress())
    /// Records that were passed over.
    private(set) var damaged = 0

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
        self.index = StoryIndex(byteLimit: byteLimit)
    }

    /// The ledger was read to its end.
    func reachedEnd(at offset: Int64) {
        progress.withLock { $0.end = offset }
    }

    /// The offset after the last record that was read.
    var end: Int64 { progress.withLock { $0.end ?? 0 } }

    /// Takes the offset after the last record of the source partition; `nil` where nobody could tell. The first that is told
    /// counts.
    func sourceEnded(at offset: Int64?) {
        progress.withLock {
            $0.sourceEnd = $0.sourceEnd ?? offset
            $0.knowsSource = true
        }
    }

    /// Whether all is known that ``finish()`` needs.
    var isComplete: Bool { progress.withLock { $0.end != nil && $0.knowsSource } }

    /// The same from the beginning.
    func anew() -> LedgerRestoration {
        LedgerRestoration(
            source,
            as: id,
            assignment: assignment,
            group: group,
            byteLimit: index.byteLimit,
            began: began
        )
    }

    /// Takes up one record; a later one of the same story takes the place of the earlier, unless it knows less.
    func take(_ message: KafkaMessage, ignoringDamage: Bool) throws(LedgerDamage) {
        do throws(LedgerRecordError) {
            try message.withKey { (key) throws(LedgerRecordError) in
                guard let key else { return }
                try message.withValue { (value) throws(LedgerRecordError) in
                    try take(key: key, value: value, at: message.offset)
                }
            }
        } catch {
            guard ignoringDamage else { throw LedgerDamage(offset: message.offset, error: error) }
            damaged += 1
        }
    }

    /// The same for a record that lies in memory.
    func take(key: Span<UInt8>, value: Span<UInt8>?, at offset: Int64) throws(LedgerRecordError) {
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

    /// Why the ledger must not be used: its latest owner is of another group. `nil` if it may be.
    var refusal: String? {
        guard !group.isEmpty, let owner = owners.latest(), !owner.group.isEmpty, owner.group != group else { return nil }
        return owner.foreignGroupMessage(group)
    }

    /// All that was read, to be handed over once.
    func finish() -> RestoredLedger {
        defer {
            waiting = [:]
            index = StoryIndex(byteLimit: 0)
        }
        return RestoredLedger(
            partition: id,
            assignment: assignment,
            stories: index,
            waiting: waiting.values.sorted { $0.ledgerOffset < $1.ledgerOffset },
            owners: owners,
            sourceEnd: progress.withLock { $0.sourceEnd },
            ledgerEnd: end
        )
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
