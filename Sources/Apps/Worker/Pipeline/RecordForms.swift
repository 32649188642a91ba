import Kafka
import Publishing

/// How the records of orders look, and what is left of them when their topics refuse them.
struct RecordForms: Sendable {
    let sources: [SourceSettings]
    let topics: TopicNames
    /// The consumer group, for dead letters.
    let group: String
    /// Version and host of the worker, for dead letters.
    let worker: String

    /// Which of the ledgers knows the stories of a partition.
    func ledger(of source: SourcePartition) -> Int {
        guard sources.count > 1 else { return 0 }
        return sources.firstIndex { $0.topic == source.topic } ?? 0
    }

    /// Adds what of an order is not confirmed and may go.
    func add(_ entry: inout PendingOrder, to batch: inout RecordBatch, ledger queue: inout LedgerQueue) {
        if entry.order.ledger != nil, !entry.confirmed.contains(.ledger) {
            entry.underWay.insert(.ledger)
            let id = entry.id(.ledger)
            entry.order.ledger?.add(to: &queue.batch, partition: entry.partition, id: id)
            return
        }
        guard let outcome = entry.order.outcome else { return }
        if entry.outcome != .none, !entry.confirmed.contains(.outcome) {
            add(outcome, entry, to: &batch.outcomes)
            entry.underWay.insert(.outcome)
        }
        if let stage = entry.order.deadLetter, let original = entry.order.original, entry.letter != .none,
            !entry.confirmed.contains(.deadLetter)
        {
            add(DeadLetter(outcome, stage: stage), original, entry, to: &batch)
            entry.underWay.insert(.deadLetter)
        }
    }

    /// Whether something of an order is not confirmed and may go.
    func isMore(of entry: PendingOrder) -> Bool {
        if entry.order.ledger != nil, !entry.confirmed.contains(.ledger) { return true }
        guard entry.order.outcome != nil else { return false }
        return entry.outcome != .none && !entry.confirmed.contains(.outcome)
            || entry.order.deadLetter != nil && entry.order.original != nil && entry.letter != .none
                && !entry.confirmed.contains(.deadLetter)
    }

    private func add(_ outcome: OutcomeRecord, _ entry: PendingOrder, to batch: inout KafkaRecordBatch) {
        guard entry.outcome == .short || entry.letter == .none else { return write(outcome, entry, to: &batch) }
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
        write(outcome, entry, to: &batch)
    }

    private func write(_ outcome: OutcomeRecord, _ entry: PendingOrder, to batch: inout KafkaRecordBatch) {
        let key = outcome.story.isEmpty ? nil : outcome.story
        batch.append(key: key, id: entry.id(.outcome)) { outcome.appendJSON(to: &$0) }
    }

    // MARK: - Dead letters

    private func add(
        _ letter: DeadLetter,
        _ original: any OriginalRecord,
        _ entry: PendingOrder,
        to batch: inout RecordBatch
    ) {
        let id = entry.id(.deadLetter)
        switch (entry.letter, original as? KafkaMessage) {
        case (.none, _):
            return
        case (.whole, let message?):
            // From librdkafka to librdkafka. What an earlier dead-lettering wrote stays in front of ours: the last counts.
            let headers = headers(of: letter, redriven: message.headers)
            batch.forwarded.append(
                KafkaForwardedMessage(message, to: topics.deadLetters, addedHeaders: headers, id: id)
            )
        default:
            batch.letters.append(self.letter(letter, original.copy(), as: entry.letter, id: id))
        }
    }

    private func letter(_ letter: DeadLetter, _ original: RecordCopy, as form: PendingOrder.LetterForm, id: UInt64)
        -> KafkaRecord
    {
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

extension LedgerWrite {
    /// Adds the record of the story, or a tombstone where it is forgotten.
    fileprivate func add(to batch: inout KafkaRecordBatch, partition: Int32, id: UInt64) {
        guard record != nil else { return batch.appendTombstone(key: story, partition: partition, id: id) }
        batch.append(key: story, partition: partition, id: id) { record?.append(to: &$0, of: story) }
    }
}

extension StoryRecord {
    fileprivate func append(to bytes: inout [UInt8], of story: String) {
        LedgerRecordCodec.append(self, of: story, to: &bytes)
    }
}
