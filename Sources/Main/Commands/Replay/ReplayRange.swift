import CommandLineArguments
import Kafka

/// A range of offsets in one partition, including the last, as in `--offsets 3@48120..48200`.
struct ReplayRange: ExpressibleByArgument, Sendable, Equatable {
    var partition: Int32
    var offsets: ClosedRange<Int64>

    init?(argument: String) {
        let parts = argument.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, let partition = Int32(parts[0]), partition >= 0 else { return nil }
        let ends = parts[1].replacing("..", with: "@").split(separator: "@", omittingEmptySubsequences: false)
        guard let first = ends.first.flatMap({ Int64($0) }), first >= 0 else { return nil }
        let last: Int64? = ends.count == 1 ? first : ends.count == 2 ? Int64(ends[1]) : nil
        guard let last, last >= first, last < .max else { return nil }
        self.partition = partition
        offsets = first...last
    }
}

extension [ReplayRange] {
    /// The first offset of each partition, and the offset after its last record.
    ///
    /// - Parameter topic: The topic of the partitions.
    /// - Returns: The bounds for a scan, which also reads the records between two ranges.
    func ends(
        of topic: String
    ) -> (from: [KafkaTopicPartition: Int64], to: [KafkaTopicPartition: Int64]) {
        var from: [KafkaTopicPartition: Int64] = [:]
        var to: [KafkaTopicPartition: Int64] = [:]
        for range in self {
            let partition = KafkaTopicPartition(topic: topic, partition: range.partition)
            from[partition] = Swift.min(from[partition] ?? .max, range.offsets.lowerBound)
            to[partition] = Swift.max(to[partition] ?? 0, range.offsets.upperBound + 1)
        }
        return (from, to)
    }

    /// Whether a record is in a range. Without ranges, every record is.
    func contains(partition: Int32, offset: Int64) -> Bool {
        isEmpty || contains { $0.partition == partition && $0.offsets.contains(offset) }
    }
}
