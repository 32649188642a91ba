import Kafka
import Publishing

/// Encodes outcomes and dead letters, in shorter forms if their topics refuse them.
struct RecordBuilder: Sendable {
    let topics: TopicNames
    /// The consumer group.
    let group: String
    /// Version and host of the worker, for dead letters.
    let worker: String

    /// Adds the unconfirmed records of a write.
    func add(_ entry: inout OutcomeWriter.Pending, to batch: inout OutcomeWriter.Batch) {
        let write = entry.write
        if entry.outcome != .none, !entry.isOutcomeConfirmed {
            add(write.outcome, entry, to: &batch.outcomes)
            entry.left += 1
        }
        if let stage = write.deadLetter, let original = write.original, entry.letter != .none, !entry.isLetterConfirmed
        {
            add(DeadLetter(write.outcome, stage: stage), original, entry, to: &batch)
            entry.left += 1
        }
    }

    private func add(_ outcome: OutcomeRecord, _ entry: OutcomeWriter.Pending, to batch: inout KafkaRecordBatch) {
        guard entry.outcome == .short || entry.letter == .none else { return write(outcome, entry, to: &batch) }
        var outcome = outcome
        if entry.outcome == .short {
            outcome.targets = []
            outcome.warnings = ["outcome.shortened"]
        }
        if entry.letter == .none {
            outcome.verdict.detail =
                "no dead letter: \(topics.deadLetters) refused it; "
                + (outcome.verdict.detail ?? "read the original at its offset")
        }
        write(outcome, entry, to: &batch)
    }

    private func write(_ outcome: OutcomeRecord, _ entry: OutcomeWriter.Pending, to batch: inout KafkaRecordBatch) {
        let key = outcome.story.isEmpty ? nil : outcome.story
        batch.append(key: key, id: DeliveryID(outcome: entry.write.id).number) {
            outcome.appendJSON(to: &$0, by: group)
        }
    }

    // MARK: - Dead letters

    private func add(
        _ letter: DeadLetter,
        _ original: any OriginalRecord,
        _ entry: OutcomeWriter.Pending,
        to batch: inout OutcomeWriter.Batch
    ) {
        let id = DeliveryID(deadLetter: entry.write.id).number
        switch (entry.letter, original as? KafkaMessage) {
        case (.none, _):
            return
        case (.whole, let message?):
            // Forwarded without a copy. Headers of an earlier dead letter stay before ours, because the last one counts.
            let headers = headers(of: letter, redriven: message.headers)
            batch.forwarded.append(
                KafkaForwardedMessage(message, to: topics.deadLetters, addedHeaders: headers, id: id)
            )
        default:
            batch.letters.append(self.letter(letter, original.copy(), as: entry.letter, id: id))
        }
    }

    private func letter(
        _ letter: DeadLetter,
        _ original: RecordCopy,
        as form: OutcomeWriter.DeadLetterDetail,
        id: UInt64
    )
        -> KafkaRecord
    {
        var letter = letter
        let origin = letter.outcome.origin
        if form != .whole {
            let reason = letter.outcome.verdict.detail?.prefixOfUTF8(700) ?? ""
            letter.outcome.verdict.detail =
                "\(reason); its \(original.byteCount) bytes are too many for this topic, read it in "
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
