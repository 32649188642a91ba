package import Kafka
import NewsEvents
package import Publishing
import TopicPartitions
package import Worker

/// Adds partitions to a source and its ledger, and moves the ledger's stories to the partitions of their future events.
///
/// Each step can be repeated: waiting events are written to the source before their story leaves its old partition, and a
/// story is written to its new partition before it is deleted in the old one.
package struct GrowthRun: Sendable {
    package let cluster: KafkaConfiguration
    package let group: String
    package let source: SourceSettings

    package init(cluster: KafkaConfiguration, group: String, source: SourceSettings) {
        self.cluster = cluster
        self.group = group
        self.source = source
    }

    // MARK: The plan

    /// Makes a plan and changes nothing.
    ///
    /// - Parameters:
    ///   - count: The new number of partitions; `nil` for that of the source.
    ///   - ignoresUnread: Whether unread events are allowed.
    /// - Returns: The plan.
    /// - Throws: ``OperationError`` if growing is not possible now.
    package func plan(count: Int?, ignoresUnread: Bool) async throws(OperationError) -> GrowthPlan {
        let (sourceCount, ledgerCount) = try await counts()
        let count = count ?? sourceCount
        guard count >= max(sourceCount, ledgerCount) else {
            throw OperationError(
                .foundProblems,
                "partitions cannot be removed: \(source.topic) has \(sourceCount), \(source.ledger) \(ledgerCount)"
            )
        }
        let messages: [KafkaMessage]
        let unread: Int64
        do throws(KafkaError) {
            let admin = try KafkaAdmin(cluster)
            guard try await isAlone(admin, sourceCount) else { throw Self.notAlone(group) }
            let old = ledgerCount < count && !ignoresUnread ? min(sourceCount, ledgerCount) : 0
            unread = try await self.unread(admin, partitions(old, of: source.topic))
            let beginnings = partitions(ledgerCount, of: source.ledger).map { ($0, KafkaOffset.beginning) }
            messages = try await WholePartitions.read(Dictionary(beginnings) { $1 }, in: cluster)
        } catch {
            throw error.code == .rebalanceInProgress
                ? OperationError(.foundProblems, error.message) : OperationError(.unavailable, cluster, error)
        }
        guard unread == 0 else {
            throw OperationError(
                .foundProblems,
                "\(counted(Int(unread), "event")) of \(source.topic) not read yet, and their stories may move to other "
                    + "partitions: let the workers read all, stop them, and run this again. If no worker can start, "
                    + "use --ignore-unread; then some of these events may be sent twice"
            )
        }
        let plan = GrowthPlan(
            source: source.topic,
            ledger: source.ledger,
            sourceCount: sourceCount,
            ledgerCount: ledgerCount,
            count: count,
            stories: try LedgerContent.stories(in: messages)
        )
        guard plan.strangers.isEmpty else {
            throw OperationError(
                .foundProblems,
                "\(counted(plan.strangers.count, "record")) of the ledger are not in the partition of their story's key, such "
                    + "as that of '\(plan.strangers[0])': events are not keyed by story, or their producer does not "
                    + "use Kafka's own partitioner, so the new partitions of stories are unknown. Nothing was changed"
            )
        }
        return plan
    }

    private func counts() async throws(OperationError) -> (source: Int, ledger: Int) {
        let events = NeededTopic(role: .source, name: source.topic)
        let memory = NeededTopic(role: .ledger, name: source.ledger, source: source.topic)
        let present = try await TopicSurvey.present([events, memory], at: cluster, withSettings: false)
        for topic in present where topic.topic == nil {
            throw OperationError(
                .foundProblems,
                "\(topic.needed.name) is missing: make it with 'newsflash topics create'"
            )
        }
        return (present[0].topic?.partitions.count ?? 0, present[1].topic?.partitions.count ?? 0)
    }

    private func partitions(_ count: Int, of topic: String) -> [TopicPartition] {
        (0..<count).map { TopicPartition(topic: topic, partition: Int32(clamping: $0)) }
    }

    /// Whether the group has no members. Counts them, and then also commits the present offsets again, which brokers refuse
    /// while the group has members. A group without committed offsets can only be checked by counting.
    private func isAlone(_ admin: KafkaAdmin, _ count: Int) async throws(KafkaError) -> Bool {
        let committed = try await admin.committedOffsets(
            ofGroup: group,
            partitions: partitions(count, of: source.topic)
        )
        do throws(KafkaError) {
            if try await admin.memberCount(ofGroup: group) > 0 { return false }
        } catch {
            // Test clusters do not support this request.
            if committed.isEmpty, error.meansForbidden || error.meansUnreachable { throw error }
        }
        do throws(KafkaError) {
            // The same offsets, so nothing changes.
            try await admin.alterOffsets(ofGroup: group, to: committed)
            return true
        } catch {
            guard ["UNKNOWN_MEMBER_ID", "NON_EMPTY_GROUP", "REBALANCE_IN_PROGRESS"].contains(error.code.rawValue) else {
                throw error
            }
            return false
        }
    }

    private static func notAlone(_ group: String) -> KafkaError {
        KafkaError(
            .rebalanceInProgress,
            "workers of the group \(group) are running: stop all of them first. Nothing was changed"
        )
    }

    /// The number of records after the committed offsets of the group.
    private func unread(
        _ admin: KafkaAdmin,
        _ partitions: [TopicPartition]
    ) async throws(KafkaError) -> Int64 {
        let committed = try await admin.committedOffsets(ofGroup: group, partitions: partitions)
        var unread: Int64 = 0
        for partition in partitions {
            let ends = try await admin.watermarks(of: partition)
            unread += max(0, ends.high - max(ends.low, committed[partition] ?? ends.low))
        }
        return unread
    }
}

