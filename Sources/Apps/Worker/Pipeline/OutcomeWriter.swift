import Kafka
import Publishing

/// Writes outcomes and dead letters, and turns delivery reports into results.
///
/// A write has one record for the outcomes and, for a dead letter, one more. It ends when all its records are confirmed or one
/// has failed. After a failure, only the unconfirmed records are written again. If a topic refuses a record permanently, a
/// shorter form is written, so that no record can block the commits of its partition.
struct OutcomeWriter {
    /// How much of the original a dead letter contains.
    enum DeadLetterDetail {
        case whole
        /// For a topic whose size limit is below the value.
        case withoutValue
        /// For a topic that also refuses key and headers.
        case factsOnly
        /// For a topic that accepts nothing; the outcome records the refusal.
        case none

        var next: DeadLetterDetail {
            switch self {
            case .whole: .withoutValue
            case .withoutValue: .factsOnly
            case .factsOnly, .none: .none
            }
        }
    }

    /// How much an outcome contains.
    enum OutcomeForm {
        case whole
        /// Without requests and warnings.
        case short
        /// For a topic that accepts nothing.
        case none

        var next: OutcomeForm { self == .whole ? .short : .none }
    }

    /// A write that has not ended.
    struct Pending {
        var write: OutcomeWrite
        var isOutcomeConfirmed = false
        var isLetterConfirmed = false
        /// The number of records without a delivery report.
        var left = 0
        var failure: String?
        var letter = DeadLetterDetail.whole
        var outcome = OutcomeForm.whole
    }

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
    private var pending: [WriteID: Pending] = [:]
    /// Writes whose records are not encoded yet.
    private var ready = RingQueue<WriteID>()
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
    var readyCount: Int { ready.count }

    /// Adds a write, new or after a failure.
    mutating func add(_ write: OutcomeWrite) {
        var entry = pending[write.id] ?? Pending(write: write)
        entry.write = write
        entry.failure = nil
        pending[write.id] = entry
        ready.append(write.id)
    }

    /// Encodes the records of some writes.
    mutating func layOut(atMost limit: Int) {
        for _ in 0..<min(limit, ready.count) {
            guard let id = ready.popFirst(), var entry = pending[id] else { continue }
            forms.add(&entry, to: &batch)
            pending[id] = entry
        }
    }

    /// Removes the produced records.
    mutating func emptyBatch() { batch.removeAll() }

    /// Receives one delivery report.
    ///
    /// - Returns: The result of its write; `nil` if another report of the write is pending, or if the write was forgotten.
    mutating func reported(_ id: WriteID, isLetter: Bool, _ report: KafkaDeliveryReport) -> WriteResult? {
        guard var entry = pending[id] else { return nil }
        entry.left -= 1
        switch report.result {
        case .success where isLetter: entry.isLetterConfirmed = true
        case .success: entry.isOutcomeConfirmed = true
        case .failure(let error):
            entry.failure = error.description
            if error.isRefusedForGood {
                if isLetter { entry.letter = entry.letter.next } else { entry.outcome = entry.outcome.next }
            }
        }
        pending[id] = entry.left == 0 && entry.failure == nil ? nil : entry
        return entry.left == 0 ? WriteResult(id: id, failure: entry.failure) : nil
    }

    /// Forgets the writes of revoked partitions.
    mutating func forget(_ partitions: [PartitionID]) {
        pending = pending.filter { !partitions.contains($0.value.write.partition) }
    }
}

extension KafkaError {
    /// Whether the topic would refuse the same record again.
    fileprivate var isRefusedForGood: Bool {
        code == .messageTooLarge || code.rawValue == "INVALID_RECORD" || code.rawValue == "INVALID_MSG_SIZE"
            || code.rawValue == "INVALID_MSG"
    }
}
