import Kafka
import Publishing

/// Turns write orders into Kafka records, and delivery reports back into results.
///
/// An order has one record for the ledger, one for the outcomes and, for a dead letter, one more. The ledger's is confirmed
/// before the others go: what it does not know might be decided otherwise after a crash, and what people were told must not
/// be taken back. The order has ended when all its records are confirmed or one has failed; written again after a failure,
/// only what is not confirmed goes out once more.
/// What a topic refuses for good goes down a ladder, so that no record can keep its partition from being committed.
struct RecordWriter {
    private struct Pending {
        var order: WriteOrder
        var confirmed: Parts = []
        var underWay: Parts = []
        var failure: String?
        var ledgerOffset: Int64?
        var letter = LetterForm.whole
        var outcome = OutcomeForm.whole
        /// Of the ledger.
        let partition: Int32
    }

    /// The records of an order, as bits: a set for each event would cost allocations.
    private struct Parts: OptionSet {
        let rawValue: UInt64

        static let outcome = Parts(rawValue: 1)
        static let deadLetter = Parts(rawValue: 2)
        static let ledger = Parts(rawValue: 4)

        init(rawValue: UInt64) {
            self.rawValue = rawValue
        }

        /// What a report speaks of: the lowest bits of its number tell.
        init(ofReport id: UInt64) {
            self.init(rawValue: 1 << (id & 3))
        }

        var reportBits: UInt64 { UInt64(rawValue.trailingZeroBitCount) }
    }

    /// How much of the original a dead letter carries.
    private enum LetterForm {
        case whole
        /// The topic is too small for the value.
        case withoutValue
        /// Nor does it take key and headers.
        case factsOnly
        /// It takes nothing; the outcome says so.
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
    private enum OutcomeForm {
        case whole
        /// Without requests and warnings.
        case short
        /// The topic takes nothing.
        case none

        var next: OutcomeForm { self == .whole ? .short : .none }
    }

    let topics: TopicNames
    let group: String
    let worker: String
    private var pending = NumberTable<Pending>()
    /// What is to be produced by now.
    private(set) var batch: RecordBatch

    /// Makes a writer that has nothing to write.
    ///
    /// - Parameters:
    ///   - topics: Where records go.
    ///   - group: The consumer group, for dead letters.
    ///   - worker: Version and host of the worker, for dead letters.
    ///   - instance: Tells our records in the ledger from those of a late writer.
    init(topics: TopicNames, group: String, worker: String, instance: String) {
        self.topics = topics
        self.group = group
        self.worker = worker
        batch = RecordBatch(
            ledger: KafkaRecordBatch(
                topic: topics.ledger,
                headers: [KafkaHeader(name: LedgerHeader.writer, text: instance)]
            ),
            outcomes: KafkaRecordBatch(topic: topics.outcomes)
        )
    }

    /// Forgets what was to be produced, as somebody has taken it.
    mutating func emptyBatch() { batch.removeAll() }

    /// Adds what is to be produced for an order.
    ///
    /// - Parameters:
    ///   - order: New, or one that failed before.
    ///   - partition: The number of the partition whose ledger it concerns.
    mutating func add(_ order: WriteOrder, partition: Int32) {
        var entry = pending.removeValue(at: order.id.number) ?? Pending(order: order, partition: partition)
        entry.order = order
        entry.failure = nil
        add(&entry)
        pending.insert(entry, at: order.id.number)
    }

    /// Produces what of an order is not confirmed and may go.
    private mutating func add(_ entry: inout Pending) {
        let order = entry.order
        if let ledger = order.ledger, !entry.confirmed.contains(.ledger) {
            add(ledger, partition: entry.partition, id: id(order.id, .ledger))
            entry.underWay.insert(.ledger)
            return
        }
        if let outcome = order.outcome, entry.outcome != .none, !entry.confirmed.contains(.outcome) {
            add(outcome, entry, id: id(order.id, .outcome))
            entry.underWay.insert(.outcome)
        }
        if let stage = order.deadLetter, let outcome = order.outcome, let original = order.original,
            entry.letter != .none, !entry.confirmed.contains(.deadLetter)
        {
            let letter = DeadLetter(outcome, stage: stage)
            add(letter, original, as: entry.letter, id: id(order.id, .deadLetter))
            entry.underWay.insert(.deadLetter)
        }
    }

    /// Takes delivery reports, and adds the records that have waited for them.
    ///
    /// - Parameter reports: Of records of ours.
    /// - Returns: What they say of the orders.
    mutating func reported(_ reports: [KafkaDeliveryReport]) -> WrittenRecords {
        var written = WrittenRecords()
        for report in reports {
            let writeID = WriteID(report.id / 4)
            guard var entry = pending.removeValue(at: writeID.number) else { continue }
            let part = Parts(ofReport: report.id)
            entry.underWay.remove(part)
            switch report.result {
            case .success(let place) where part == .ledger && place.offset < 0:
                // A broker that was away knows only that it has it; where it lies must be known to read it again.
                entry.failure = "\(topics.ledger) does not say where the record lies"
            case .success(let place):
                entry.confirmed.insert(part)
                if part == .ledger {
                    entry.ledgerOffset = place.offset
                    written.remembered.append(writeID)
                }
            case .failure(let error):
                entry.failure = error.description
                if error.isRefusedForGood {
                    if part == .deadLetter { entry.letter = entry.letter.next }
                    if part == .outcome { entry.outcome = entry.outcome.next }
                }
            }
            if entry.underWay.isEmpty, entry.failure == nil { add(&entry) }
            let isEnded = entry.underWay.isEmpty
            if !isEnded || entry.failure != nil { pending.insert(entry, at: writeID.number) }
            guard isEnded else { continue }
            written.ended.append(
                WriteResult(id: writeID, failure: entry.failure, ledgerOffset: entry.ledgerOffset)
            )
        }
        return written
    }

