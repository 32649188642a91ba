/// What a consumer tells and asks. All calls come from the consumer's own thread, one at a time, and the consumer does
/// nothing else until they return.
public protocol KafkaConsumerDelegate: AnyObject, Sendable {
    /// Takes the next messages, in order within each partition. Hand them over and return.
    ///
    /// - Parameters:
    ///   - consumer: Where they come from.
    ///   - messages: At least one.
    func kafkaConsumer(_ consumer: KafkaConsumer, didReceive messages: [KafkaMessage])

    /// Hears which partitions came, before their first message. What was already there stays.
    ///
    /// - Parameters:
    ///   - consumer: Who got them.
    ///   - partitions: The new ones.
    func kafkaConsumer(_ consumer: KafkaConsumer, didAssign partitions: [KafkaTopicPartition])

    /// Answers what may be committed for partitions that leave. Stop work on them and wait for what is in flight: when
    /// this returns they are committed and given up, and nothing may be done for them any more.
    ///
    /// - Parameters:
    ///   - consumer: Whose they were.
    ///   - partitions: Those that leave.
    ///   - deadline: How long the answer may take, so that the member is not put out of the group.
    /// - Returns: The next offset to read for each partition; those not named are not committed.
    func kafkaConsumer(
        _ consumer: KafkaConsumer,
        willRevoke partitions: [KafkaTopicPartition],
        deadline: Duration
    ) -> [KafkaTopicPartition: Int64]

    /// Hears that partitions are gone; others may own them already. Drop all work on them: nothing is committed.
    ///
    /// - Parameters:
    ///   - consumer: Whose they were.
    ///   - partitions: Those that are lost.
    func kafkaConsumer(_ consumer: KafkaConsumer, didLose partitions: [KafkaTopicPartition])

    /// Hears what became of a commit, also of those made of the answer to a revocation.
    ///
    /// - Parameters:
    ///   - consumer: Who committed.
    ///   - offsets: What was to be committed.
    ///   - error: Nil when it is. With ``KafkaError/Code/rebalanceInProgress`` under the cooperative strategy it is tried
    ///     again by itself.
    func kafkaConsumer(
        _ consumer: KafkaConsumer,
        didCommit offsets: [KafkaTopicPartition: Int64],
        error: KafkaError?
    )

    /// Hears of trouble: brokers out of reach, refused credentials, offsets that are gone, a fatal error. Apart from the
    /// fatal kind, librdkafka goes on trying.
    ///
    /// - Parameters:
    ///   - consumer: Who has it.
    ///   - error: What is wrong.
    func kafkaConsumer(_ consumer: KafkaConsumer, didFail error: KafkaError)

    /// Receives a gap: the log of a partition does not have records any more that come next, or that were read. The oldest
    /// record of the log comes next. If the offsets have gone back, the partition is revoked after this and assigned again.
    ///
    /// With ``KafkaConsumerConfiguration/commitsToEnd`` the new start is committed as soon as all messages before it are, so
    /// that the same gap is not found again.
    ///
    /// - Parameters:
    ///   - consumer: The reader of the partition.
    ///   - gap: The records.
    func kafkaConsumer(_ consumer: KafkaConsumer, didMiss gap: KafkaLogGap)

    /// Hears that a partition was read to its present end; only with
    /// ``KafkaConsumerConfiguration/reportsPartitionEnd``.
    ///
    /// - Parameters:
    ///   - consumer: Who read it.
    ///   - partition: Which one.
    ///   - offset: The offset the next record will get.
    func kafkaConsumer(_ consumer: KafkaConsumer, didReachEndOf partition: KafkaTopicPartition, offset: Int64)
}

extension KafkaConsumerDelegate {
    /// Does nothing.
    ///
    /// - Parameters:
    ///   - consumer: The reader of the partition.
    ///   - gap: The records.
    public func kafkaConsumer(_ consumer: KafkaConsumer, didMiss gap: KafkaLogGap) {}

    /// Does nothing.
    ///
    /// - Parameters:
    ///   - consumer: Who read it.
    ///   - partition: Which one.
    ///   - offset: The offset the next record will get.
    public func kafkaConsumer(_ consumer: KafkaConsumer, didReachEndOf partition: KafkaTopicPartition, offset: Int64) {}
}
