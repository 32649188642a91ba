import NewsflashBasics
import NewsflashTimestamps
import NewsflashTopicPartitions

/// Finds records by their times in partitions for which the cluster returned none.
///
/// A broker's answer is right; the embedded cluster gives this answer for every time. So the last record of a partition
/// decides: only if its time is late enough, the partition is read from its beginning.
final class TimeSearch: KafkaReaderDelegate {
    /// The stage of the search in a partition.
    private enum Stage {
        /// The last record is being read.
        case atLast
        /// The last record is late enough, and the start at the beginning was requested.
        case turningBack
        case fromBeginning
    }

    private struct State {
        var stages: [TopicPartition: Stage]
        var found: [TopicPartition: Int64] = [:]
    }

    private let time: Timestamp
    private let ends: [TopicPartition: Int64]
    private let state: Locked<State>
    private let failure = Promise<KafkaError?>()

    private init(_ time: Timestamp, _ ends: [TopicPartition: Int64]) {
        self.time = time
        self.ends = ends
        state = Locked(State(stages: ends.mapValues { _ in .atLast }))
    }

    /// Finds the first record of a time or later.
    ///
    /// - Parameters:
    ///   - time: The time.
    ///   - ends: The ends of partitions that are not empty.
    ///   - cluster: The cluster of the partitions.
    ///   - timeout: The maximum duration.
    /// - Returns: The offset in each of the partitions; the end if no such record exists.
    /// - Throws: ``KafkaError`` if they cannot be read in time.
    static func firstRecords(
        at time: Timestamp,
        before ends: [TopicPartition: Int64],
        _ cluster: KafkaConfiguration,
        timeout: Duration
    ) async throws(KafkaError) -> [TopicPartition: Int64] {
        guard !ends.isEmpty else { return [:] }
        let search = TimeSearch(time, ends)
        var configuration = KafkaReaderConfiguration(client: cluster, recovery: .tell)
        configuration.emptyFetchWait = .milliseconds(10)
        let reader = try KafkaReader(configuration, delegate: search)
        for (partition, end) in ends { reader.start(partition, at: .at(end - 1)) }
        let failure = search.failure
        scheduleBlocking(after: timeout) {
            failure.end(with: KafkaError(.timedOut, "finding records by time: not finished within \(timeout)"))
        }
        let fault = await failure.wait()
        await reader.close(deadline: .seconds(5))
        guard let fault else { throw KafkaError(.cancelled, "finding records by time was cancelled") }
        if let fault { throw fault }
        return search.state.withLock { $0.found }
    }

    func kafkaReader(_ reader: KafkaReader, didStart partition: TopicPartition, at offset: KafkaOffset) {
        state.withLock { state in
            if state.stages[partition] == .turningBack { state.stages[partition] = .fromBeginning }
        }
    }

    func kafkaReader(_ reader: KafkaReader, didReceive messages: [KafkaMessage]) {
        guard let partition = messages.first?.topicPartition, let end = ends[partition] else { return }
        let late = messages.first { $0.offset >= end || ($0.timestamp ?? time) >= time }
        switch state.withLock({ $0.stages[partition] }) {
        case nil, .turningBack: return
        case .atLast:
            guard let late, late.offset < end else { return settle(partition, at: end, reader) }
            state.withLock { $0.stages[partition] = .turningBack }
            reader.start(partition, at: .beginning)
        case .fromBeginning:
            if let late { settle(partition, at: min(late.offset, end), reader) }
        }
    }

    func kafkaReader(_ reader: KafkaReader, didReachEndOf partition: TopicPartition, offset: Int64) {
        guard let stage = state.withLock({ $0.stages[partition] }), stage != .turningBack else { return }
        if let end = ends[partition] { settle(partition, at: end, reader) }
    }

    func kafkaReader(_ reader: KafkaReader, didFail error: KafkaError, of partition: TopicPartition?) {
        if !error.isRetriable { failure.end(with: error) }
    }

    private func settle(_ partition: TopicPartition, at offset: Int64, _ reader: KafkaReader) {
        reader.stop(partition)
        let isOver = state.withLock { state in
            guard state.stages.removeValue(forKey: partition) != nil else { return false }
            state.found[partition] = offset
            return state.stages.isEmpty
        }
        if isOver { failure.end(with: nil) }
    }
}
