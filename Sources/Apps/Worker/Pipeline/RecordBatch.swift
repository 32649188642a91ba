import Kafka
import Publishing

/// What goes to the producers at once.
struct RecordBatch: Sendable {
    /// For each source's ledger, which goes first.
    var ledgers: [KafkaRecordBatch]
    var outcomes: KafkaRecordBatch
    /// Dead letters of which not all is the original's.
    var letters: [KafkaRecord] = []
    /// Dead letters that are the original with more headers.
    var forwarded: [KafkaForwardedMessage] = []

    var isEmpty: Bool { ledgers.allSatisfy(\.isEmpty) && outcomes.isEmpty && letters.isEmpty && forwarded.isEmpty }

    /// Takes all records out, and keeps the room for others.
    mutating func removeAll() {
        for index in ledgers.indices { ledgers[index].removeAll() }
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
