import NewsflashKafka
import NewsflashPublishing

/// Encodes outcomes and dead letters, and turns delivery reports into results. ``OutcomeQueue`` determines what is written.
struct OutcomeWriter {
    /// Records for the producer, except ledger records.
    struct Batch: Sendable {
        var outcomes: KafkaRecordBatch
        /// Dead letters that do not contain the whole original.
        var letters: [KafkaRecord] = []
        /// Dead letters that are the original with additional headers.
        var forwarded: [KafkaForwardedMessage] = []

        var count: Int { outcomes.count + letters.count + forwarded.count }

        mutating func removeAll() {
            outcomes.removeAll()
            letters = []
            forwarded = []
        }
    }

    private let forms: RecordBuilder
    private var queue = OutcomeQueue()
    /// The encoded records that were not produced yet.
    private(set) var batch: Batch

    /// Makes a writer.
    ///
    /// - Parameters:
    ///   - topics: The topics that the records go to.
    ///   - group: The consumer group.
    ///   - worker: Version and host of the worker, for dead letters.
    init(topics: TopicNames, group: String, worker: String) {
        forms = RecordBuilder(topics: topics, group: group, worker: worker)
        batch = Batch(outcomes: KafkaRecordBatch(topic: topics.outcomes))
    }

    /// The number of writes whose records are not encoded yet.
    var readyCount: Int { queue.readyCount }

    /// Adds a write, new or after a failure.
    mutating func add(_ write: OutcomeWrite) { queue.add(write) }

    /// Encodes the records of some writes.
    mutating func layOut(atMost limit: Int) {
        for _ in 0..<min(limit, queue.readyCount) {
            guard let records = queue.next() else { return }
            forms.add(records, to: &batch)
        }
    }

    /// Removes the produced records.
    mutating func emptyBatch() { batch.removeAll() }

    /// Receives one delivery report.
    ///
    /// - Returns: The result of its write; `nil` if another report of the write is pending, or if the write was forgotten.
    mutating func reported(_ id: WriteID, isLetter: Bool, _ report: KafkaDeliveryReport) -> WriteResult? {
        switch report.result {
        case .success: return queue.reported(id, isDeadLetter: isLetter, .confirmed)
        case .failure(let error):
            let failure = OutcomeQueue.Report.failed(error.description, isPermanent: error.isRefusedForGood)
            return queue.reported(id, isDeadLetter: isLetter, failure)
        }
    }

    /// Forgets the writes of revoked partitions.
    mutating func forget(_ partitions: [PartitionID]) {
        queue.forget(partitions)
    }
}

extension KafkaError {
    /// Whether the topic would refuse the same record again.
    fileprivate var isRefusedForGood: Bool {
        code == .messageTooLarge || code.rawValue == "INVALID_RECORD" || code.rawValue == "INVALID_MSG_SIZE"
            || code.rawValue == "INVALID_MSG"
    }
}
