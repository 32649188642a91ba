import Kafka
import Publishing
import Timestamps

/// Turns write orders into Kafka records, and delivery reports back into results.
///
/// An order has one record for the ledger, one for the outcomes and, for a dead letter, one more. The ledger's is confirmed
/// before the others go: what it does not know might be decided otherwise after a crash, and what people were told must not
/// be taken back. The order has ended when all its records are confirmed or one has failed; written again after a failure,
/// only what is not confirmed goes out once more.
/// What a topic refuses for good goes down a ladder, so that no record can keep its partition from being committed.
struct RecordWriter {
    private let forms: RecordForms
    private var pending = NumberTable<PendingOrder>()
    /// Orders whose next records may go.
    private var ready = RingQueue<WriteID>()
    private var ledgers: LedgerQueues
    /// What else is to be produced by now.
    private(set) var batch: RecordBatch

    /// Makes a writer that has nothing to write.
    ///
    /// - Parameters:
    ///   - sources: What the orders are of; each has a ledger.
    ///   - topics: Where the other records go.
    ///   - group: The consumer group, for dead letters.
    ///   - worker: Version and host of the worker, for dead letters.
    ///   - instance: Tells our records in the ledger from those of a late writer.
    init(sources: [SourceSettings], topics: TopicNames, group: String, worker: String, instance: String) {
        forms = RecordForms(sources: sources, topics: topics, group: group, worker: worker)
        ledgers = LedgerQueues(
            topics: sources.map(\.ledger),
            headers: [KafkaHeader(name: LedgerHeader.writer, text: instance)]
        )
        batch = RecordBatch(outcomes: KafkaRecordBatch(topic: topics.outcomes))
    }

    /// Hands over the ledgers' records whose turn it is.
    ///
    /// - Parameters:
    ///   - now: The present.
    ///   - isLast: Whether nothing will follow, so that nothing may stay behind.
    ///   - produce: Takes what one partition gets.
    mutating func produceLedgers(now: Instant, isLast: Bool = false, _ produce: (KafkaRecordBatch) -> Void) {
        ledgers.produce(now: now, isLast: isLast, produce)
    }

    /// When records for a ledger have their turn though nothing is reported; `nil` where none wait, or for reports.
    var ledgersDue: Instant? { ledgers.due }

    /// Forgets what was to be produced, as somebody has taken it.
    mutating func emptyBatch() { batch.removeAll() }

    /// Adds what is to be produced for an order.
    ///
    /// - Parameters:
    ///   - order: New, or one that failed before.
    ///   - source: The partition whose ledger it concerns.
    mutating func add(_ order: WriteOrder, of source: SourcePartition) {
        var entry =
            pending.removeValue(at: order.id.number)
            ?? PendingOrder(order: order, ledger: forms.ledger(of: source), partition: source.number)
        entry.order = order
        entry.failure = nil
        forms.add(&entry, to: &batch, ledger: &ledgers[entry.ledger, entry.partition])
        pending.insert(entry, at: order.id.number)
    }

    /// Takes delivery reports. Records that have waited for them are added by ``addReady()``.
    ///
    /// - Parameter reports: Of records of ours.
    /// - Returns: What they say of the orders.
    mutating func reported(_ reports: [KafkaDeliveryReport]) -> WrittenRecords {
        var written = WrittenRecords()
        for report in reports {
            let id = WriteID(report.id / 4)
            guard var entry = pending.removeValue(at: id.number) else { continue }
            let part = PendingOrder.Parts(ofReport: report.id)
            entry.underWay.remove(part)
            if part == .ledger { ledgers[entry.ledger, entry.partition].reported() }
            switch report.result {
            case .success(let place) where part == .ledger && place.offset < 0:
                // A broker that was away knows only that it has it; where it lies must be known to read it again.
                entry.failure = "\(ledgers.topics[entry.ledger]) does not say where the record lies"
            case .success(let place):
                entry.confirmed.insert(part)
                if part == .ledger {
                    entry.ledgerOffset = place.offset
                    written.remembered.append(id)
                }
            case .failure(let error):
                entry.failure = error.description
                if error.isRefusedForGood {
                    if part == .deadLetter { entry.letter = entry.letter.next }
                    if part == .outcome { entry.outcome = entry.outcome.next }
                }
            }
            if entry.underWay.isEmpty, entry.failure == nil, forms.isMore(of: entry) {
                ready.append(id)
            } else if entry.underWay.isEmpty {
                written.ended.append(WriteResult(id: id, failure: entry.failure, ledgerOffset: entry.ledgerOffset))
                // One that failed is handed in again.
                if entry.failure == nil { continue }
            }
            pending.insert(entry, at: id.number)
        }
        return written
    }

    /// Of how many orders the next records may go.
    var readyCount: Int { ready.count }

    /// Adds the records whose turn has come by what was reported.
    ///
    /// - Parameter limit: Of how many orders at most.
    mutating func addReady(atMost limit: Int = .max) {
        for _ in 0..<min(limit, ready.count) {
            guard let id = ready.popFirst() else { return }
            pending.update(id.number) { forms.add(&$0, to: &batch, ledger: &ledgers[$0.ledger, $0.partition]) }
        }
    }

    /// Forgets the orders that the machine no longer waits for, because their partitions have left.
    ///
    /// - Parameters:
    ///   - partitions: Those that have left.
    ///   - isWritten: Whether what waits for their ledgers is written for the next owner all the same.
    mutating func forget(_ partitions: [PartitionID], isWritten: Bool) {
        for (_, entry) in pending.elements where partitions.contains(entry.order.partition) {
            ledgers[entry.ledger, entry.partition].forget(isWritten: isWritten)
        }
        pending.filter { !partitions.contains($0.order.partition) }
    }
}

extension KafkaError {
    /// Whether the topic would refuse the same record again and again.
    fileprivate var isRefusedForGood: Bool {
        code == .messageTooLarge || code.rawValue == "INVALID_RECORD" || code.rawValue == "INVALID_MSG_SIZE"
            || code.rawValue == "INVALID_MSG"
    }
}
