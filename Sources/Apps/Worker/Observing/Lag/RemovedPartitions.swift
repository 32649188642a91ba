import Kafka

/// Partitions that do not exist any more, because their topic was deleted, or created again with fewer partitions. Nobody reads
/// the records that they had.
///
/// librdkafka 2.0.2 reports that in its log alone, and the group may leave such a partition to its owner.
struct RemovedPartitions: Sendable {
    private struct Seen: Sendable {
        var position: Int64
        var end: Int64
    }

    /// Our partitions, as they were when their leaders were asked last.
    private var seen: [KafkaTopicPartition: Seen] = [:]

    /// Records what leaders responded.
    ///
    /// - Parameters:
    ///   - ends: The ends of our partitions; without those of which none came.
    ///   - positions: The positions in our partitions before that.
    /// - Returns: Partitions with unread records of which no end came, or that have left. The caller asks the cluster whether
    ///   they exist.
    mutating func looked(
        ends: [KafkaTopicPartition: Int64],
        positions: [KafkaTopicPartition: Int64]
    ) -> [KafkaTopicPartition] {
        for (partition, position) in positions {
            if let end = ends[partition] {
                seen[partition] = Seen(position: position, end: end)
            } else {
                seen[partition]?.position = position
            }
        }
        seen = seen.filter { positions[$0.key] != nil || $0.value.position < $0.value.end }
        return seen.filter { ends[$0.key] == nil && $0.value.position < $0.value.end }.keys.sorted()
    }

    /// Records that a partition exists.
    ///
    /// - Parameters:
    ///   - partition: One that ``looked(ends:positions:)`` has returned.
    ///   - isOurs: Whether it has not left.
    mutating func exists(_ partition: KafkaTopicPartition, isOurs: Bool) {
        if !isOurs { seen[partition] = nil }
    }

    /// Records that a partition does not exist.
    ///
    /// - Returns: Its unread records; `nil` if they were returned before.
    mutating func isRemoved(_ partition: KafkaTopicPartition) -> KafkaLogGap? {
        seen.removeValue(forKey: partition).map { seen in
            KafkaLogGap(partition: partition, offsets: seen.position..<seen.end, reason: .partitionRemoved)
        }
    }
}
