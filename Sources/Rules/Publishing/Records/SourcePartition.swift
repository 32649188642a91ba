package import Timestamps

/// One partition of a source topic.
package struct SourcePartition: Hashable, Sendable, CustomStringConvertible {
    package var topic: String
    package var number: Int32

    package init(topic: String, number: Int32) {
        self.topic = topic
        self.number = number
    }

    /// Such as `newsroom.breaking.v1[3]`, as Kafka's own tools write it.
    package var description: String { "\(topic)[\(number)]" }
}

/// Where a record stood in its topic.
package struct RecordOrigin: Hashable, Sendable {
    package var partition: SourcePartition
    package var offset: Int64
    /// The record's time by the broker or the producer.
    package var timestamp: Timestamp?

    package init(partition: SourcePartition, offset: Int64, timestamp: Timestamp? = nil) {
        self.partition = partition
        self.offset = offset
        self.timestamp = timestamp
    }
}
