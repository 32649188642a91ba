package import Kafka
import NewsEvents
import Timestamps
package import TopicPartitions

/// A record of a topic with its position.
package struct CapturedRecord: Sendable {
    package let partition: TopicPartition
    package let offset: Int64
    package let line: RecordLine

    /// The record's time for sorting; records without a time come first.
    private var time: Timestamp { line.appendAt ?? Timestamp(nanoseconds: 0) }

    package init(partition: TopicPartition, offset: Int64, line: RecordLine) {
        self.partition = partition
        self.offset = offset
        self.line = line
    }

    /// Makes a record of a message, with the name of its source; `nil` if the configuration has only one.
    package init(_ message: KafkaMessage, source: String?) {
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

    /// Sorts records by time. A record is never before an earlier one of its partition, even if clocks of producers differ.
    package static func inOrder(_ records: [CapturedRecord]) -> [CapturedRecord] {
        var timed: [(time: Timestamp, record: CapturedRecord)] = []
        timed.reserveCapacity(records.count)
        for part in Dictionary(grouping: records, by: \.partition).values {
            var latest = Timestamp(nanoseconds: .min)
            for record in part.sorted(by: { $0.offset < $1.offset }) {
                latest = max(latest, record.time)
                timed.append((latest, record))
            }
        }
        func place(_ record: CapturedRecord) -> (String, Int32, Int64) {
            (record.partition.topic, record.partition.partition, record.offset)
        }
        return timed.sorted { $0.time == $1.time ? place($0.record) < place($1.record) : $0.time < $1.time }
            .map(\.record)
    }
}
