/// One partition of one topic.
public struct KafkaTopicPartition: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The topic's name.
    public var topic: String
    /// The partition's number, from 0.
    public var partition: Int32

    /// Names a partition.
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

/// Where in a partition to begin to read.
public enum KafkaOffset: Sendable, Hashable {
    /// At the oldest record.
    case beginning
    /// After the newest record.
    case end
    /// Where the group left off.
    case committed
    /// At a record, or the next one when it is no longer there.
    case at(Int64)
}

/// The records a partition holds, as numbers: from `low` up to but without `high`.
public struct KafkaWatermarks: Sendable, Hashable {
    /// The offset of the oldest record.
    public var low: Int64
    /// The offset the next record will get.
    public var high: Int64

    /// Makes a pair of watermarks.
    ///
    /// - Parameters:
    ///   - low: The offset of the oldest record.
    ///   - high: The offset the next record will get.
    public init(low: Int64, high: Int64) {
        self.low = low
        self.high = high
    }
}
