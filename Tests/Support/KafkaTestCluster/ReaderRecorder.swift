package import NewsflashKafka
package import NewsflashTestSupport
package import NewsflashTopicPartitions

/// A call of a reader to its delegate.
package enum ReaderEvent: Sendable, Equatable {
    case started(TopicPartition, KafkaOffset)
    case received(TopicPartition, [[UInt8]])
    case reachedEnd(TopicPartition, Int64)
    case failed(KafkaError, TopicPartition?)
}

/// A delegate that records all calls, with the values of messages.
package final class ReaderRecorder: KafkaReaderDelegate {
    /// The recorded calls, in order.
    package let log = EventLog<ReaderEvent>()
    private let beforeEach: @Sendable () -> Void

    /// Makes a delegate.
    ///
    /// - Parameter beforeEach: Called at the beginning of each call.
    package init(beforeEach: @escaping @Sendable () -> Void = {}) {
        self.beforeEach = beforeEach
    }

    package func kafkaReader(_ reader: KafkaReader, didStart partition: TopicPartition, at offset: KafkaOffset) {
        beforeEach()
        log.append(.started(partition, offset))
    }

    package func kafkaReader(_ reader: KafkaReader, didReceive messages: [KafkaMessage]) {
        beforeEach()
        guard let partition = messages.first?.topicPartition else { return }
        log.append(.received(partition, messages.map { $0.topicPartition == partition ? $0.value ?? [] : [] }))
    }

    package func kafkaReader(_ reader: KafkaReader, didReachEndOf partition: TopicPartition, offset: Int64) {
        beforeEach()
        log.append(.reachedEnd(partition, offset))
    }

    package func kafkaReader(_ reader: KafkaReader, didFail error: KafkaError, of partition: TopicPartition?) {
        beforeEach()
        log.append(.failed(error, partition))
    }

    /// Waits for the end of a partition.
    package func end(of partition: TopicPartition, at offset: Int64) async throws {
        try await log.wait { $0.contains(.reachedEnd(partition, offset)) ? () : nil }
    }

    /// Waits for the end of a partition after a start at an offset.
    ///
    /// - Parameters:
    ///   - partition: The partition.
    ///   - offset: The start offset; `nil` for the end.
    ///   - end: The offset of the end.
    /// - Returns: The calls from the last such start on.
    /// - Throws: `CancellationError` when the test's time is over.
    package func events(
        of partition: TopicPartition,
        from offset: Int64?,
        toEnd end: Int64
    ) async throws -> [ReaderEvent] {
        try await log.wait { events in
            let start = ReaderEvent.started(partition, offset.map { .at($0) } ?? .end)
            guard let index = events.lastIndex(of: start) else { return nil }
            let since = Array(events[index...])
            return since.contains(.reachedEnd(partition, end)) ? since : nil
        }
    }

    /// Waits for a failure of a partition.
    package func failure(of partition: TopicPartition) async throws -> KafkaError {
        try await log.wait { events in
            events.lazy.compactMap { event in
                if case .failed(let error, partition) = event { error } else { nil }
            }.first
        }
    }
}

extension [ReaderEvent] {
    /// The values of all messages in order.
    package var values: [[UInt8]] {
        flatMap { event -> [[UInt8]] in if case .received(_, let values) = event { values } else { [] } }
    }

    /// The values of the messages before an event.
    package func values(before event: ReaderEvent) -> [[UInt8]] {
        Array(prefix { $0 != event }).values
    }

    /// The values of the messages of one partition, batch by batch.
    package func batches(of partition: TopicPartition) -> [[[UInt8]]] {
        compactMap { event in if case .received(partition, let values) = event { values } else { nil } }
    }
}

extension KafkaTestCluster {
    /// The configuration with which tests read without a group.
    package func reader(
        _ properties: [String: String] = [:],
        recovery: KafkaReaderRecovery = .tell,
        maximumBatch: Int = 1000
    ) -> KafkaReaderConfiguration {
        let quick = ["fetch.wait.max.ms": fetchWait].merging(properties) { $1 }
        return KafkaReaderConfiguration(client: client(quick), recovery: recovery, maximumBatch: maximumBatch)
    }

    /// Makes a reader, and closes it afterwards whatever happens.
    package func withReader<Result>(
        _ properties: [String: String] = [:],
        recovery: KafkaReaderRecovery = .tell,
        maximumBatch: Int = 1000,
        _ body: (KafkaReader, ReaderRecorder) async throws -> Result
    ) async throws -> Result {
        let recorder = ReaderRecorder()
        let configuration = reader(properties, recovery: recovery, maximumBatch: maximumBatch)
        let reader = try KafkaReader(configuration, delegate: recorder)
        do {
            let result = try await body(reader, recorder)
            await reader.close(deadline: .seconds(5))
            return result
        } catch {
            await reader.close(deadline: .seconds(5))
            throw error
        }
    }
}
