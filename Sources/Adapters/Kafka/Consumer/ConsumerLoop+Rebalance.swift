import CNewsflashRDKafka
import NewsflashTopicPartitions

extension ConsumerLoop {
    /// Asks librdkafka whether the group moves partitions one by one: the group decides that, not the configuration. The answer
    /// comes from librdkafka's main thread, so it is not requested while closing.
    private func learnProtocol() {
        isCooperative = rd_kafka_rebalance_protocol(client.pointer).map { String(cString: $0) } == "COOPERATIVE"
    }

    /// Adopts or gives up partitions as the group demands, and reports this to librdkafka in every case, because the group
    /// waits for that.
    func rebalance(_ event: borrowing ClientEvent, closing: Closing?) {
        let list = rd_kafka_event_topic_partition_list(event.pointer)
        let partitions = event.partitions.map(\.partition)
        if closing == nil { learnProtocol() }
        let isCooperative = isCooperative
        switch event.response {
        case RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS:
            guard let list else { return }
            consumer.membership.wasAssigned()
            let starts = TopicPartitionList(copying: list)
            if closing == nil { fillInCommittedOffsets(starts) }
            takeOver(partitions, from: starts, isCooperative: isCooperative) {
                isCooperative
                    ? rd_kafka_incremental_assign(client.pointer, starts.pointer)
                    : plainError(rd_kafka_assign(client.pointer, starts.pointer))
            }
        case RD_KAFKA_RESP_ERR__REVOKE_PARTITIONS:
            consumer.membership.wasRevoked()
            // librdkafka only accepts the removal of partitions that it was given.
            let given = TopicPartitionList(partitions.filter { !search.unread.contains($0) })
            if rd_kafka_assignment_lost(client.pointer) != 0 {
                lose(partitions)
            } else {
                giveUp(partitions, closing: closing)
            }
            report(
                isCooperative
                    ? rd_kafka_incremental_unassign(client.pointer, given.pointer)
                    : plainError(rd_kafka_assign(client.pointer, nil)),
                doing: "giving up partitions"
            )
        default:
            consumer.membership.wasRevoked()
            lose(consumer.assignment)
            report(plainError(rd_kafka_assign(client.pointer, nil)), doing: "giving up all partitions")
        }
    }

    /// Reads the partitions that a caller specified.
    func assign(_ offsets: [TopicPartition: KafkaOffset]) {
        giveUp(consumer.assignment, closing: nil)
        let list = TopicPartitionList(offsets.mapValues(\.number))
        fillInCommittedOffsets(list)
        takeOver(offsets.keys.sorted(), from: list, isCooperative: false) {
            plainError(rd_kafka_assign(client.pointer, list.pointer))
        }
    }

    private func takeOver(
        _ partitions: [TopicPartition],
        from list: borrowing TopicPartitionList,
        isCooperative: Bool,
        by work: () -> OpaquePointer?
    ) {
        let now = ContinuousClock.now
        let starts = Dictionary(list.entries.map { ($0.partition, $0.offset) }) { $1 }
        consumer.withState { state in
            state.ownership.assign(partitions, isCooperative: isCooperative, at: now)
            for partition in partitions { state.progress[partition] = ReadProgress(from: nil) }
        }
        missingTopics.subtract(partitions.map(\.topic))
        recordStarts(starts)
        open(partitions.filter { starts[$0] != nil })
        if !partitions.isEmpty { delegate.kafkaConsumer(consumer, didAssign: partitions) }
        report(work(), doing: "taking partitions over")
    }

    /// Asks the delegate which offsets to commit, commits them and releases the partitions. Does nothing for partitions that
    /// were given up or lost before.
    func giveUp(_ leaving: [TopicPartition], closing: Closing?) {
        let partitions = owned(of: leaving)
        guard !partitions.isEmpty else { return }
        let limit = min(consumer.configuration.revokeDeadline, closing?.remaining ?? .seconds(86_400))
        let end = ContinuousClock.now + limit
        // The rest of the time is for the commit.
        let answer = delegate.kafkaConsumer(consumer, willRevoke: partitions, deadline: limit * 0.7)
        // From here on commits of callers that did not wait for this function find the partitions gone.
        let ours = Set(partitions)
        let offsets = consumer.withState { $0.offsetsToCommit(for: answer.filter { ours.contains($0.key) }) }
        let held = releaseHeld(partitions, isLost: false)
        commit(offsets.merging(held) { max($0, $1) }, until: end)
        stopReading(partitions)
    }

    /// Abandons lost partitions, which others may own already.
    func lose(_ leaving: [TopicPartition]) {
        let partitions = owned(of: leaving)
        guard !partitions.isEmpty else { return }
        release(partitions, isLost: true)
        stopReading(partitions)
        delegate.kafkaConsumer(consumer, didLose: partitions)
    }

    private func owned(of partitions: [TopicPartition]) -> [TopicPartition] {
        let ours = Set(consumer.assignment)
        return partitions.filter(ours.contains)
    }

