import Kafka
import Publishing

/// Writes the batches of the ledgers, and turns delivery reports back into results.
///
/// The core gives a partition one batch at a time. The producer itself must not queue records behind others: if it is
/// idempotent, librdkafka sends a partition nothing while more than five of its requests are in flight, and polls without a
/// pause meanwhile. (Seen with 2.0.2, `rd_kafka_toppar_producer_serve`; 2.12 has the same.)
struct LedgerWriter {
    private struct Pending {
        var partition: PartitionID
        var offsets: [Int64]
        var left: Int
        var failure: String?
    }

    /// The topics, in the order of the sources.
    private let topics: [String: String]
    private let group: String
    private let headers: [KafkaHeader]
    private let produce: @Sendable (KafkaRecordBatch) -> Void
    private var pending: [WriteID: Pending] = [:]

    /// Makes a writer.
    ///
    /// - Parameters:
    ///   - sources: Each has a ledger.
    ///   - group: The consumer group, which the owner records name.
    ///   - instance: Tells our records in the ledger from those of a late writer.
    ///   - produce: Takes what one partition gets.
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
    ///   - batch: Of one partition.
    ///   - source: The partition whose ledger it is of.
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

    /// Takes one delivery report.
    ///
    /// - Returns: How its batch ended; `nil` while others of it are waited for, or if nobody waits for it.
    mutating func reported(_ id: WriteID, record index: Int, _ report: KafkaDeliveryReport) -> LedgerResult? {
        guard var entry = pending.removeValue(forKey: id), entry.offsets.indices.contains(index) else { return nil }
        switch report.result {
        case .success(let place) where place.offset < 0:
            // A broker that was away reports the record as stored without its offset, which is needed to read the record again.
            entry.failure = "the broker does not say at which offset of the ledger the record lies"
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

    /// Forgets the batches of partitions that have left; what was written is written.
    mutating func forget(_ partitions: [PartitionID]) {
        pending = pending.filter { !partitions.contains($0.value.partition) }
    }
}

/// Headers of the ledger's records.
enum LedgerHeader {
    /// Names the life of the worker that wrote it.
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

    /// The highest bits say what it is; a batch has fewer than a million records.
    private static let ledgerBit: UInt64 = 1 << 63
    private static let letterBit: UInt64 = 1 << 62

    init(ledger id: WriteID, record index: Int) {
        number = Self.ledgerBit | id.number << 20 | UInt64(index)
    }

    init(outcome id: WriteID) { number = id.number }

    init(deadLetter id: WriteID) { number = Self.letterBit | id.number }

    init(_ number: UInt64) { self.number = number }

    /// `nil` for a record of others: numbers begin at one.
    var subject: Subject? {
        if number & Self.ledgerBit != 0 {
            return .ledger(WriteID((number & ~Self.ledgerBit) >> 20), record: Int(number & 0xFFFFF))
        }
        let id = WriteID(number & ~Self.letterBit)
        guard id.number > 0 else { return nil }
        return number & Self.letterBit == 0 ? .outcome(id) : .deadLetter(id)
    }
}
