import Kafka
import NewsEvents
import Publishing
import Worker

extension GrowthRun {
    /// Carries out a plan.
    ///
    /// - Parameter plan: A plan that was made just before.
    /// - Throws: ``CommandError`` if a step fails. Finished steps stay, and the next run continues after them.
    func carryOut(_ plan: GrowthPlan) async throws(CommandError) {
        do throws(KafkaError) {
            let admin = try KafkaAdmin(cluster)
            if plan.sourceCount < plan.count { try await admin.growTopic(source.topic, to: plan.count) }
            if plan.ledgerCount < plan.count { try await admin.growTopic(source.ledger, to: plan.count) }
            try await awaitPartitions(admin, plan.count)
            try await beginNewPartitions(admin, plan.count)
            let words = try await words(of: plan.moves)
            let producer = try KafkaProducer(KafkaProducerConfiguration(client: cluster))
            let steps = [
                plan.moves.flatMap(waitingAgain), plan.moves.map { arrival($0, words) }, plan.moves.map(departure),
            ]
            for records in steps {
                for result in await producer.send(records) { _ = try result.get() }
            }
            await producer.close()
        } catch {
            throw CommandError(.unavailable, "\(error). Finished steps stay: run the command again to continue")
        }
    }

    // MARK: Partitions

    /// Waits until the brokers list the new partitions with leaders, which takes longer than at the controller.
    private func awaitPartitions(_ admin: KafkaAdmin, _ count: Int) async throws(KafkaError) {
        for _ in 0..<60 {
            let topics = try await admin.topics().filter { [source.topic, source.ledger].contains($0.name) }
            let isThere = topics.allSatisfy { topic in
                topic.partitions.count == count && !topic.partitions.contains { $0.leader == nil }
            }
            if isThere { return }
            do { try await Task.sleep(for: .milliseconds(250)) } catch { break }
        }
        throw KafkaError(.timedOut, "the new partitions have no leader yet")
    }

    /// Commits the first offset of new partitions, so that the group starts there whatever `kafka.startAt` is.
    private func beginNewPartitions(_ admin: KafkaAdmin, _ count: Int) async throws(KafkaError) {
        let partitions = (0..<count).map {
            KafkaTopicPartition(topic: source.topic, partition: Int32(clamping: $0))
        }
        let committed = try await admin.committedOffsets(ofGroup: group, partitions: partitions)
        var beginnings: [KafkaTopicPartition: Int64] = [:]
        for partition in partitions where committed[partition] == nil {
            beginnings[partition] = try await admin.watermarks(of: partition).low
        }
        try await admin.alterOffsets(ofGroup: group, to: beginnings)
    }

    // MARK: Words

    /// Reads the texts that stories refer to by an offset in the source, because the offset is not valid in the new partition.
    private func words(of moves: [GrowthPlan.Move]) async throws(KafkaError) -> [String: [EventText]] {
        var wanted: [KafkaTopicPartition: Set<Int64>] = [:]
        for move in moves where move.record.text.isEmpty {
            guard let offset = move.record.wordsOffset else { continue }
            wanted[KafkaTopicPartition(topic: source.topic, partition: move.from), default: []].insert(offset)
        }
        let beginnings = wanted.compactMapValues { offsets in offsets.min().map(KafkaOffset.at) }
        let messages = try await WholePartitions.read(beginnings, in: cluster) { [wanted] message in
            wanted[message.topicPartition]?.contains(message.offset) == true
        }
        let decoder = source.decoder
        var words: [String: [EventText]] = [:]
        for message in messages {
            let headers = message.headers.map { EventHeader(name: $0.name, value: $0.value) }
            guard case .event(let event, warnings: _) = decoder.decode(bytes: message.value, headers: headers) else {
                continue
            }
            words[event.storyKey] = event.text
        }
        return words
    }

    // MARK: Records

    private func waitingAgain(_ move: GrowthPlan.Move) -> [KafkaRecord] {
        move.record.waiting.map { event in
            KafkaRecord(
                topic: source.topic,
                key: event.key,
                value: event.value,
                headers: event.headers.map { KafkaHeader(name: $0.name, value: $0.value) }
            )
        }
    }

    private func arrival(_ move: GrowthPlan.Move, _ words: [String: [EventText]]) -> KafkaRecord {
        var record = move.record.moved(words: words[move.story])
        if let known = move.known {
            record.merge(known)
        }
        return KafkaRecord(
            topic: source.ledger,
            partition: move.to,
            key: Array(move.story.utf8),
            value: LedgerRecordCodec.encode(record, of: move.story)
        )
    }

    private func departure(_ move: GrowthPlan.Move) -> KafkaRecord {
        KafkaRecord(topic: source.ledger, partition: move.from, key: Array(move.story.utf8), value: nil)
    }
}
