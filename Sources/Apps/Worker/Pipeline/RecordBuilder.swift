import NewsflashKafka
import NewsflashPublishing

/// Encodes outcomes and dead letters, in shorter forms if their topics refuse them.
struct RecordBuilder: Sendable {
    let topics: TopicNames
    /// The consumer group.
    let group: String
    /// Version and host of the worker, for dead letters.
    let worker: String

    /// Adds records of a write.
    func add(_ records: OutcomeQueue.Records, to batch: inout OutcomeWriter.Batch) {
        let write = records.write
        if let form = records.outcome {
            add(outcome(of: records, as: form), of: write.id, to: &batch.outcomes)
        }
        if let form = records.deadLetter, let stage = write.deadLetter, let original = write.original {
            add(DeadLetter(write.outcome, stage: stage), original, as: form, of: write.id, to: &batch)
        }
    }

    private func outcome(of records: OutcomeQueue.Records, as form: OutcomeQueue.OutcomeForm) -> OutcomeRecord {
        var outcome = records.write.outcome
        if form == .short {
            outcome.targets = []
            outcome.warnings = ["outcome.shortened"]
        }
        if records.isDeadLetterRefused {
            outcome.verdict.detail =
                "no dead letter: \(topics.deadLetters) refused it; "
                + (outcome.verdict.detail ?? "read the original at its offset")
        }
        return outcome
    }

    private func add(_ outcome: OutcomeRecord, of id: WriteID, to batch: inout KafkaRecordBatch) {
        let key = outcome.story.isEmpty ? nil : outcome.story
        batch.append(key: key, id: DeliveryID(outcome: id).number) { outcome.appendJSON(to: &$0, by: group) }
    }

    // MARK: - Dead letters

    private func add(
        _ letter: DeadLetter,
        _ original: any OriginalRecord,
        as form: OutcomeQueue.DeadLetterForm,
        of write: WriteID,
        to batch: inout OutcomeWriter.Batch
    ) {
        let id = DeliveryID(deadLetter: write).number
        switch (form, original as? KafkaMessage) {
        case (.whole, let message?):
            // Forwarded without a copy. Headers of an earlier dead letter stay before ours, because the last one counts.
            let headers = headers(of: letter, redriven: message.headers)
            batch.forwarded.append(
                KafkaForwardedMessage(message, to: topics.deadLetters, addedHeaders: headers, id: id)
            )
        default:
            batch.letters.append(self.letter(letter, original.copy(), as: form, id: id))
        }
    }

    private func letter(
        _ letter: DeadLetter,
        _ original: RecordCopy,
        as form: OutcomeQueue.DeadLetterForm,
        id: UInt64
    ) -> KafkaRecord {
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
