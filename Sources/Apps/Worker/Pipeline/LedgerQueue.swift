import Kafka
import Timestamps

/// What one partition of a ledger is to get: each batch once the one before it is confirmed, and a moment after that one went,
/// with all that came meanwhile.
///
/// The producer itself must not let records wait for those before them. Where it is idempotent, librdkafka sends a partition
/// nothing while more than five of its records are under way, and it polls without a pause for as long as others wait for that:
/// a whole core, which the broker's answer may need. (Seen with 2.0.2, `rd_kafka_toppar_producer_serve`; 2.12 has the same.)
struct LedgerQueue {
    /// What waits.
    var batch: KafkaRecordBatch
    /// Records that the producer has and has not reported.
    private var underWay = 0
    /// When the last batch went; the machine's start before the first.
    private var wentAt = Instant(nanoseconds: 0)
    /// Whether nobody hears of what is under way any more.
    private var isForgotten = false

    /// Makes a queue without records.
    ///
    /// - Parameter batch: Without records.
    init(_ batch: KafkaRecordBatch) {
        self.batch = batch
    }

    /// Whether something waits or is under way.
    var isBusy: Bool { !batch.isEmpty || underWay > 0 }

    /// When what waits has its turn though nothing is reported.
    ///
    /// - Parameter moment: How long after the batch before.
    /// - Returns: `nil` where nothing waits, or for a report.
    func due(after moment: Duration) -> Instant? {
        guard !batch.isEmpty, underWay == 0 else { return nil }
        return wentAt + moment
    }

    /// Hands over what waits, if it is its turn.
    ///
    /// - Parameters:
    ///   - moment: How long after the batch before.
    ///   - now: The present.
    ///   - isLast: Whether nothing will follow, so that nothing may stay behind.
    ///   - produce: Takes the batch.
    mutating func produce(
        after moment: Duration,
        now: Instant,
        isLast: Bool,
        _ produce: (KafkaRecordBatch) -> Void
    ) {
        guard !batch.isEmpty, isLast || isForgotten || due(after: moment).map({ $0 <= now }) ?? false else { return }
        produce(batch)
        wentAt = now
        underWay = isForgotten ? 0 : underWay + batch.count
        isForgotten = false
        batch.removeAll()
    }

    /// Takes note of the report on one record.
    mutating func reported() {
        underWay = max(0, underWay - 1)
    }

    /// Takes note that its partition has left.
    ///
    /// - Parameter isWritten: Whether what waits is written for the next owner all the same.
    mutating func forget(isWritten: Bool) {
        underWay = 0
        if !isWritten { batch.removeAll() }
        isForgotten = !batch.isEmpty
    }
}
