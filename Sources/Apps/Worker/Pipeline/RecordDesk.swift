import Kafka
import Publishing
import Timestamps

/// Writes what was decided, and reports it to people; owned by the publishing thread.
///
/// The ledger's batches go at once. Outcomes, dead letters, log lines and counts, which are for people, are laid out a few at a
/// time, while nobody waits for a decision. They belong to events that are not processed, so the bound on these events limits
/// them, too.
struct RecordDesk {
    private var ledgers: LedgerWriter
    private var outcomes: OutcomeWriter
    private let outlets: RecordOutlets
    private var pace = OutcomePace()
    private var reports = RingQueue<PublishingReport>()
    /// Until when the partitions are surely ours: what was decided before a standstill is written when it is sure again that
    /// its partition is ours.
    private var sureUntil = ContinuousClock.now
    /// When the ledger's producer is woken for what it was given last.
    private var wakeAt: Instant?

    /// How long a ledger's record lingers in its producer: longer than a batch takes to be queued.
    ///
    /// librdkafka (seen with 2.0.2) wakes its thread at the first record. Without a linger it sends what it finds then, so that a
    /// batch goes in four requests, and polls without a pause between them. With one it sleeps for a whole millisecond, which
    /// is three times what a broker takes to answer, so it is woken when the linger is over.
    static let ledgerLinger = Duration.microseconds(150)
    /// By then the linger of a batch is surely over.
    private static let wakeAfter = ledgerLinger + .microseconds(20)

    /// How much is laid out at a time: some hundredths of a millisecond, for which a flash may have to wait.
    private static let fewAtATime = 8
    /// How much may wait for a pause; of what is more, some is laid out in every turn.
    private static let longestQueue = 128

    init(_ ledgers: LedgerWriter, _ outcomes: OutcomeWriter, _ outlets: RecordOutlets) {
        self.ledgers = ledgers
        self.outcomes = outcomes
        self.outlets = outlets
    }

    /// When it has to be looked at again though nothing has come; `nil` if nothing waits.
    var due: Instant? {
        let outcomesDue = outcomes.batch.count == 0 ? nil : pace.due
        return [outcomesDue, wakeAt].compactMap(\.self).min()
    }

    /// Whether the partitions are surely ours at present.
    var isSure: Bool { ContinuousClock.now <= sureUntil }

    // MARK: - What comes

    /// Records until when the partitions are surely ours.
    mutating func isSure(until end: ContinuousClock.Instant) { sureUntil = end }

    /// Takes an outcome to write.
    mutating func add(_ write: OutcomeWrite) { outcomes.add(write) }

    /// Takes a report for people.
    mutating func add(_ report: PublishingReport) { reports.append(report) }

    /// Takes delivery reports.
    ///
    /// - Returns: The results of batches of the ledger and of outcomes.
    mutating func reported(_ deliveries: [KafkaDeliveryReport]) -> (ledger: [LedgerResult], outcomes: [WriteResult]) {
        var results: (ledger: [LedgerResult], outcomes: [WriteResult]) = ([], [])
        for delivery in deliveries {
            switch DeliveryID(delivery.id).subject {
            case .ledger(let id, let index):
                if let result = ledgers.reported(id, record: index, delivery) { results.ledger.append(result) }
            case .outcome(let id):
                pace.reported()
                if let result = outcomes.reported(id, isLetter: false, delivery) { results.outcomes.append(result) }
            case .deadLetter(let id):
                pace.reported()
                if let result = outcomes.reported(id, isLetter: true, delivery) { results.outcomes.append(result) }
            case nil: break
            }
        }
        outlets.observer.confirmed(results.outcomes.count { $0.failure == nil })
        return results
    }

    /// Forgets the pending writes of partitions that have left.
    mutating func forget(_ partitions: [PartitionID]) {
        ledgers.forget(partitions)
        outcomes.forget(partitions)
    }

    // MARK: - What goes

