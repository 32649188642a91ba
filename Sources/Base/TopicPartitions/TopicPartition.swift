/// One partition of one topic.
public struct TopicPartition: Sendable, Hashable, Comparable, CustomStringConvertible {
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
    public static func < (left: TopicPartition, right: TopicPartition) -> Bool {
        (left.topic, left.partition) < (right.topic, right.partition)
    }

    /// The partition in the form of Kafka's tools, such as `newsroom.breaking.v1[3]`.
    public var description: String { "\(topic)[\(partition)]" }
}
