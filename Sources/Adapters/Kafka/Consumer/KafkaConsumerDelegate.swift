public import NewsflashTopicPartitions

/// Receives the messages and events of a consumer. All calls come from the consumer's own thread, one at a time, and the
/// consumer does nothing else until they return.
public protocol KafkaConsumerDelegate: AnyObject, Sendable {
    /// Receives the next messages, in order within each partition. Pass them on and return.
    ///
    /// - Parameters:
    ///   - consumer: The consumer that read them.
    ///   - messages: At least one message.
    func kafkaConsumer(_ consumer: KafkaConsumer, didReceive messages: [KafkaMessage])

    /// Receives newly assigned partitions, before their first message. Earlier assignments remain.
    ///
    /// - Parameters:
    ///   - consumer: The consumer that they are assigned to.
    ///   - partitions: The new partitions.
    func kafkaConsumer(_ consumer: KafkaConsumer, didAssign partitions: [TopicPartition])

    /// Returns the offsets to commit for partitions that are revoked. Stop work on them and wait for requests in flight: when
    /// this returns the offsets are committed and the partitions given up, and nothing may be done for them any more.
    ///
    /// - Parameters:
    ///   - consumer: The consumer that owned them.
    ///   - partitions: The revoked partitions.
    ///   - deadline: How long the answer may take without the member being removed from the group.
    /// - Returns: The next offset to read for each partition; nothing is committed for partitions without one.
    func kafkaConsumer(
        _ consumer: KafkaConsumer,
        willRevoke partitions: [TopicPartition],
        deadline: Duration
    ) -> [TopicPartition: Int64]

    /// Receives lost partitions, which others may own already. Drop all work on them: nothing is committed.
    ///
    /// - Parameters:
    ///   - consumer: The consumer that owned them.
    ///   - partitions: The lost partitions.
    func kafkaConsumer(_ consumer: KafkaConsumer, didLose partitions: [TopicPartition])

    /// Receives the result of a commit, including the commit of the answer to a revocation.
    ///
    /// - Parameters:
    ///   - consumer: The consumer that committed.
    ///   - offsets: The offsets of the commit.
    ///   - error: `nil` if they are committed. With ``KafkaError/Code/rebalanceInProgress`` under the cooperative strategy the
    ///     commit is repeated automatically.
    func kafkaConsumer(
        _ consumer: KafkaConsumer,
        didCommit offsets: [TopicPartition: Int64],
        error: KafkaError?
    )

    /// Receives an error: unreachable brokers, refused credentials, offsets that are not in the log, a fatal error. Unless it
    /// is fatal, librdkafka keeps trying.
    ///
    /// - Parameters:
    ///   - consumer: The consumer that has the error.
    ///   - error: The error.
    func kafkaConsumer(_ consumer: KafkaConsumer, didFail error: KafkaError)

    /// Receives a gap: the log of a partition no longer has records that come next, or that were read. The oldest record of the
    /// log comes next. If the offsets have gone back, the partition is revoked after this and assigned again.
    ///
    /// With ``KafkaConsumerConfiguration/commitsToEnd`` the new start is committed as soon as all messages before it are, so
    /// that the same gap is not found again.
    ///
    /// - Parameters:
    ///   - consumer: The consumer that reads the partition.
    ///   - gap: The missing records.
    func kafkaConsumer(_ consumer: KafkaConsumer, didMiss gap: KafkaLogGap)

    /// Called when a partition has been read to its current end; only with
    /// ``KafkaConsumerConfiguration/reportsPartitionEnd``.
    ///
    /// - Parameters:
    ///   - consumer: The consumer that reads the partition.
    ///   - partition: The partition.
    ///   - offset: The offset that the next record will get.
    func kafkaConsumer(_ consumer: KafkaConsumer, didReachEndOf partition: TopicPartition, offset: Int64)
}

extension KafkaConsumerDelegate {
    /// Does nothing.
    ///
    /// - Parameters:
    ///   - consumer: The consumer that reads the partition.
    ///   - gap: The missing records.
    public func kafkaConsumer(_ consumer: KafkaConsumer, didMiss gap: KafkaLogGap) {}

    /// Does nothing.
    ///
    /// - Parameters:
    ///   - consumer: The consumer that reads the partition.
    ///   - partition: The partition.
    ///   - offset: The offset that the next record will get.
    public func kafkaConsumer(_ consumer: KafkaConsumer, didReachEndOf partition: TopicPartition, offset: Int64) {}
}
