/// The position of a record that the brokers have confirmed.
public struct KafkaDelivery: Sendable, Hashable {
    /// The topic and partition that it was written to.
    public var topicPartition: KafkaTopicPartition
    /// Its offset in the partition.
    public var offset: Int64

    /// Creates a delivery.
    ///
    /// - Parameters:
    ///   - topicPartition: The topic and partition that it was written to.
    ///   - offset: Its offset in the partition.
    public init(topicPartition: KafkaTopicPartition, offset: Int64) {
        self.topicPartition = topicPartition
        self.offset = offset
    }
}
