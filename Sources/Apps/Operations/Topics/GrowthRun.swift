import NewsflashBasics
import NewsflashEvents
import NewsflashKafka
import NewsflashPublishing
import NewsflashTopicPartitions
import NewsflashWorker

/// Adds partitions to a source and its ledger, and moves the ledger's stories to the partitions of their future events.
///
/// Each step can be repeated: waiting events are written to the source before their story leaves its old partition, and a
/// story is written to its new partition before it is deleted in the old one.
struct GrowthRun: Sendable {
    let cluster: KafkaConfiguration
    let group: String
    let source: SourceSettings

    init(cluster: KafkaConfiguration, group: String, source: SourceSettings) {
        self.cluster = cluster
        self.group = group
        self.source = source
    }

    // MARK: The plan

    /// Makes a plan and changes nothing.
    ///
    /// - Parameters:
    ///   - sourceCount: The number of partitions of the source.
    ///   - ledgerCount: That of the ledger; `nil` if it has no records, because it is missing or not used.
    ///   - count: The number of partitions of both after growing.
    /// - Returns: The plan.
    /// - Throws: ``OperationError`` if the group or the ledger cannot be read.
    func plan(
        sourceCount: Int,
        ledgerCount: Int?,
        count: Int
    ) async throws(OperationError) -> GrowthPlan {
        var messages: [KafkaMessage] = []
        if ledgerCount != nil { messages = try await read([source.ledger], from: .earliest) { _ in true } }
        var plan = GrowthPlan(
            source: source.topic,
            ledger: source.ledger,
            sourceCount: sourceCount,
            ledgerCount: ledgerCount ?? count,
            count: count,
            stories: try LedgerContent.stories(in: messages)
        )
        plan.group = group
        guard !plan.isDone else { return plan }
        let grows = sourceCount < count || plan.ledgerCount < count
        let old = partitions(grows ? min(sourceCount, ledgerCount ?? sourceCount) : 0)
        plan.unread = try await asking("Describe on the group \(group)") { () async throws(KafkaError) -> Int64 in
            try await unread(try KafkaAdmin(cluster), old)
        }
        plan.members = try? await KafkaAdmin(cluster).memberCount(ofGroup: group)
        return plan
    }

    private func partitions(_ count: Int) -> [TopicPartition] {
        (0..<count).map { TopicPartition(topic: source.topic, partition: Int32(clamping: $0)) }
    }

    /// Reads records to the present ends of their partitions.
    private func read(
        _ topics: [String],
        from beginning: TopicScan.Beginning,
        keeping isWanted: @escaping @Sendable (KafkaMessage) -> Bool
    ) async throws(OperationError) -> [KafkaMessage] {
        let found = Locked<[KafkaMessage]>([])
        _ = try await TopicScan(cluster, topics: topics, from: beginning, to: .present).run { messages in
            let wanted = messages.filter(isWanted)
            found.withLock { $0 += wanted }
            return true
        }
        return found.withLock { $0 }
    }

    /// Does some work with Kafka, and names the right that it needs if it fails.
    private func asking<Value>(
        _ right: String,
        _ work: () async throws(KafkaError) -> Value
    ) async throws(OperationError) -> Value {
        do throws(KafkaError) {
            return try await work()
        } catch {
            throw OperationError(.unavailable, cluster, error, right: right)
        }
    }

    /// Throws if the group has members. Counts them, and then also commits the present offsets again, which brokers refuse
    /// while the group has members. A group without committed offsets can only be checked by counting.
    ///
    /// - Parameter plan: The plan of the growth.
    /// - Throws: ``OperationError`` if the group has members, or cannot be asked.
    func requireStoppedWorkers(_ plan: GrowthPlan) async throws(OperationError) {
        let hasNoMembers = try await asking("Read on the group \(group)") { () async throws(KafkaError) -> Bool in
            try await isAlone(try KafkaAdmin(cluster), plan.sourceCount)
        }
        guard hasNoMembers else {
            throw OperationError(
                .foundProblems,
                "workers of the group \(group) are running: stop all of them first. Nothing was changed"
            )
        }
    }

