import Kafka
import Publishing

/// Writes the batches of the ledgers, and turns delivery reports into results.
///
/// The core has one batch per partition in progress. The producer must not queue records behind others: if it is idempotent,
/// librdkafka sends nothing to a partition while more than five of its requests are in flight, and polls without a pause
/// meanwhile. (Seen with 2.0.2, `rd_kafka_toppar_producer_serve`; 2.12 has the same.)
struct LedgerWriter {
    private struct Pending {
        var partition: PartitionID
        var offsets: [Int64]
        var left: Int
        var failure: String?
    }

    /// The ledger topics by topic of events.
    private let topics: [String: String]
    private let group: String
    private let headers: [KafkaHeader]
    private let produce: @Sendable (KafkaRecordBatch) -> Void
    private var pending: [WriteID: Pending] = [:]

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
        topics = Dictionary(sources.map { ($0.topic, $0.ledger) }) { first, _ in first }
        headers = [KafkaHeader(name: LedgerHeader.writer, text: instance)]
        self.group = group
        self.produce = produce
    }

    /// Writes a batch.
    ///
    /// - Parameters:
    ///   - batch: The batch of one partition.
    ///   - source: The source partition of the ledger.
    mutating func write(_ batch: LedgerBatch, of source: SourcePartition) {
        var records = KafkaRecordBatch(topic: topics[source.topic] ?? "", headers: headers)
        for (index, write) in batch.writes.enumerated() {
            let id = DeliveryID(ledger: batch.id, record: index).number
            switch write {
            case .facts(let facts, let story):
                records.append(key: story, partition: source.number, id: id) {
                    LedgerRecordCodec.append(facts, of: story, to: &$0)
                }
            case .owner(let owner):
                var owner = owner
                owner.group = group
                records.append(key: LedgerOwner.key, partition: source.number, id: id) { $0 += owner.encoded }
            case .forgotten(let story):
                records.appendTombstone(key: story, partition: source.number, id: id)
            }
        }
        let count = batch.writes.count
        pending[batch.id] = Pending(
            partition: batch.partition,
            offsets: Array(repeating: -1, count: count),
            left: count
        )
        produce(records)
    }

    /// Receives one delivery report.
    ///
    /// - Returns: The result of its batch; `nil` if other reports of the batch are pending, or if the batch was forgotten.
    mutating func reported(_ id: WriteID, record index: Int, _ report: KafkaDeliveryReport) -> LedgerResult? {
        guard var entry = pending.removeValue(forKey: id), entry.offsets.indices.contains(index) else { return nil }
        switch report.result {
        case .success(let place) where place.offset < 0:
            // After a reconnect a broker may report a record as stored without its offset, which is needed to read the record
            // again.
            entry.failure = "the broker did not return the offset of the ledger record"
        case .success(let place): entry.offsets[index] = place.offset
        case .failure(let error): entry.failure = error.description
        }
        entry.left -= 1
        guard entry.left == 0 else {
            pending[id] = entry
            return nil
        }
        let result: Result<[Int64], WriteFailure> =
            if let failure = entry.failure { .failure(WriteFailure(failure)) } else { .success(entry.offsets) }
        return LedgerResult(id: id, partition: entry.partition, result: result)
    }

    /// Forgets the batches of revoked partitions. Records that were produced stay written.
    mutating func forget(_ partitions: [PartitionID]) {
        pending = pending.filter { !partitions.contains($0.value.partition) }
    }
}

/// Headers of the ledger's records.
enum LedgerHeader {
    /// Identifies the process that wrote the record.
    static let writer = "newsflash-writer"
}

/// The subject of a delivery report, encoded in the number that its record was produced with.
struct DeliveryID {
    enum Subject {
        case ledger(WriteID, record: Int)
        case outcome(WriteID)
        case deadLetter(WriteID)
    }

    let number: UInt64

    /// The highest bits contain the subject; a batch has fewer than a million records.
    private static let ledgerBit: UInt64 = 1 << 63
    private static let letterBit: UInt64 = 1 << 62

    init(ledger id: WriteID, record index: Int) {
        number = Self.ledgerBit | id.number << 20 | UInt64(index)
    }

    init(outcome id: WriteID) { number = id.number }

    init(deadLetter id: WriteID) { number = Self.letterBit | id.number }

    init(_ number: UInt64) { self.number = number }

    /// `nil` for other records: ids start at one.
    var subject: Subject? {
        if number & Self.ledgerBit != 0 {
            return .ledger(WriteID((number & ~Self.ledgerBit) >> 20), record: Int(number & 0xFFFFF))
        }
        let id = WriteID(number & ~Self.letterBit)
        guard id.number > 0 else { return nil }
        return number & Self.letterBit == 0 ? .outcome(id) : .deadLetter(id)
    }
}
