import Kafka
import Publishing

/// Turns write orders into Kafka records, and delivery reports back into results.
///
/// An order has one record for the outcomes and, for a dead letter, one more. It has ended when all its records are
/// confirmed or one has failed; written again after a failure, only what is not confirmed goes out once more.
struct RecordWriter {
    private struct Pending {
        var order: WriteOrder
        var confirmed: Parts = []
        var underWay: Parts = []
        var failure: String?
        /// Whether the dead letter topic does not take the original, however often it is tried.
        var isTooLarge = false
    }

    /// The records of an order, as bits: a set for each event would cost allocations.
    private struct Parts: OptionSet {
        let rawValue: UInt64

        static let outcome = Parts(rawValue: 1)
        static let deadLetter = Parts(rawValue: 2)

        /// What a report speaks of: the lowest bit of its number tells.
        init(ofReport id: UInt64) {
            self = id & 1 == 0 ? .outcome : .deadLetter
        }

        init(rawValue: UInt64) {
            self.rawValue = rawValue
        }
    }

    let topics: TopicNames
    let group: String
    let worker: String
    private var pending: [WriteID: Pending] = [:]

    init(topics: TopicNames, group: String, worker: String) {
        self.topics = topics
        self.group = group
        self.worker = worker
    }

    /// What to produce for an order.
    ///
    /// - Parameters:
    ///   - order: New, or one that failed before.
    ///   - original: The record that the order is about, for its dead letter.
    ///   - batch: Takes the records.
    mutating func add(_ order: WriteOrder, original: KafkaMessage?, to batch: inout RecordBatch) {
        var entry = pending[order.id] ?? Pending(order: order)
        entry.failure = nil
        if !entry.confirmed.contains(.outcome) {
            batch.records.append(outcome(order.outcome, id: id(order.id, .outcome)))
            entry.underWay.insert(.outcome)
        }
        if let deadLetter = order.deadLetter, let original, !entry.confirmed.contains(.deadLetter) {
            let id = id(order.id, .deadLetter)
            if entry.isTooLarge {
                batch.records.append(letterWithoutValue(deadLetter, original, id: id))
            } else {
                batch.deadLetters.append(self.deadLetter(deadLetter, original, id: id))
            }
            entry.underWay.insert(.deadLetter)
        }
        pending[order.id] = entry
    }

    /// A record that nobody waits for: its report is passed over.
    func addAnnouncement(_ outcome: OutcomeRecord, to batch: inout RecordBatch) {
        batch.records.append(self.outcome(outcome, id: 0))
    }

    /// Takes delivery reports.
    ///
    /// - Returns: The orders that have ended by them.
    mutating func reported(_ reports: [KafkaDeliveryReport]) -> [WriteResult] {
        reports.compactMap { report in
            let writeID = WriteID(report.id / 2)
            guard var entry = pending[writeID] else { return nil }
            let part = Parts(ofReport: report.id)
            entry.underWay.remove(part)
            switch report.result {
            case .success: entry.confirmed.insert(part)
            case .failure(let error):
                entry.failure = error.description
                if part == .deadLetter, error.code == .messageTooLarge { entry.isTooLarge = true }
            }
            guard entry.underWay.isEmpty else {
                pending[writeID] = entry
                return nil
            }
            pending[writeID] = entry.failure == nil ? nil : entry
            return WriteResult(id: writeID, failure: entry.failure)
        }
    }

    /// Forgets the orders that the machine no longer waits for, because their partitions have left.
    mutating func forget(unless isAwaited: (WriteID) -> Bool) {
        pending = pending.filter { isAwaited($0.key) }
    }

    private func id(_ order: WriteID, _ part: Parts) -> UInt64 {
        order.number * 2 + (part == .deadLetter ? 1 : 0)
    }

    private func outcome(_ outcome: OutcomeRecord, id: UInt64) -> KafkaRecord {
        KafkaRecord(
            topic: topics.outcomes,
            key: outcome.story.isEmpty ? nil : Array(outcome.story.utf8),
            value: outcome.json,
            id: id
        )
    }

    /// The original as it was, with our headers behind its own.
    ///
    /// What an earlier dead-lettering wrote stays in front of ours: the last of a name counts.
    private func deadLetter(_ deadLetter: DeadLetter, _ original: KafkaMessage, id: UInt64) -> KafkaForwardedMessage {
        KafkaForwardedMessage(
            original,
            to: topics.deadLetters,
            addedHeaders: headers(of: deadLetter, original),
            id: id
        )
    }

    /// A dead letter for an original that does not fit into the topic: all but its value, and where that stands.
    ///
    /// Without it one record could keep its partition from being committed for ever.
    private func letterWithoutValue(_ deadLetter: DeadLetter, _ original: KafkaMessage, id: UInt64) -> KafkaRecord {
        var deadLetter = deadLetter
        let reason = deadLetter.outcome.verdict.detail?.prefixOfUTF8(700) ?? ""
        deadLetter.outcome.verdict.detail =
            "\(reason); the value of \(original.byteCount) bytes is too large for this topic, read it where it stands: "
            + "\(original.topicPartition) offset \(original.offset)"
        return KafkaRecord(
            topic: topics.deadLetters,
            key: original.key,
            value: nil,
            headers: original.headers + headers(of: deadLetter, original),
            id: id
        )
    }

    private func headers(of deadLetter: DeadLetter, _ original: KafkaMessage) -> [KafkaHeader] {
        let redrives = original.headers.last { $0.name == DeadLetter.headerPrefix + "redrives" }
            .flatMap(\.value)
            .flatMap { Int(String(decoding: $0, as: UTF8.self)) }
        return deadLetter.headers(group: group, worker: worker, redrives: redrives ?? 0)
            .map { KafkaHeader(name: $0.name, text: $0.value) }
    }
}

/// What goes to the producer at once.
struct RecordBatch {
    var records: [KafkaRecord] = []
    var deadLetters: [KafkaForwardedMessage] = []

    var isEmpty: Bool { records.isEmpty && deadLetters.isEmpty }
}
