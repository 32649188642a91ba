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
    private var table: StoryLedgerTable
    /// The stories of which an event waits, whole.
    private var waiting: [String: (record: StoryRecord, offset: Int64)] = [:]
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
        table: StoryLedgerTable,
        began: Instant = .now
    ) {
        self.source = source
        self.began = began
        self.id = id
        self.assignment = assignment
        self.table = table
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

    /// Whether all is known that ``finish(decode:)`` needs.
    var isComplete: Bool { progress.withLock { $0.end != nil && $0.knowsSource } }

    /// The same from the beginning.
    func anew(table: StoryLedgerTable) -> LedgerRestoration {
        LedgerRestoration(source, as: id, assignment: assignment, table: table, began: began)
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
        guard let value else {
            table.remove(key: key)
            forgetWaiting(key)
            return
        }
        switch try LedgerRecordCodec.restore(value, key: key, place: offset, into: &table) {
        case .known:
            forgetWaiting(key)
        case .unfinished(let record):
            waiting[key.text] = (record, offset)
        case .late(let record, newer: _):
            late.append(LedgerOverwrite(source: source, story: key.text, record: record, offset: offset))
        }
    }

    private func forgetWaiting(_ key: Span<UInt8>) {
        if !waiting.isEmpty { waiting[key.text] = nil }
    }

    /// All that was read.
    ///
    /// - Parameter decode: Reads the events that wait.
    /// - Returns: The partition's ledger, to be handed over once.
    func finish(decode: (RecordCopy, _ topic: String) -> DecodeOutcome) -> RestoredLedger {
        let stories = waiting.sorted { $0.value.offset < $1.value.offset }.map { name, entry in
            let events = entry.record.waiting.map { waiting in
                let copy = RecordCopy(key: waiting.key, value: waiting.value, headers: waiting.headers)
                return IncomingRecord(
                    partition: id,
                    offset: waiting.offset,
                    timestamp: waiting.timestamp,
                    content: decode(copy, source.topic),
                    original: copy
                )
            }
            return (name: name, record: entry.record, ledgerOffset: entry.offset, events: events)
        }
        waiting = [:]
        defer { table = StoryLedgerTable(byteLimit: 0) }
        return RestoredLedger(
            partition: id,
            assignment: assignment,
            stories: table,
            waiting: stories,
            fitsSource: (progress.withLock { $0.sourceEnd }).map { table.highestDone < $0 } ?? true
        )
    }
}

extension Span<UInt8> {
    fileprivate var text: String {
        withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}
