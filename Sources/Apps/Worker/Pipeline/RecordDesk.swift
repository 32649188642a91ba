import Kafka
import Publishing
import Timestamps

/// Writes down what was decided, and tells people; owned by the publishing thread.
///
/// The ledger's records go at once, as what it does not know takes the room of other requests. What people read (outcomes,
/// dead letters, log lines, counts) is laid out a few at a time, while nobody waits for a decision. What waits here belongs to
/// events that are not done, so it is bounded with them.
///
/// On the same thread as the decisions: what an order consists of would else be counted and freed by two cores in turn, which
/// costs more than laying it out.
struct RecordDesk {
    private var writer: RecordWriter
    private let outlets: RecordOutlets
    private var pace = OutcomePace()
    private var reports = RingQueue<PublishingReport>()
    /// Until when the partitions are surely ours: what was decided before a standstill waits until it is sure again that its
    /// partition is ours, or that it has left.
    private var sureUntil = ContinuousClock.now
    /// When the ledger's producer is rung for what it was given last.
    private var ringAt: Instant?

    /// How long a ledger's record lingers in its producer: longer than a batch takes to be queued.
    ///
    /// librdkafka (seen with 2.0.2) wakes its thread at the first record. Without a linger it sends what it finds then, so that a
    /// batch goes in four requests, and polls without a pause between them. With one it sleeps for a whole millisecond, which
    /// is three times what a broker takes to answer, so it is rung for when the linger is over.
    static let ledgerLinger = Duration.microseconds(150)
    /// By then the linger of a batch is surely over.
    private static let ringing = ledgerLinger + .microseconds(20)

    /// How much is laid out at a time: some hundredths of a millisecond, for which a flash may have to wait.
    private static let fewAtATime = 8
    /// How much may wait for a pause; of what is more, some is laid out in every turn.
    private static let longestQueue = 128

    /// Makes a desk with nothing on it.
    ///
    /// - Parameters:
    ///   - writer: Turns orders into records.
    ///   - outlets: Where records and news of them go.
    init(_ writer: RecordWriter, _ outlets: RecordOutlets) {
        self.writer = writer
        self.outlets = outlets
    }

    /// When it has to be looked at again though nothing has come; `nil` where nothing waits.
    var due: Instant? {
        let outcomes = writer.batch.isEmpty ? nil : pace.due
        var due = writer.ledgersDue
        if let outcomes { due = min(due ?? outcomes, outcomes) }
        if let ringAt { due = min(due ?? ringAt, ringAt) }
        return due
    }

    // MARK: - What comes

    /// Takes note until when the partitions are surely ours.
    mutating func isSure(until end: ContinuousClock.Instant) { sureUntil = end }

    /// Takes an order to write.
    ///
    /// - Parameters:
    ///   - order: What to write.
    ///   - source: The partition whose ledger it concerns.
    mutating func take(_ order: WriteOrder, of source: SourcePartition) {
        writer.add(order, of: source)
    }

    /// Takes what people are to be told.
    mutating func take(_ report: PublishingReport) {
        reports.append(report)
    }

    /// Takes delivery reports.
    ///
    /// - Parameter deliveries: Of records of ours.
    /// - Returns: What they say of the orders.
    mutating func reported(_ deliveries: [KafkaDeliveryReport]) -> WrittenRecords {
        let written = writer.reported(deliveries)
        pace.reported(deliveries)
        outlets.observer.confirmed(written.ended.count { $0.failure == nil })
        return written
    }

    /// Forgets the orders so far of partitions that have left. Those that were decided while the partitions were surely ours
    /// are written for the next owner all the same, and not followed.
    mutating func forget(_ partitions: [PartitionID]) {
        writer.forget(partitions, isWritten: .now <= sureUntil)
    }

    // MARK: - What goes

    /// Hands over what the ledgers are to get and has its turn, if it is sure whose the partitions are.
    mutating func produceLedgers(now: Instant) {
        if let ringAt, ringAt <= now {
            self.ringAt = nil
            outlets.ringForLedgers()
        }
        guard ContinuousClock.now <= sureUntil else { return }
        var isAny = false
        let produce = outlets.produceLedger
        writer.produceLedgers(now: now) {
            produce($0)
            isAny = true
        }
        if isAny { ringAt = .now + Self.ringing }
    }

    /// Hands over outcomes and dead letters, if it is their time.
    ///
    /// - Parameters:
    ///   - now: The present.
    ///   - isLast: Whether nothing will follow, so that nothing may stay behind.
    mutating func produceOutcomes(now: Instant, isLast: Bool = false) {
        layOut(min(waiting - Self.longestQueue, Self.longestQueue / 2))
        guard pace.letsGo(writer.batch.count, now: now, isLast: isLast) else { return }
        outlets.produce(writer.batch)
        writer.emptyBatch()
    }

    /// Lays out a little of what people read.
    ///
    /// - Returns: Whether there was something, and may be more.
    mutating func layOutSome() -> Bool {
        guard writer.readyCount > 0 || !reports.isEmpty else { return false }
        layOut(Self.fewAtATime)
        return true
    }

    /// Writes and tells all that came so far.
    mutating func finish() {
        layOut(.max)
        writer.produceLedgers(now: .now, isLast: true, outlets.produceLedger)
        produceOutcomes(now: .now, isLast: true)
    }

    private var waiting: Int { max(writer.readyCount, reports.count) }

    private mutating func layOut(_ count: Int) {
        guard count > 0 else { return }
        writer.addReady(atMost: count)
        var left = count
        while left > 0, let report = reports.popFirst() {
            outlets.observer.tell(report)
            left -= 1
        }
    }
}

/// Where records and news of them go; each call hands over and returns.
struct RecordOutlets {
    let produceLedger: @Sendable (KafkaRecordBatch) -> Void
    /// Has what lingers of that go now.
    let ringForLedgers: @Sendable () -> Void
    let produce: @Sendable (RecordBatch) -> Void
    let observer: PublishingObserver
}
