/// One partition of one topic.
public struct KafkaTopicPartition: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The topic's name.
    public var topic: String
    /// The partition's number, from 0.
    public var partition: Int32

    /// Creates an identifier of a partition.
    ///
    /// - Parameters:
    ///   - topic: The topic's name.
    ///   - partition: The partition's number, from 0.
    public init(topic: String, partition: Int32) {
        self.topic = topic
        self.partition = partition
    }

    /// Orders by topic, then by number.
    public static func < (left: KafkaTopicPartition, right: KafkaTopicPartition) -> Bool {
        (left.topic, left.partition) < (right.topic, right.partition)
    }

    /// `topic[3]`.
    public var description: String { "\(topic)[\(partition)]" }
}

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
