import Kafka
import Publishing

/// Writes outcomes and dead letters, and turns delivery reports back into results.
///
/// A write has one record for the outcomes and, for a dead letter, one more. It has ended when all its records are confirmed or
/// one has failed. After a failure, only the records that are not confirmed are written again. A record that its topic refuses
/// for good is written in a shorter form, so that no record can keep its partition from being committed.
struct OutcomeWriter {
    /// How much of the original a dead letter carries.
    enum LetterForm {
        case whole
        /// The topic is too small for the value.
        case withoutValue
        /// Nor does it accept key and headers.
        case factsOnly
        /// It accepts nothing; the outcome records the refusal.
        case none

        var next: LetterForm {
            switch self {
            case .whole: .withoutValue
            case .withoutValue: .factsOnly
            case .factsOnly, .none: .none
            }
        }
    }

    /// How much an outcome says.
    enum OutcomeForm {
        case whole
        /// Without requests and warnings.
        case short
        /// The topic accepts nothing.
        case none

        var next: OutcomeForm { self == .whole ? .short : .none }
    }

    /// A write on its way.
    struct Pending {
        var write: OutcomeWrite
        var isOutcomeConfirmed = false
        var isLetterConfirmed = false
        /// Records that are not reported.
        var left = 0
        var failure: String?
        var letter = LetterForm.whole
        var outcome = OutcomeForm.whole
    }

    /// Records for the producer, but the ledger's.
    struct Batch: Sendable {
        var outcomes: KafkaRecordBatch
        /// Dead letters of which not all is the original's.
        var letters: [KafkaRecord] = []
        /// Dead letters that are the original with more headers.
        var forwarded: [KafkaForwardedMessage] = []

        var count: Int { outcomes.count + letters.count + forwarded.count }

        mutating func removeAll() {
            outcomes.removeAll()
            letters = []
            forwarded = []
        }
    }

    private let forms: RecordForms
    private var pending: [WriteID: Pending] = [:]
    /// Writes whose records are not laid out.
    private var ready = RingQueue<WriteID>()
    /// The records that are laid out and not produced yet.
    private(set) var batch: Batch

    /// Makes a writer.
    ///
    /// - Parameters:
    ///   - topics: The topics that the records go to.
    ///   - group: The consumer group.
    ///   - worker: Version and host of the worker, for dead letters.
    init(topics: TopicNames, group: String, worker: String) {
        forms = RecordForms(topics: topics, group: group, worker: worker)
        batch = Batch(outcomes: KafkaRecordBatch(topic: topics.outcomes))
    }

    /// The number of writes whose records are not laid out yet.
    var readyCount: Int { ready.count }

    /// Takes a write, new or after a failure.
    mutating func add(_ write: OutcomeWrite) {
        var entry = pending[write.id] ?? Pending(write: write)
        entry.write = write
        entry.failure = nil
        pending[write.id] = entry
        ready.append(write.id)
    }

    /// Lays out the records of some writes.
    mutating func layOut(atMost limit: Int) {
        for _ in 0..<min(limit, ready.count) {
            guard let id = ready.popFirst(), var entry = pending[id] else { continue }
            forms.add(&entry, to: &batch)
            pending[id] = entry
        }
    }

    /// Removes what was produced.
    mutating func emptyBatch() { batch.removeAll() }

    /// Takes one delivery report.
    ///
    /// - Returns: How its write ended; `nil` while another record of it is waited for, or if nobody waits for it.
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

    /// Forgets the writes of partitions that have left.
    mutating func forget(_ partitions: [PartitionID]) {
        pending = pending.filter { !partitions.contains($0.value.write.partition) }
    }
}

extension KafkaError {
    /// Whether the topic would refuse the same record again and again.
    fileprivate var isRefusedForGood: Bool {
        code == .messageTooLarge || code.rawValue == "INVALID_RECORD" || code.rawValue == "INVALID_MSG_SIZE"
            || code.rawValue == "INVALID_MSG"
    }
}