    private func isAlone(_ admin: KafkaAdmin, _ count: Int) async throws(KafkaError) -> Bool {
        let committed = try await admin.committedOffsets(ofGroup: group, partitions: partitions(count))
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

    /// The number of records after the committed offsets of the group.
    private func unread(
        _ admin: KafkaAdmin,
        _ partitions: [TopicPartition]
    ) async throws(KafkaError) -> Int64 {
        let committed = try await admin.committedOffsets(ofGroup: group, partitions: partitions)
        var unread: Int64 = 0
        for (partition, ends) in try await admin.watermarks(of: partitions) {
            unread += max(0, ends.high - max(ends.low, committed[partition] ?? ends.low))
        }
        return unread
    }
}

extension GrowthRun {
    /// Carries out a plan.
    ///
    /// - Parameter plan: A plan that was made after the workers had stopped.
    /// - Throws: ``OperationError`` if a step fails. Finished steps stay, and the next run continues after them.
    func carryOut(_ plan: GrowthPlan) async throws(OperationError) {
        let growing = [(source.topic, plan.sourceCount), (source.ledger, plan.ledgerCount)].filter { $0.1 < plan.count }
        for (topic, _) in growing {
            try await asking("Alter on the topic \(topic)") { () throws(KafkaError) in
                try await KafkaAdmin(cluster).growTopic(topic, to: plan.count)
            }
        }
        try await asking("Describe on the topic \(source.topic)") { () throws(KafkaError) in
            let growth = Dictionary(growing.map { ($0.0, plan.count) }) { $1 }
            guard try await KafkaAdmin(cluster).areListed(growth) else {
                throw KafkaError(.timedOut, "the new partitions have no leader yet")
            }
        }
        try await asking("Read on the group \(group)") { () throws(KafkaError) in
            try await beginNewPartitions(plan.count)
        }
        let words = try await words(of: plan.moves)
        let steps = [
            plan.moves.flatMap(waitingAgain), plan.moves.map { arrival($0, words) }, plan.moves.map(departure),
        ]
        try await SlowOperationNotice.noting("moving stories of \(source.ledger)") { () throws(OperationError) in
            try await asking("Write on the topics \(source.topic) and \(source.ledger)") { () throws(KafkaError) in
                try await write(steps)
            }
        }
    }

    /// Writes records, each step after the one before is confirmed.
    private func write(_ steps: [[KafkaRecord]]) async throws(KafkaError) {
        let producer = try KafkaProducer(KafkaProducerConfiguration(client: cluster))
        for records in steps {
            for result in await producer.send(records) { _ = try result.get() }
        }
        await producer.close()
    }

    // MARK: Partitions

    /// Commits the first offset of new partitions, so that the group starts there whatever `kafka.startAt` is.
    private func beginNewPartitions(_ count: Int) async throws(KafkaError) {
        let admin = try KafkaAdmin(cluster)
        let partitions = partitions(count)
        let committed = try await admin.committedOffsets(ofGroup: group, partitions: partitions)
        let watermarks = try await admin.watermarks(of: partitions.filter { committed[$0] == nil })
        try await admin.alterOffsets(ofGroup: group, to: watermarks.mapValues(\.low))
    }

    // MARK: Words

    /// Reads the texts that stories refer to by an offset in the source, because the offset is not valid in the new partition.
    private func words(of moves: [GrowthPlan.Move]) async throws(OperationError) -> [String: [EventText]] {
        var wanted: [TopicPartition: Set<Int64>] = [:]
        for move in moves where move.record.text.isEmpty {
            guard let offset = move.record.wordsOffset else { continue }
            wanted[TopicPartition(topic: source.topic, partition: move.from), default: []].insert(offset)
        }
        guard !wanted.isEmpty else { return [:] }
        let beginnings = wanted.compactMapValues { $0.min() }
        let messages = try await read([source.topic], from: .offsets(beginnings)) { [wanted] message in
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
