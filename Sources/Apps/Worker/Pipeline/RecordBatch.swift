import Kafka
import Publishing

/// What of orders goes to the producer at once, besides the ledgers' records.
struct RecordBatch: Sendable {
    var outcomes: KafkaRecordBatch
    /// Dead letters of which not all is the original's.
    var letters: [KafkaRecord] = []
    /// Dead letters that are the original with more headers.
    var forwarded: [KafkaForwardedMessage] = []

    var isEmpty: Bool { count == 0 }

    var count: Int { outcomes.count + letters.count + forwarded.count }

    /// Takes all records out, and keeps the room for others.
    mutating func removeAll() {
        outcomes.removeAll()
        letters = []
        forwarded = []
    }
}

/// What the broker has said of orders.
struct WrittenRecords: Sendable {
    /// Those that have ended.
    var ended: [WriteResult] = []
    /// Those of which the ledger has its record.
    var remembered: [WriteID] = []

    var isEmpty: Bool { ended.isEmpty && remembered.isEmpty }
}

/// Headers of the ledger's records.
enum LedgerHeader {
    /// Names the life of the worker that wrote it.
    static let writer = "newsflash-writer"
}