extension GrowthRun {
    /// Carries out a plan.
    ///
    /// - Parameter plan: A plan that was made just before.
    /// - Throws: ``OperationError`` if a step fails. Finished steps stay, and the next run continues after them.
    package func carryOut(_ plan: GrowthPlan) async throws(OperationError) {
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
            throw OperationError(.unavailable, "\(error). Finished steps stay: run the command again to continue")
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
            TopicPartition(topic: source.topic, partition: Int32(clamping: $0))
        }
        let committed = try await admin.committedOffsets(ofGroup: group, partitions: partitions)
        var beginnings: [TopicPartition: Int64] = [:]
        for partition in partitions where committed[partition] == nil {
            beginnings[partition] = try await admin.watermarks(of: partition).low
        }
        try await admin.alterOffsets(ofGroup: group, to: beginnings)
    }

    // MARK: Words

    /// Reads the texts that stories refer to by an offset in the source, because the offset is not valid in the new partition.
    private func words(of moves: [GrowthPlan.Move]) async throws(KafkaError) -> [String: [EventText]] {
        var wanted: [TopicPartition: Set<Int64>] = [:]
        for move in moves where move.record.text.isEmpty {
            guard let offset = move.record.wordsOffset else { continue }
            wanted[TopicPartition(topic: source.topic, partition: move.from), default: []].insert(offset)
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

/// All stories in a ledger, each with its partition.
package enum LedgerContent {
    /// Decodes the records of a ledger.
    ///
    /// - Parameter messages: The messages, in order within each partition.
    /// - Returns: The stories that are not deleted.
    /// - Throws: ``OperationError`` with the position of a record that cannot be decoded.
    package static func stories(
        in messages: [KafkaMessage]
    ) throws(OperationError) -> [(story: String, record: StoryFacts, partition: Int32)] {
        var latest: [Int32: [String: StoryFacts]] = [:]
        for message in messages {
            guard let key = message.key, !LedgerOwner.isKey(key.span) else { continue }
            let story = String(decoding: key, as: UTF8.self)
            guard let value = message.value else {
                latest[message.partition]?[story] = nil
                continue
            }
            do throws(LedgerRecordError) {
                var record = try LedgerRecordCodec.decode(value.span).record
                // A late writer may have written an older record after a newer one.
                if let known = latest[message.partition]?[story], known.processed.through > record.processed.through {
                    record.merge(known)
                }
                latest[message.partition, default: [:]][story] = record
            } catch {
                throw OperationError(
                    .foundProblems,
                    "\(message.topicPartition): the record at offset \(message.offset) is damaged: \(error). Nothing "
                        + "was changed: first write a tombstone for its key (runbook NewsflashPartitionStuck), and wait for "
                        + "compaction"
                )
            }
        }
        return latest.flatMap { partition, stories in stories.map { ($0.key, $0.value, partition) } }
    }
}