    /// Writes a batch of the ledger, if it is sure whose the partition is.
    ///
    /// - Returns: Why it was not written; `nil` if it was.
    @discardableResult
    mutating func write(_ batch: LedgerBatch, of source: SourcePartition) -> WriteFailure? {
        guard isSure else { return WriteFailure("it is not sure that the partition \(source) is still this worker's") }
        ledgers.write(batch, of: source)
        wakeAt = .now + Self.wakeAfter
        return nil
    }

    /// Wakes the ledger's producer for what lingers in it.
    mutating func wakeLedgers(now: Instant) {
        guard let wakeAt, wakeAt <= now else { return }
        self.wakeAt = nil
        outlets.wakeLedgers()
    }

    /// Hands over outcomes and dead letters, if it is their time.
    ///
    /// - Parameters:
    ///   - now: The present.
    ///   - isLast: Whether nothing will follow, so that nothing may stay behind.
    mutating func produceOutcomes(now: Instant, isLast: Bool = false) {
        layOut(min(waiting - Self.longestQueue, Self.longestQueue / 2))
        guard pace.letsGo(outcomes.batch.count, now: now, isLast: isLast) else { return }
        outlets.produce(outcomes.batch)
        outcomes.emptyBatch()
    }

    /// Lays out a little of what people read.
    ///
    /// - Returns: Whether there was something, and may be more.
    mutating func layOutSome() -> Bool {
        guard outcomes.readyCount > 0 || !reports.isEmpty else { return false }
        layOut(Self.fewAtATime)
        return true
    }

    /// Writes and reports all that came so far.
    mutating func finish() {
        layOut(.max)
        produceOutcomes(now: .now, isLast: true)
    }

    private var waiting: Int { max(outcomes.readyCount, reports.count) }

    private mutating func layOut(_ count: Int) {
        guard count > 0 else { return }
        outcomes.layOut(atMost: count)
        var left = count
        while left > 0, let report = reports.popFirst() {
            outlets.observer.tell(report)
            left -= 1
        }
    }
}

/// The destinations of records and reports; each call hands over and returns.
struct RecordOutlets {
    /// Has what lingers in the ledger's producer go now.
    let wakeLedgers: @Sendable () -> Void
    let produce: @Sendable (OutcomeWriter.Batch) -> Void
    let observer: PublishingObserver
}

/// When outcomes and dead letters go to the producer: all that comes within a moment together, once what went before was
/// reported.
///
/// People can wait a moment for outcomes, and brokers have less to do. The producer's own `linger.ms` would cost more than it
/// spares: librdkafka polls without a pause through the last millisecond of each wait, and while more than five records of a
/// partition are in flight (see ``LedgerWriter``). Seen with 2.0.2: 47,000 polls a second.
struct OutcomePace {
    /// How long a record waits for others.
    static let moment = Duration.milliseconds(20)
    /// How long for reports on those before: the leader of one partition may have died, and the others take records.
    static let patience = Duration.milliseconds(100)

    /// When it was first seen that something waits.
    private var waitingSince: Instant?
    /// When something went last.
    private var wentAt: Instant?
    /// Records that have gone and were not reported.
    private var underWay = 0

    /// When what waits may go, if nothing is reported before; `nil` if nothing waits.
    var due: Instant? {
        guard let waitingSince else { return nil }
        let ready = waitingSince + Self.moment
        guard underWay > 0, let wentAt else { return ready }
        return max(ready, wentAt + Self.patience)
    }

    /// Whether all records that wait go now. If nothing will follow, nothing may stay behind.
    mutating func letsGo(_ count: Int, now: Instant, isLast: Bool) -> Bool {
        guard count > 0 else { return false }
        waitingSince = waitingSince ?? now
        guard isLast || due.map({ $0 <= now }) ?? true else { return false }
        underWay += count
        wentAt = now
        waitingSince = nil
        return true
    }

    /// Counts a report, also of a write that nobody waits for any more.
    mutating func reported() { underWay = max(0, underWay - 1) }
}
