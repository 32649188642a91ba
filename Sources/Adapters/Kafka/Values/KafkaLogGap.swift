public import NewsflashTopicPartitions

/// Records of a partition that its log does not have any more.
public struct KafkaLogGap: Sendable, Hashable {
    /// Why the log does not have them.
    public enum Reason: String, Sendable, CaseIterable {
        /// The records were deleted before they were read: by retention, or by an operator.
        case retention
        /// The log ends before an offset that was read: an unclean leader election has truncated it, or the topic was created
        /// again within seconds.
        case truncated
        /// The topic was deleted and created again, and its offsets began at zero again.
        case topicRecreated = "topic_recreated"
        /// The partition does not exist any more: its topic was deleted, or created again with fewer partitions. Consumers do
        /// not report this.
        case partitionRemoved = "partition_removed"
    }

    /// The partition.
    public var partition: TopicPartition
    /// The offsets. After a deletion these were never read. After a truncation, or in a topic that was created again, these are
    /// the offsets from the new end on that were read before; how many more records the log had after them is unknown.
    public var offsets: Range<Int64>
    /// Why the log does not have them.
    public var reason: Reason

    /// Creates a gap.
    ///
    /// - Parameters:
    ///   - partition: The partition.
    ///   - offsets: The offsets.
    ///   - reason: Why the log does not have them.
    public init(partition: TopicPartition, offsets: Range<Int64>, reason: Reason) {
        self.partition = partition
        self.offsets = offsets
        self.reason = reason
    }
}
