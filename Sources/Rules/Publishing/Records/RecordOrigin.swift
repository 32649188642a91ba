package import NewsflashTimestamps
package import NewsflashTopicPartitions

/// The position of a record in its topic.
package struct RecordOrigin: Hashable, Sendable {
    package var partition: TopicPartition
    package var offset: Int64
    /// The record's time, set by the broker or the producer.
    package var timestamp: Timestamp?

    package init(partition: TopicPartition, offset: Int64, timestamp: Timestamp? = nil) {
        self.partition = partition
        self.offset = offset
        self.timestamp = timestamp
    }
}
