import Kafka

/// Partitions that no longer exist, because their topic was deleted or recreated with fewer partitions. Their unread records
/// are lost.
///
/// librdkafka 2.0.2 reports this only in its log, and the group may leave such a partition to its owner.
struct RemovedPartitions: Sendable {
    private struct Seen: Sendable {
        var position: Int64
        var end: Int64
    }

    /// Our partitions at the latest response of their leaders.
    private var seen: [KafkaTopicPartition: Seen] = [:]

    /// Records the responses of leaders.
    ///
    /// - Parameters:
    ///   - ends: The end offsets of our partitions; those without a response are missing.
    ///   - positions: The earlier positions in our partitions.
    /// - Returns: Partitions with unread records that have no end offset or were revoked. The caller asks the cluster whether
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
    ///   - partition: A partition that ``looked(ends:positions:)`` returned.
    ///   - isOurs: Whether it was not revoked.
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