    /// Releases partitions and reports the commits that came too late.
    func release(_ partitions: [TopicPartition], isLost: Bool) {
        let unsent = releaseHeld(partitions, isLost: isLost)
        guard !unsent.isEmpty else { return }
        let error = KafkaError(.notAssigned, "committing: the partitions left while the commit waited for the group")
        delegate.kafkaConsumer(consumer, didCommit: unsent, error: error)
    }

    /// Releases partitions.
    ///
    /// - Returns: The commits for them that were waiting for the group.
    private func releaseHeld(_ partitions: [TopicPartition], isLost: Bool) -> [TopicPartition: Int64] {
        let now = ContinuousClock.now
        return consumer.withState { $0.release(partitions, isLost: isLost, at: now) }
    }

    /// Commits and waits for the answer on a separate queue: the common one may contain other events first, and librdkafka's
    /// own blocking commit has no timeout.
    ///
    /// Retries while the coordinator is unavailable or moving, for example when brokers and members restart together: the next
    /// owner repeats everything that is not committed here.
    private func commit(_ offsets: [TopicPartition: Int64], until end: ContinuousClock.Instant) {
        guard !offsets.isEmpty else { return }
        let answers = EventQueue(of: client)
        let list = TopicPartitionList(offsets)
        while true {
            rd_kafka_commit_queue(client.pointer, list.pointer, answers.pointer, nil, nil)
            guard let answer = answers.next(waiting: max(.zero, end - .now)) else {
                let error = KafkaError(.timedOut, "committing before giving up partitions: no answer in time")
                delegate.kafkaConsumer(consumer, didCommit: offsets, error: error)
                return
            }
            let mayYetSucceed = answer.commitError?.isRetriable == true && !answer.meansThatTheGroupChanges
            guard mayYetSucceed, end - .now > .milliseconds(100) else { return committed(answer) }
            // Other signals that come meanwhile are handled after this rebalance.
            wakeUp.wait(atMost: .milliseconds(100))
        }
    }

    func report(_ error: OpaquePointer?, doing work: String) {
        guard let error else { return }
        delegate.kafkaConsumer(consumer, didFail: KafkaError(consuming: error, doing: work))
    }

    func plainError(_ response: rd_kafka_resp_err_t) -> OpaquePointer? {
        response == RD_KAFKA_RESP_ERR_NO_ERROR ? nil : crdkafka_error(response)
    }
}

extension ConsumerLoop {
    /// Leaves the group, and handles its events meanwhile.
    ///
    /// - Returns: Whether librdkafka has finished closing.
    func close(_ closing: Closing) -> Bool {
        awaitFirstAssignment(closing)
        // Done before librdkafka closes, because it then sends no heartbeats, and finishing the work may take longer than a
        // session.
        giveUp(consumer.assignment, closing: closing)
        // A revocation may have come meanwhile.
        serve(queue, closing: closing)
        let answers = EventQueue(of: client)
        answers.signal(wakeUp)
        if let error = rd_kafka_consumer_close_queue(client.pointer, answers.pointer) {
            // After a fatal error there is nothing left to close.
            let error = KafkaError(consuming: error, doing: "closing the consumer")
            lose(consumer.assignment)
            if !error.isFatal { delegate.kafkaConsumer(consumer, didFail: error) }
            return true
        }
        while true {
            serve(answers, closing: closing)
            if rd_kafka_consumer_closed(client.pointer) != 0 { break }
            guard closing.remaining > .zero else { return false }
            // The end of closing is not always signalled, so the wait is short.
            wakeUp.wait(atMost: min(.milliseconds(100), closing.remaining))
        }
        // If the group could not be asked in time, the partitions were lost without a revocation.
        lose(consumer.assignment)
        return true
    }

    /// Whether the instance must not be destroyed; see ``Membership/waitsForFirstAssignment``.
    private var mustBeKept: Bool {
        consumer.configuration.assignmentStrategy == .cooperativeSticky && consumer.membership.waitsForFirstAssignment
    }

    /// Waits for the first assignment of a member that has joined, which takes milliseconds, before it leaves.
    private func awaitFirstAssignment(_ closing: Closing) {
        let end = min(closing.end, .now + .seconds(3))
        while mustBeKept, ContinuousClock.now < end {
            wakeUp.wait(atMost: .milliseconds(10))
            serve(queue, closing: closing)
        }
    }

    /// Releases everything and resumes the callers that wait for the close.
    func finish(isClosed: Bool, _ closing: Closing) {
        stopReading(consumer.assignment)
        release(consumer.assignment, isLost: true)
        if isClosed, mustBeKept {
            client.abandon()
            let message = "\(client.name) closed before its first assignment and is kept: destroying it would abort"
            consumer.configuration.client.log(KafkaLogLine(level: .warning, facility: "CLOSE", message: message))
        }
        if !isClosed {
            client.abandon()
            let message = "\(client.name) did not close in time and is abandoned; the process should end"
            consumer.configuration.client.log(KafkaLogLine(level: .critical, facility: "CLOSE", message: message))
        }
        let waiting = consumer.withState { state in
            state.topics = []
            state.client = nil
            state.queue = nil
            defer { state.waitingForClose = [:] }
            return state.waitingForClose.values
        }
        consumer.membership.hasClosed()
        for continuation in waiting { continuation.resume(returning: isClosed) }
    }
}
