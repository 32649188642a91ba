import Kafka
import Locks

/// Looks at partitions as a worker reads them, and changes nothing by it: there is no group.
final class ReadProbe: KafkaReaderDelegate {
    /// What was seen of a partition.
    enum Sight: Sendable {
        /// It was read to its end, and there was nothing to take.
        case end
        /// The first message from where reading began.
        case message(KafkaMessage)
        case failed(KafkaError)
    }

    private struct State {
        var waiting: Set<KafkaTopicPartition>
        var seen: [KafkaTopicPartition: Sight] = [:]
        /// Trouble of the cluster as a whole, which is why partitions are silent.
        var trouble: KafkaError?
    }

    private let state: Locked<State>
    private let isOver = OneShot<Bool>()

    private init(_ partitions: Set<KafkaTopicPartition>) {
        state = Locked(State(waiting: partitions))
    }

    /// Reads each partition up to its first message, or to its end.
    ///
    /// - Parameters:
    ///   - beginnings: Where each is read from.
    ///   - cluster: Where they are.
    ///   - time: How long it may take.
    /// - Returns: What was seen of each.
    /// - Throws: ``KafkaError`` where the configuration makes no reader.
    static func look(
        at beginnings: [KafkaTopicPartition: KafkaOffset],
        in cluster: KafkaConfiguration,
        within time: Duration = .seconds(10)
    ) async throws(KafkaError) -> [KafkaTopicPartition: Sight] {
        guard !beginnings.isEmpty else { return [:] }
        let probe = ReadProbe(Set(beginnings.keys))
        var configuration = KafkaReaderConfiguration(client: cluster, recovery: .tell, maximumBatch: 1)
        configuration.emptyFetchWait = .milliseconds(5)
        let reader = try KafkaReader(configuration, delegate: probe)
        for (partition, offset) in beginnings.sorted(by: { $0.key < $1.key }) { reader.start(partition, at: offset) }
        let isOver = probe.isOver
        // Cancelled below, when the wait is over.
        let clock = Task {
            try await Task.sleep(for: time)
            isOver.end(with: false)
        }
        _ = await isOver.wait()
        clock.cancel()
        await reader.close(deadline: .seconds(5))
        return probe.result(after: time)
    }

    private func result(after time: Duration) -> [KafkaTopicPartition: Sight] {
        state.withLock { state in
            for partition in state.waiting {
                let silence = KafkaError(.timedOut, "reading \(partition): nothing came within \(time)")
                state.seen[partition] = .failed(state.trouble ?? silence)
            }
            return state.seen
        }
    }

    private func saw(_ sight: Sight, of partition: KafkaTopicPartition) {
        let isLast = state.withLock { state in
            guard state.waiting.remove(partition) != nil else { return false }
            state.seen[partition] = sight
            return state.waiting.isEmpty
        }
        if isLast { isOver.end(with: true) }
    }

    // MARK: KafkaReaderDelegate

    func kafkaReader(_ reader: KafkaReader, didReceive messages: [KafkaMessage]) {
        guard let first = messages.first else { return }
        saw(.message(first), of: KafkaTopicPartition(topic: first.topic, partition: first.partition))
    }

    func kafkaReader(_ reader: KafkaReader, didReachEndOf partition: KafkaTopicPartition, offset: Int64) {
        saw(.end, of: partition)
    }

    func kafkaReader(_ reader: KafkaReader, didFail error: KafkaError, of partition: KafkaTopicPartition?) {
        guard let partition else { return state.withLock { $0.trouble = error } }
        // A leader that is away may be back in a moment.
        guard !error.isRetriable || error.meansForbidden else { return state.withLock { $0.trouble = error } }
        saw(.failed(error), of: partition)
    }
}
