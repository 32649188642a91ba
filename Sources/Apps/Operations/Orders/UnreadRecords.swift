import FoundationEssentials
package import NewsflashKafka
import NewsflashTopicPartitions
package import NewsflashWorker

/// Counts the records of sources that no worker has processed.
package enum UnreadRecords {
    /// Queries Kafka.
    ///
    /// - Returns: The sources with such records, in their order.
    /// - Throws: `KafkaError` if the cluster cannot be queried, or a right is missing.
    package static func count(_ settings: TopicSettings) async throws(KafkaError) -> [(source: String, records: Int64)]
    {
        let admin = try KafkaAdmin(settings.kafka)
        let topics = try await admin.topics()
        var counts: [(source: String, records: Int64)] = []
        for source in settings.sources {
            let partitions = topics.first { $0.name == source.topic }?.partitions ?? []
            let places = partitions.map { TopicPartition(topic: source.topic, partition: $0.number) }
            guard !places.isEmpty else { continue }
            let watermarks = try await admin.watermarks(of: places)
            let committed = try await admin.committedOffsets(ofGroup: settings.group, partitions: places)
            let records = watermarks.reduce(Int64(0)) { sum, mark in
                // Records that retention has deleted are not counted.
                sum + max(0, mark.value.high - max(mark.value.low, committed[mark.key] ?? mark.value.low))
            }
            if records > 0 { counts.append((source.name, records)) }
        }
        return counts
    }
}
