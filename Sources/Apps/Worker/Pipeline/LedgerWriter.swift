import NewsflashKafka
import NewsflashPublishing
import NewsflashTopicPartitions

/// Writes the batches of the ledgers, and turns delivery reports into results.
///
/// The core has one batch per partition in progress. The producer must not queue records behind others: if it is idempotent,
/// librdkafka sends nothing to a partition while more than five of its requests are in flight, and polls without a pause
/// meanwhile. (Seen with 2.0.2, `rd_kafka_toppar_producer_serve`; 2.12 has the same.)
struct LedgerWriter {
    /// The ledger topics by topic of events.
    private let topics: [String: String]
    private let group: String
    private let headers: [KafkaHeader]
    private let produce: @Sendable (KafkaRecordBatch) -> Void
    private var unconfirmed = UnconfirmedBatches()

    /// Makes a writer.
    ///
    /// - Parameters:
    ///   - sources: The sources; each has a ledger.
    ///   - group: The consumer group for the owner records.
    ///   - instance: Distinguishes our ledger records from those of a late writer.
    ///   - produce: Receives the records for one partition.
    init(
        sources: [SourceSettings],
        group: String,
        instance: String,
        produce: @escaping @Sendable (KafkaRecordBatch) -> Void
    ) {
        topics = sources.ledgers
        headers = [KafkaHeader(name: LedgerHeader.writer, text: instance)]
        self.group = group
        self.produce = produce
    }

    /// Writes a batch.
    ///
    /// - Parameters:
    ///   - batch: The batch of one partition.
    ///   - source: The source partition of the ledger.
    mutating func write(_ batch: LedgerBatch, of source: TopicPartition) {
        var records = KafkaRecordBatch(topic: topics[source.topic] ?? "", headers: headers)
        for (index, write) in batch.writes.enumerated() {
            let id = DeliveryID(ledger: batch.id, record: index).number
            switch write {
            case .facts(let facts, let story):
                records.append(key: story, partition: source.partition, id: id) {
                    LedgerRecordCodec.append(facts, of: story, to: &$0)
                }
            case .owner(let owner):
                var owner = owner
                owner.group = group
                records.append(key: LedgerOwner.key, partition: source.partition, id: id) { $0 += owner.encoded }
            case .forgotten(let story):
                records.appendTombstone(key: story, partition: source.partition, id: id)
            }
        }
        unconfirmed.add(batch)
        produce(records)
    }

    /// Receives one delivery report.
    ///
    /// - Returns: The result of its batch; `nil` if other reports of the batch are pending, or if the batch was forgotten.
    mutating func reported(_ id: WriteID, record index: Int, _ report: KafkaDeliveryReport) -> LedgerResult? {
        let offset = report.result.map(\.offset).mapError { WriteFailure($0.description) }
        return unconfirmed.reported(id, record: index, offset)
    }

    /// Forgets the batches of revoked partitions. Records that were produced stay written.
    mutating func forget(_ partitions: [PartitionID]) {
        unconfirmed.forget(partitions)
    }
}

/// Headers of the ledger's records.
enum LedgerHeader {
    /// Identifies the process that wrote the record.
    static let writer = "newsflash-writer"
}
