package import Timestamps

/// One partition of a source topic.
package struct SourcePartition: Hashable, Sendable, CustomStringConvertible {
    package var topic: String
    package var number: Int32

    package init(topic: String, number: Int32) {
        self.topic = topic
        self.number = number
    }

    /// The partition in the form of Kafka's tools, such as `newsroom.breaking.v1[3]`.
    package var description: String { "\(topic)[\(number)]" }
}

/// The position of a record in its topic.
package struct RecordOrigin: Hashable, Sendable {
    package var partition: SourcePartition
    package var offset: Int64
    /// The record's time, set by the broker or the producer.
    package var timestamp: Timestamp?

    package init(partition: SourcePartition, offset: Int64, timestamp: Timestamp? = nil) {
        self.partition = partition
        self.offset = offset
        self.timestamp = timestamp
    }
}
