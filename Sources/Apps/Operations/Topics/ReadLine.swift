import Basics
package import Kafka
import NewsEvents
package import Timestamps
package import TopicPartitions
import Worker

/// The line of a record, with the position and time for sorting.
package struct ReadLine: Sendable {
    package let partition: TopicPartition
    package let offset: Int64
    package let timestamp: Timestamp
    package let json: [UInt8]

    package init(partition: TopicPartition, offset: Int64, timestamp: Timestamp, json: [UInt8]) {
        self.partition = partition
        self.offset = offset
        self.timestamp = timestamp
        self.json = json
    }

    package init(_ message: KafkaMessage, source: String?) {
        let line = RecordLine(
            appendAt: message.timestamp,
            source: source,
            key: message.key,
            headers: message.headers.map { EventHeader(name: $0.name, value: $0.value) },
            value: message.value
        )
        self.init(
            partition: message.topicPartition,
            offset: message.offset,
            timestamp: message.timestamp ?? Timestamp(nanoseconds: 0),
            json: line.json
        )
    }

    /// Sorts lines by time. A record is never before an earlier one of its partition, even if clocks of producers differ.
    package static func inOrder(_ lines: [ReadLine]) -> [ReadLine] {
        var timed: [(time: Timestamp, line: ReadLine)] = []
        timed.reserveCapacity(lines.count)
        for part in Dictionary(grouping: lines, by: \.partition).values {
            var latest = Timestamp(nanoseconds: .min)
            for line in part.sorted(by: { $0.offset < $1.offset }) {
                latest = max(latest, line.timestamp)
                timed.append((latest, line))
            }
        }
        func place(_ line: ReadLine) -> (String, Int32, Int64) {
            (line.partition.topic, line.partition.partition, line.offset)
        }
        return timed.sorted { $0.time == $1.time ? place($0.line) < place($1.line) : $0.time < $1.time }.map(\.line)
    }
}
