import CNewsflashRDKafka
import NewsflashTopicPartitions

extension ConsumerLoop {
    /// How long the consumer's thread itself waits for the coordinator before partitions are assigned.
    private static let firstLimit = Duration.seconds(1)

    /// Fills in the offsets that the group has committed, before partitions are assigned.
    ///
    /// librdkafka asks for them only once by itself, and may never read a partition for which it got no answer; see
    /// ``StartOffsetSearch``. So it gets no partition without an offset: unknown offsets are requested again while the other
    /// partitions are read. A start is set even if the group has no offset, because librdkafka 2.0.2 waits half a second before
    /// it resets one.
    ///
    /// - Parameter list: The partitions that are about to be assigned; explicit offsets stay, and partitions without a known
    ///   offset are removed.
    func fillInCommittedOffsets(_ list: borrowing TopicPartitionList) {
        let unknown = list.entries.filter {
            [KafkaOffset.committed.number, TopicPartitionList.noOffset].contains($0.offset)
        }
        guard !unknown.isEmpty else { return }
        let question = unknown.map(\.partition)
        let limit = min(Self.firstLimit, consumer.configuration.revokeDeadline)
        let answer = client.committedOffsets(of: question, limit: limit)
        search.begin(question.filter { answer.offsets[$0] == nil }, at: .now)
        let starts = starts(from: answer.offsets)
        for partition in question {
            if let start = starts[partition] { list.set(start, of: partition) } else { list.remove(partition) }
        }
    }

    /// Handles answers with start offsets, unless the group is changing, and asks again if it is time to.
    func searchStartOffsets() {
        let now = ContinuousClock.now
        var answers: [StartOffsetSearch.Answer] = []
        if mayAssign { consumer.withState { swap(&answers, &$0.startAnswers) } }
        for answer in answers {
            let (found, error) = search.answered(answer, at: now)
            if let error { delegate.kafkaConsumer(consumer, didFail: error) }
            let starts = starts(from: found)
            guard !starts.isEmpty else { continue }
            guard areAllPositionsKnown else {
                search.begin(starts.keys, at: now)
                continue
            }
            recordStarts(starts)
            read(starts)
        }
        guard let question = search.question(at: now) else { return }
        scheduleBlocking { [consumer, client, wakeUp] in
            let answer = client.committedOffsets(of: question, limit: StartOffsetSearch.limit)
            consumer.withState { $0.startAnswers.append(answer) }
            wakeUp.signal()
        }
    }

    /// Whether librdkafka accepts more partitions in addition to its assignment. Otherwise only the whole assignment can be
    /// replaced.
    var mayAdd: Bool { isCooperative && consumer.membership.groupState.phase != .outside }

    /// Whether the partitions that are being read could continue if the whole assignment were replaced. A partition that began
    /// at its end has no position at first.
    var areAllPositionsKnown: Bool {
        let running = readPartitions
        return mayAdd || consumer.withState { state in running.allSatisfy { state.progress[$0]?.position != nil } }
    }

    /// Returns the start offsets of the partitions that can begin now.
    private func starts(from committed: [TopicPartition: Int64]) -> [TopicPartition: Int64] {
        var starts: [TopicPartition: Int64] = [:]
        for (partition, offset) in committed { starts[partition] = start(at: offset, of: partition) }
        guard !mayAdd, !search.partitions.isEmpty else { return starts }
        // A partition that began at its end has no position from which it could continue when the whole assignment is replaced.
        let late = starts.filter { $0.value == KafkaOffset.end.number }.keys
        search.begin(late, at: .now)
        return starts.filter { !late.contains($0.key) }
    }

    /// Returns the start offset of a partition.
    ///
    /// - Parameters:
    ///   - committed: The offset that the group has committed; negative if it has none.
    ///   - partition: A partition of this member.
    /// - Returns: `nil` if no rule determines the start, which is reported.
    private func start(at committed: Int64, of partition: TopicPartition) -> Int64? {
        guard committed < 0 else { return committed }
        switch consumer.configuration.offsetReset {
        case .earliest: return KafkaOffset.beginning.number
        case .latest: return KafkaOffset.end.number
        case .error:
            search.waitsForRule(partition)
            let text = "the group has committed no offset, and no rule says where to begin (auto.offset.reset is error)"
            var error = KafkaError(.noOffset, "reading \(partition): \(text)")
            error.partition = partition
            delegate.kafkaConsumer(consumer, didFail: error)
            return nil
        }
    }

    /// Begins to read more of our partitions, if ``areAllPositionsKnown``. Partitions that librdkafka refuses are tried again.
    func read(_ starts: [TopicPartition: Int64]) {
        guard let error = assign(beside: starts) else { return }
        report(error, doing: "taking partitions over")
        stopReading(starts.keys.sorted())
        search.begin(starts.keys, at: .now)
    }

    private func assign(beside starts: [TopicPartition: Int64]) -> OpaquePointer? {
        if mayAdd {
            open(starts.keys.sorted())
            let list = TopicPartitionList(starts)
            return rd_kafka_incremental_assign(client.pointer, list.pointer)
        }
        // Partitions that are already being read continue from their position.
        let running = readPartitions
        let positions = consumer.withState { state in running.map { ($0, state.progress[$0]?.position) } }
        var offsets = starts
        for (partition, position) in positions { offsets[partition] = position }
        let all = offsets.keys.sorted()
        stopReading(running)
        open(all)
        let list = TopicPartitionList(offsets)
        return plainError(rd_kafka_assign(client.pointer, list.pointer))
    }

    /// Records where reading begins. A partition that is read from its oldest record counts as one that begins at 0.
    func recordStarts(_ starts: [TopicPartition: Int64]) {
        let known = starts.filter { $0.value >= 0 || $0.value == KafkaOffset.beginning.number }
        consumer.withState { state in
            for (partition, start) in known { state.progress[partition] = ReadProgress(from: max(0, start)) }
        }
    }
}

extension ClientHandle {
    /// Asks the coordinator for the committed offset of a partition, and waits.
    ///
    /// - Returns: `nil` if the group has no offset there.
    func committedOffset(of partition: TopicPartition, limit: Duration) throws(KafkaError) -> Int64? {
        let answer = committedOffsets(of: [partition], limit: limit)
        if let error = answer.error { throw error }
        return answer.offsets[partition].flatMap { $0 < 0 ? nil : $0 }
    }

    /// Asks the coordinator for committed offsets, and waits.
    fileprivate func committedOffsets(of partitions: [TopicPartition], limit: Duration) -> StartOffsetSearch.Answer {
        let list = TopicPartitionList(partitions)
        let work = "asking where the group left off"
        let response = rd_kafka_committed(pointer, list.pointer, limit.milliseconds)
        guard response == RD_KAFKA_RESP_ERR_NO_ERROR else {
            return StartOffsetSearch.Answer(error: KafkaError(response, doing: work))
        }
        var answer = StartOffsetSearch.Answer()
        for entry in list.entries {
            if entry.response == RD_KAFKA_RESP_ERR_NO_ERROR {
                answer.offsets[entry.partition] = entry.offset
            } else if answer.error == nil {
                answer.error = KafkaError(entry.response, doing: "\(work) in \(entry.partition)")
                answer.error?.partition = entry.partition
            }
        }
        return answer
    }
}