    /// Forgets the orders that the machine no longer waits for, because their partitions have left.
    mutating func forget(_ partitions: [PartitionID]) {
        pending.filter { !partitions.contains($0.order.partition) }
    }

    private func id(_ order: WriteID, _ part: Parts) -> UInt64 {
        order.number * 4 + part.reportBits
    }

    private mutating func add(_ ledger: LedgerWrite, partition: Int32, id: UInt64) {
        guard let record = ledger.record else {
            return batch.ledger.append(key: ledger.story, partition: partition, id: id, value: nil)
        }
        batch.ledger.append(key: ledger.story, partition: partition, id: id) { bytes in
            LedgerRecordCodec.append(record, of: ledger.story, to: &bytes)
        }
    }

    private mutating func add(_ outcome: OutcomeRecord, _ entry: Pending, id: UInt64) {
        var outcome = outcome
        if entry.outcome == .short {
            outcome.targets = []
            outcome.warnings = ["outcome.shortened"]
        }
        if entry.letter == .none {
            outcome.verdict.detail =
                "no dead letter: \(topics.deadLetters) refused it; "
                + (outcome.verdict.detail ?? "read the original where it stands")
        }
        let story = outcome.story
        batch.outcomes.append(key: story.isEmpty ? nil : story, id: id) { outcome.appendJSON(to: &$0) }
    }

    // MARK: - Dead letters

    private mutating func add(
        _ letter: DeadLetter,
        _ original: any OriginalRecord,
        as form: LetterForm,
        id: UInt64
    ) {
        switch (form, original as? KafkaMessage) {
        case (.none, _):
            return
        case (.whole, let message?):
            // From librdkafka to librdkafka. What an earlier dead-lettering wrote stays in front of ours: the last counts.
            let headers = headers(of: letter, redriven: message.headers)
            batch.forwarded.append(
                KafkaForwardedMessage(message, to: topics.deadLetters, addedHeaders: headers, id: id)
            )
        default:
            batch.letters.append(self.letter(letter, original.copy(), as: form, id: id))
        }
    }

    private func letter(_ letter: DeadLetter, _ original: RecordCopy, as form: LetterForm, id: UInt64) -> KafkaRecord {
        var letter = letter
        let origin = letter.outcome.origin
        if form != .whole {
            let reason = letter.outcome.verdict.detail?.prefixOfUTF8(700) ?? ""
            letter.outcome.verdict.detail =
                "\(reason); its \(original.byteCount) bytes are too much for this topic, read it where it stands: "
                + "\(origin.partition) offset \(origin.offset)"
        }
        let own = original.headers.map { KafkaHeader(name: $0.name, value: $0.value) }
        return KafkaRecord(
            topic: topics.deadLetters,
            key: form == .factsOnly ? Array(letter.outcome.story.utf8) : original.key,
            value: form == .whole ? original.value : form == .withoutValue ? nil : [],
            headers: (form == .factsOnly ? [] : own) + headers(of: letter, redriven: own),
            id: id
        )
    }

    private func headers(of letter: DeadLetter, redriven original: [KafkaHeader]) -> [KafkaHeader] {
        let redrives = original.last { $0.name == DeadLetter.headerPrefix + "redrives" }
            .flatMap(\.value)
            .flatMap { Int(String(decoding: $0, as: UTF8.self)) }
        return letter.headers(group: group, worker: worker, redrives: redrives ?? 0)
            .map { KafkaHeader(name: $0.name, text: $0.value) }
    }
}

/// What goes to the producers at once.
struct RecordBatch: Sendable {
    /// For the ledger, which goes first.
    var ledger: KafkaRecordBatch
    var outcomes: KafkaRecordBatch
    /// Dead letters of which not all is the original's.
    var letters: [KafkaRecord] = []
    /// Dead letters that are the original with more headers.
    var forwarded: [KafkaForwardedMessage] = []

    var isEmpty: Bool { ledger.isEmpty && outcomes.isEmpty && letters.isEmpty && forwarded.isEmpty }

    /// Takes all records out, and keeps the room for others.
    mutating func removeAll() {
        ledger.removeAll()
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

extension KafkaError {
    /// Whether the topic would refuse the same record again and again.
    fileprivate var isRefusedForGood: Bool {
        code == .messageTooLarge || code.rawValue == "INVALID_RECORD" || code.rawValue == "INVALID_MSG_SIZE"
            || code.rawValue == "INVALID_MSG"
    }
}
