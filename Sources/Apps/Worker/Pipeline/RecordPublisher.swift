import NewsflashKafka
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashTopicPartitions

/// Writes and reports decisions; owned by the publishing thread.
///
/// Ledger batches are written at once. Outcomes, dead letters, log lines and counts, which are for people, are encoded a few at
/// a time when no decision waits. They belong to unprocessed events, whose number is bounded, so their number is bounded too.
struct RecordPublisher {
    private var ledgers: LedgerWriter
    private var outcomes: OutcomeWriter
    private let sinks: RecordSinks
    private var pace = OutcomeBatcher()
    private var reports = RingQueue<PublishingReport>()
    /// The time until which we surely own the partitions. Decisions made before a suspension are written once ownership is
    /// confirmed again.
    private var sureUntil = ContinuousClock.now
    /// When to wake the ledger's producer for the latest batch.
    private var wakeAt: Instant?

    /// How long a ledger record lingers in its producer: longer than queuing a batch takes.
    ///
    /// librdkafka (seen with 2.0.2) wakes its thread at the first record. Without a linger it sends what it finds then, so that
    /// a batch takes four requests, and it polls without a pause between them. With a linger it sleeps for a whole millisecond,
    /// three times a broker's response time, so it is woken when the linger is over.
    static let ledgerLinger = Duration.microseconds(150)
    /// A time after which the linger of a batch is surely over.
    private static let wakeAfter = ledgerLinger + .microseconds(20)

    /// The number of items encoded at once: some hundredths of a millisecond, for which a flash may have to wait.
    private static let fewAtATime = 8
    /// The number of items that may wait for idle time. Above it, some are encoded in every turn.
    private static let longestQueue = 128

    init(_ ledgers: LedgerWriter, _ outcomes: OutcomeWriter, _ sinks: RecordSinks) {
        self.ledgers = ledgers
        self.outcomes = outcomes
        self.sinks = sinks
    }

    /// When it must be called again without new input; `nil` if nothing waits.
    var due: Instant? {
        let outcomesDue = outcomes.batch.count == 0 ? nil : pace.due
        return [outcomesDue, wakeAt].compactMap(\.self).min()
    }

    /// Whether we surely own the partitions now.
    var isSure: Bool { ContinuousClock.now <= sureUntil }

    // MARK: - Inputs

    /// Sets the time until which we surely own the partitions.
    mutating func isSure(until end: ContinuousClock.Instant) { sureUntil = end }

    /// Adds an outcome to write.
    mutating func add(_ write: OutcomeWrite) { outcomes.add(write) }

    /// Adds a report.
    mutating func add(_ report: PublishingReport) { reports.append(report) }

    /// Receives delivery reports.
    ///
    /// - Returns: The results of ledger batches and of outcomes.
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
        sinks.observer.confirmed(results.outcomes.count { $0.failure == nil })
        return results
    }

    /// Forgets the pending writes of revoked partitions.
    mutating func forget(_ partitions: [PartitionID]) {
        ledgers.forget(partitions)
        outcomes.forget(partitions)
    }

    // MARK: - Outputs

    /// Writes a ledger batch if the ownership of the partition is confirmed.
    ///
    /// - Returns: The reason if it was not written; otherwise `nil`.
    @discardableResult
    mutating func write(_ batch: LedgerBatch, of source: TopicPartition) -> WriteFailure? {
        guard isSure else { return WriteFailure("ownership of the partition \(source) is not confirmed") }
        ledgers.write(batch, of: source)
        wakeAt = .now + Self.wakeAfter
        return nil
    }

    /// Wakes the ledger's producer for lingering records.
    mutating func wakeLedgers(now: Instant) {
        guard let wakeAt, wakeAt <= now else { return }
        self.wakeAt = nil
        sinks.wakeLedgers()
    }

    /// Produces outcomes and dead letters if they are due.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - isLast: Whether this is the last call, so that nothing may remain.
    mutating func produceOutcomes(now: Instant, isLast: Bool = false) {
        layOut(min(waiting - Self.longestQueue, Self.longestQueue / 2))
        guard pace.shouldFlush(outcomes.batch.count, now: now, isLast: isLast) else { return }
        sinks.produce(outcomes.batch)
        outcomes.emptyBatch()
    }

    /// Encodes and reports a few items.
    ///
    /// - Returns: Whether there were any, so that there may be more.
    mutating func layOutSome() -> Bool {
        guard outcomes.readyCount > 0 || !reports.isEmpty else { return false }
        layOut(Self.fewAtATime)
        return true
    }

    /// Writes and reports everything.
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
            sinks.observer.tell(report)
            left -= 1
        }
    }
}

/// The destinations of records and reports. Each call passes them on and returns.
struct RecordSinks {
    /// Makes the ledger's producer send lingering records now.
    let wakeLedgers: @Sendable () -> Void
    let produce: @Sendable (OutcomeWriter.Batch) -> Void
    let observer: PublishingObserver
}
