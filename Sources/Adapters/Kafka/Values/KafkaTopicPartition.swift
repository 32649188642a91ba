public import NewsflashTopicPartitions

/// One partition of one topic, such as `KafkaTopicPartition(topic: "news", partition: 3)`.
///
/// The type itself is `TopicPartition` of the module `NewsflashTopicPartitions`, which is part of the product.
public typealias KafkaTopicPartition = TopicPartition

/// The position in a partition at which reading begins.
public enum KafkaOffset: Sendable, Hashable {
    /// The oldest record.
    case beginning
    /// The end, after the newest record.
    case end
    /// The offset that the group has committed.
    case committed
    /// A record, or the next one if it is not in the log any more.
    case at(Int64)
}

/// The offsets of the records in a partition: from `low` up to, but not including, `high`.
public struct KafkaWatermarks: Sendable, Hashable {
    /// The offset of the oldest record.
    public var low: Int64
    /// The offset that the next record will get.
    public var high: Int64

    /// Creates a pair of watermarks.
    ///
    /// - Parameters:
    ///   - low: The offset of the oldest record.
    ///   - high: The offset that the next record will get.
    public init(low: Int64, high: Int64) {
        self.low = low
        self.high = high
    }
}
