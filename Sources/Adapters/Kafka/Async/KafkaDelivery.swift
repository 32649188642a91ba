/// Where a record lies that the brokers have confirmed.
public struct KafkaDelivery: Sendable, Hashable {
    /// The topic and partition it was written to.
    public var topicPartition: KafkaTopicPartition
    /// Its place in the partition.
    public var offset: Int64

    /// Makes a delivery.
    ///
    /// - Parameters:
    ///   - topicPartition: The topic and partition it was written to.
    ///   - offset: Its place in the partition.
    public init(topicPartition: KafkaTopicPartition, offset: Int64) {
        self.topicPartition = topicPartition
        self.offset = offset
    }
}
