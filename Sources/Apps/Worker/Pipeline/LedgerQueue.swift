import Kafka

/// What one partition of a ledger is to get: each batch once the one before it is confirmed, with all that came meanwhile.
///
/// The producer itself must not let records wait for those before them. Where it is idempotent, librdkafka sends a partition
/// nothing while more than five of its records are under way, and it polls without a pause for as long as others wait for that:
/// a whole core, which the broker's answer may need. (Seen with 2.0.2, `rd_kafka_toppar_producer_serve`; 2.12 has the same.)
struct LedgerQueue {
    /// What waits.
    var batch: KafkaRecordBatch
    /// Records that the producer has and has not reported.
    private var underWay = 0
    /// Whether nobody hears of what is under way any more.
    private var isForgotten = false

    /// Makes a queue without records.
    ///
    /// - Parameter batch: Without records.
    init(_ batch: KafkaRecordBatch) {
        self.batch = batch
    }

    /// Hands over what waits, if it is its turn.
    ///
    /// - Parameters:
    ///   - isLast: Whether nothing will follow, so that nothing may stay behind.
    ///   - produce: Takes the batch.
    mutating func produce(isLast: Bool, _ produce: (KafkaRecordBatch) -> Void) {
        guard !batch.isEmpty, isLast || isForgotten || underWay == 0 else { return }
        produce(batch)
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
