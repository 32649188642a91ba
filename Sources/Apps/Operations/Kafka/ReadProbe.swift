import NewsflashBasics
import NewsflashKafka
import NewsflashTopicPartitions

/// Reads from partitions as a worker does, without a group, so nothing changes.
final class ReadProbe: KafkaReaderDelegate {
    /// The result of reading a partition.
    enum Finding: Sendable {
        /// The end was reached without a message.
        case end
        /// The first message after the start position.
        case message(KafkaMessage)
        case failed(KafkaError)
    }

    private struct State {
        var waiting: Set<TopicPartition>
        var seen: [TopicPartition: Finding] = [:]
        /// An error of the whole cluster, which explains partitions without a result.
        var trouble: KafkaError?
    }

    private let state: Locked<State>
    private let isOver = Promise<Bool>()

    private init(_ partitions: Set<TopicPartition>) {
        state = Locked(State(waiting: partitions))
    }

    /// Reads each partition up to its first message, or to its end.
    ///
    /// - Parameters:
    ///   - beginnings: The start position of each partition.
    ///   - cluster: The client settings.
    ///   - time: The maximum duration.
    /// - Returns: The result of each partition.
    /// - Throws: ``KafkaError`` if no reader can be created from the client settings.
    static func read(
        from beginnings: [TopicPartition: KafkaOffset],
        in cluster: KafkaConfiguration,
        within time: Duration = .seconds(10)
    ) async throws(KafkaError) -> [TopicPartition: Finding] {
        guard !beginnings.isEmpty else { return [:] }
        let probe = ReadProbe(Set(beginnings.keys))
        var configuration = KafkaReaderConfiguration(client: cluster, recovery: .tell, maximumBatch: 1)
        configuration.emptyFetchWait = .milliseconds(5)
        let reader = try KafkaReader(configuration, delegate: probe)
        for (partition, offset) in beginnings.sorted(by: { $0.key < $1.key }) { reader.start(partition, at: offset) }
        let isOver = probe.isOver
        // Cancelled below, after the wait.
        let clock = Task {
            try await Task.sleep(for: time)
            isOver.end(with: false)
        }
        _ = await isOver.wait()
        clock.cancel()
        await reader.close(deadline: .seconds(5))
        return probe.result(after: time)
    }

    private func result(after time: Duration) -> [TopicPartition: Finding] {
        state.withLock { state in
            for partition in state.waiting {
                let silence = KafkaError(.timedOut, "reading \(partition): no record arrived within \(time)")
                state.seen[partition] = .failed(state.trouble ?? silence)
            }
            return state.seen
        }
    }

    private func record(_ finding: Finding, of partition: TopicPartition) {
        let isLast = state.withLock { state in
            guard state.waiting.remove(partition) != nil else { return false }
            state.seen[partition] = finding
            return state.waiting.isEmpty
        }
        if isLast { isOver.end(with: true) }
    }

    // MARK: KafkaReaderDelegate

    func kafkaReader(_ reader: KafkaReader, didReceive messages: [KafkaMessage]) {
        guard let first = messages.first else { return }
        record(.message(first), of: first.topicPartition)
    }

    func kafkaReader(_ reader: KafkaReader, didReachEndOf partition: TopicPartition, offset: Int64) {
        record(.end, of: partition)
    }

    func kafkaReader(_ reader: KafkaReader, didFail error: KafkaError, of partition: TopicPartition?) {
        guard let partition else { return state.withLock { $0.trouble = error } }
        // A missing leader may be back in a moment.
        guard !error.isRetriable || error.meansForbidden else { return state.withLock { $0.trouble = error } }
        record(.failed(error), of: partition)
    }
}
