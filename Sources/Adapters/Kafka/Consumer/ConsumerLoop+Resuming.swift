import CNewsflashRDKafka
import NewsflashTopicPartitions

/// The log of a partition whose next offset is not in it.
struct FoundLog: Sendable {
    var partition: TopicPartition
    /// The assignment in which the question was asked.
    var epoch: UInt64
    /// The offset of the next message and the offsets of the log.
    var answer: Result<(position: Int64?, log: KafkaWatermarks), KafkaError>
}

/// librdkafka never continues by itself at an offset that is not in the log (`auto.offset.reset=error`), because it would skip
/// records silently. It stops reading the partition, and this extension decides where reading continues.
extension ConsumerLoop {
    /// The time until a leader that did not answer is asked again.
    private static let pause = Duration.seconds(1)

    /// Whether an error means that librdkafka has stopped reading a partition.
    static func endsReading(_ response: rd_kafka_resp_err_t) -> Bool {
        // From version 2.1 on, a truncated log has another error.
        response == RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET
            || String(cString: rd_kafka_err2name(response)) == "_LOG_TRUNCATION"
    }

    /// Finds out where reading can continue in a partition.
    func findLog(of partition: TopicPartition, after delay: Duration = .zero) {
        let (epoch, known) = consumer.withState { state in
            // A consumer that began at the oldest record has not missed earlier ones.
            (
                state.ownership.epoch(of: partition),
                state.progress[partition].flatMap { $0.isAtBeginning ? nil : $0.position }
            )
        }
        guard let epoch else { return }
        scheduleBlocking(after: delay) { [client, consumer, wakeUp] in
            let answer = Result { () throws(KafkaError) -> (position: Int64?, log: KafkaWatermarks) in
                var position = known
                if position == nil {
                    position = try client.committedOffset(of: partition, limit: StartOffsetSearch.limit)
                }
                return (position, try client.blockingWatermarks(of: partition, timeout: .seconds(5)))
            }
            consumer.withState { $0.found.append(FoundLog(partition: partition, epoch: epoch, answer: answer)) }
            wakeUp.signal()
        }
    }

    /// Continues reading the partitions whose logs were found, unless the group is changing.
    func readOnWhatWasFound() {
        guard mayAssign else { return }
        let found = consumer.withState { state in
            defer { state.found = [] }
            return state.found.filter { state.ownership.epoch(of: $0.partition) == $0.epoch }
        }
        for found in found {
            switch found.answer {
            case .success(let (position, log)): readOn(found.partition, position: position, in: log)
            case .failure(var error):
                error.partition = found.partition
                delegate.kafkaConsumer(consumer, didFail: error)
                findLog(of: found.partition, after: Self.pause)
            }
        }
    }

    private func readOn(_ partition: TopicPartition, position: Int64?, in log: KafkaWatermarks) {
        stopReading([partition])
        guard areAllPositionsKnown else { return findLog(of: partition, after: Self.pause) }
        let facts = PartitionResumption.Facts(
            partition,
            position: position,
            log: log,
            hasRead: consumer.withState { $0.progress[partition]?.hasRead ?? false },
            wasMissing: missingTopics.contains(partition.topic)
        )
        switch PartitionResumption(facts, reset: consumer.configuration.offsetReset) {
        case .begin(let offset):
            consumer.withState { $0.progress[partition] = ReadProgress(from: offset) }
            restart(partition, at: offset)
        case .skip(let gap):
            delegate.kafkaConsumer(consumer, didMiss: gap)
            restart(partition, at: gap.offsets.upperBound)
            let now = ContinuousClock.now
            consumer.withState { $0.passed(to: gap.offsets.upperBound, of: partition, at: now) }
        case .rewind(let gap, let offset):
            delegate.kafkaConsumer(consumer, didMiss: gap)
            rewind(partition, to: offset)
        case .wait(var error):
            error.partition = partition
            delegate.kafkaConsumer(consumer, didFail: error)
        }
    }

    /// Lets the delegate finish its work on the old log, and assigns the partition to it again. Offsets of the old log are not
    /// committed, because they are invalid in the new one.
    private func rewind(_ partition: TopicPartition, to offset: Int64) {
        _ = delegate.kafkaConsumer(
            consumer,
            willRevoke: [partition],
            deadline: consumer.configuration.revokeDeadline * 0.7
        )
        let now = ContinuousClock.now
        consumer.withState { $0.rewind(partition, to: offset, at: now) }
        restart(partition, at: offset)
        delegate.kafkaConsumer(consumer, didAssign: [partition])
    }

    /// Makes librdkafka read a partition again from an offset. Seeking is impossible in a partition that it has stopped
    /// reading.
    private func restart(_ partition: TopicPartition, at offset: Int64) {
        if mayAdd {
            let list = TopicPartitionList([partition])
            report(rd_kafka_incremental_unassign(client.pointer, list.pointer), doing: "stopping to read \(partition)")
        }
        read([partition: offset])
    }
}
