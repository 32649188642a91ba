import Kafka
import Locks

/// Reads whole partitions to their present ends, for commands that need all records of a topic.
final class WholePartitions: KafkaReaderDelegate {
    private struct State {
        var waiting: Set<KafkaTopicPartition>
        var messages: [KafkaMessage] = []
        var failure: KafkaError?
        /// The time of the last message or end of a partition.
        var heardAt = ContinuousClock.now
    }

    private let state: Locked<State>
    private let isWanted: @Sendable (KafkaMessage) -> Bool
    private let isOver = Promise<Bool>()

    private init(_ partitions: Set<KafkaTopicPartition>, _ isWanted: @escaping @Sendable (KafkaMessage) -> Bool) {
        state = Locked(State(waiting: partitions))
        self.isWanted = isWanted
    }

    /// Reads partitions.
    ///
    /// - Parameters:
    ///   - beginnings: The first offset to read of each partition.
    ///   - cluster: The cluster.
    ///   - isWanted: Whether to keep a message.
    /// - Returns: The kept messages, in order within each partition.
    /// - Throws: ``KafkaError`` if a partition cannot be read.
    static func read(
        _ beginnings: [KafkaTopicPartition: KafkaOffset],
        in cluster: KafkaConfiguration,
        keeping isWanted: @escaping @Sendable (KafkaMessage) -> Bool = { _ in true }
    ) async throws(KafkaError) -> [KafkaMessage] {
        guard !beginnings.isEmpty else { return [] }
        let whole = WholePartitions(Set(beginnings.keys), isWanted)
        let reader = try KafkaReader(KafkaReaderConfiguration(client: cluster, recovery: .tell), delegate: whole)
        for (partition, offset) in beginnings { reader.start(partition, at: offset) }
        // Cancelled at the end of this call.
        let watch = Task.detached {
            while (try? await Task.sleep(for: .seconds(1))) != nil { whole.giveUpOnSilence() }
        }
        let topics = Set(beginnings.keys.map(\.topic)).sorted().joined(separator: ", ")
        _ = await SlowOperationNotice.noting("reading \(topics)") { await whole.isOver.wait() }
        watch.cancel()
        await reader.close(deadline: .seconds(5))
        let (messages, failure) = whole.state.withLock { ($0.messages, $0.failure) }
        if let failure { throw failure }
        return messages
    }

    func kafkaReader(_ reader: KafkaReader, didReceive messages: [KafkaMessage]) {
        let wanted = messages.filter(isWanted)
        state.withLock { state in
            state.messages += wanted
            state.heardAt = .now
        }
    }

    /// Fails after 30 seconds without an answer: librdkafka detects a stalled broker only after a minute.
    private func giveUpOnSilence() {
        let isSilent = state.withLock { state in
            guard state.heardAt.duration(to: .now) > ScanReading.patience else { return false }
            state.failure = KafkaError(.timedOut, "no answer within \(ScanReading.patience)")
            return true
        }
        if isSilent { isOver.end(with: false) }
    }

    func kafkaReader(_ reader: KafkaReader, didReachEndOf partition: KafkaTopicPartition, offset: Int64) {
        let isLast = state.withLock { state in
            state.heardAt = .now
            return state.waiting.remove(partition) != nil && state.waiting.isEmpty
        }
        if isLast { isOver.end(with: true) }
    }

    func kafkaReader(_ reader: KafkaReader, didFail error: KafkaError, of partition: KafkaTopicPartition?) {
        guard partition != nil, !error.isRetriable else { return }
        state.withLock { $0.failure = error }
        isOver.end(with: false)
    }
}
