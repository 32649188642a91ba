import Kafka
import Publishing
import Timestamps
import Worker

extension GroupSnapshot {
    /// The maximum time for reading single records.
    private static let readingLimit = Duration.seconds(10)

    /// Queries the state of the group in Kafka.
    ///
    /// - Parameter settings: The cluster, the group and the topics.
    /// - Returns: The state of the group.
    /// - Throws: ``CommandError`` if Kafka cannot be queried, or a topic of events is missing.
    static func query(_ settings: TopicSettings) async throws(CommandError) -> GroupSnapshot {
        let holds = try await holds(settings)
        let cluster = settings.kafka
        do throws(KafkaError) {
            let admin = try KafkaAdmin(cluster)
            return try await SlowOperationNotice.noting("asking Kafka at \(cluster.bootstrapServers)") {
                () async throws(KafkaError) in
                GroupSnapshot(
                    group: settings.group,
                    cluster: cluster.bootstrapServers,
                    now: .now(),
                    partitions: try await partitions(settings, admin),
                    holds: holds,
                    newest: try await newest(of: settings.topics.outcomes, cluster, admin)
                )
            }
        } catch {
            throw CommandError(.unavailable, cluster, error)
        }
    }

    /// The orders that pause sources; `nil` if the topic of orders is missing.
    private static func holds(_ settings: TopicSettings) async throws(CommandError) -> [ControlRecord]? {
        let needed = NeededTopic(role: .control, name: settings.topics.control)
        let present = try await TopicSurvey.present([needed], at: settings.kafka, withSettings: false)
        guard present.first?.topic != nil else { return nil }
        return try await ControlTopic(settings).holds().inForce
    }

    private static func partitions(
        _ settings: TopicSettings,
        _ admin: KafkaAdmin
    ) async throws(KafkaError) -> [Partition] {
        var places: [KafkaTopicPartition] = []
        for source in settings.sources { places += try await admin.partitions(of: source.topic) }
        let watermarks = try await admin.watermarks(of: places)
        let committed = try await admin.committedOffsets(ofGroup: settings.group, partitions: places)
        var starts: [KafkaTopicPartition: Int64] = [:]
        for place in places {
            // Records that retention deleted do not count as lag.
            guard let ends = watermarks[place] else { continue }
            let start = max(ends.low, committed[place] ?? ends.low)
            if start < ends.high { starts[place] = start }
        }
        let times = try await RecordTimes.first(from: starts, at: settings.kafka, within: readingLimit)
        let now = Timestamp.now()
        return places.map { place in
            let end = watermarks[place]?.high ?? 0
            return Partition(
                place: place,
                committed: committed[place],
                end: end,
                records: starts[place].map { max(0, end - $0) } ?? 0,
                age: times[place].map { max(.zero, now - $0) }
            )
        }
    }

    private static func newest(
        of topic: String,
        _ cluster: KafkaConfiguration,
        _ admin: KafkaAdmin
    ) async throws(KafkaError) -> Newest? {
        guard try await admin.topics().contains(where: { $0.name == topic && $0.error == nil }) else { return nil }
        let watermarks = try await admin.watermarks(of: try await admin.partitions(of: topic))
        let lasts = watermarks.compactMapValues { $0.high > $0.low ? $0.high - 1 : nil }
        return try await RecordTimes.first(from: lasts, at: cluster, within: readingLimit)
            .max { $0.value < $1.value }
            .map { Newest(place: $0.key, at: $0.value) }
    }
}

extension KafkaAdmin {
    /// The partitions of a topic.
    fileprivate func partitions(of topic: String) async throws(KafkaError) -> [KafkaTopicPartition] {
        // Searched in the list of all topics, because a request for a topic's name may create it.
        guard let found = try await topics().first(where: { $0.name == topic }) else {
            throw KafkaError(
                .unknownTopicOrPartition,
                "there is no topic \(topic): check the configuration, or make it with 'newsflash topics create'"
            )
        }
        if let error = found.error { throw error }
        return found.partitions.map { KafkaTopicPartition(topic: topic, partition: $0.number) }
    }
}
