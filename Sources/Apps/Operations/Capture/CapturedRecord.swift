import NewsflashEvents
import NewsflashKafka
import NewsflashTimestamps
package import NewsflashTopicPartitions

/// A record of a topic with its position.
package struct CapturedRecord: Sendable {
    package let partition: TopicPartition
    package let offset: Int64
    package let line: RecordLine

    /// The record's time for sorting; records without a time come first.
    var time: Timestamp { line.appendAt ?? Timestamp(nanoseconds: 0) }

    init(partition: TopicPartition, offset: Int64, line: RecordLine) {
        self.partition = partition
        self.offset = offset
        self.line = line
    }

    /// Makes a record of a message, with the name of its source; `nil` if the configuration has only one.
    init(_ message: KafkaMessage, source: String?) {
        self.init(
            partition: message.topicPartition,
            offset: message.offset,
            line: RecordLine(
                appendAt: message.timestamp,
                source: source,
                key: message.key,
                headers: message.headers.map { EventHeader(name: $0.name, value: $0.value) },
                value: message.value
            )
        )
    }
}
