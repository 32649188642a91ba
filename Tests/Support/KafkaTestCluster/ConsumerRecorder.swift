import NewsflashBasics
package import NewsflashKafka
package import NewsflashTestSupport
package import NewsflashTopicPartitions

/// A call of a consumer to its delegate.
package enum ConsumerEvent: Sendable {
    case received([KafkaMessage])
    case assigned([TopicPartition])
    case revoked([TopicPartition])
    case lost([TopicPartition])
    case committed([TopicPartition: Int64], KafkaError?)
    case failed(KafkaError)
    case reachedEnd(TopicPartition, Int64)
    case missed(KafkaLogGap)
}

/// A delegate that records all calls and answers revocations with a closure.
package final class ConsumerRecorder: KafkaConsumerDelegate {
    /// The recorded calls, in order.
    package let log = EventLog<ConsumerEvent>()
    private let answer: @Sendable ([TopicPartition]) -> [TopicPartition: Int64]

    /// Makes a delegate.
    ///
    /// - Parameter answer: Returns the offsets to commit when partitions are revoked.
    package init(answer: @escaping @Sendable ([TopicPartition]) -> [TopicPartition: Int64] = { _ in [:] }) {
        self.answer = answer
    }

    package func kafkaConsumer(_ consumer: KafkaConsumer, didReceive messages: [KafkaMessage]) {
        log.append(.received(messages))
    }

    package func kafkaConsumer(_ consumer: KafkaConsumer, didAssign partitions: [TopicPartition]) {
        log.append(.assigned(partitions))
    }

    package func kafkaConsumer(
        _ consumer: KafkaConsumer,
        willRevoke partitions: [TopicPartition],
        deadline: Duration
    ) -> [TopicPartition: Int64] {
        let offsets = answer(partitions)
        log.append(.revoked(partitions))
        return offsets
    }

    package func kafkaConsumer(_ consumer: KafkaConsumer, didLose partitions: [TopicPartition]) {
        log.append(.lost(partitions))
    }

    package func kafkaConsumer(
        _ consumer: KafkaConsumer,
        didCommit offsets: [TopicPartition: Int64],
        error: KafkaError?
    ) {
        log.append(.committed(offsets, error))
    }

    package func kafkaConsumer(_ consumer: KafkaConsumer, didFail error: KafkaError) {
        log.append(.failed(error))
    }

    package func kafkaConsumer(
        _ consumer: KafkaConsumer,
        didReachEndOf partition: TopicPartition,
        offset: Int64
    ) {
        log.append(.reachedEnd(partition, offset))
    }

    package func kafkaConsumer(_ consumer: KafkaConsumer, didMiss gap: KafkaLogGap) {
        log.append(.missed(gap))
    }

    /// All messages so far.
    package var messages: [KafkaMessage] { log.events.messages }

    /// Waits for a number of messages.
    package func messages(atLeast count: Int) async throws -> [KafkaMessage] {
        try await log.wait { $0.messages.count >= count ? $0.messages : nil }
    }

    /// Waits for a commit that succeeded with at least these offsets.
    package func commit(of offsets: [TopicPartition: Int64]) async throws {
        try await log.wait { events in
            events.contains { event in
                guard case .committed(let done, nil) = event else { return false }
                return offsets.allSatisfy { done[$0.key] == $0.value }
            } ? () : nil
        }
    }
}

extension [ConsumerEvent] {
    /// The messages in order.
    package var messages: [KafkaMessage] {
        flatMap { event -> [KafkaMessage] in if case .received(let messages) = event { messages } else { [] } }
    }
}
