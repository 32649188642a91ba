import NewsflashKafka
import NewsflashTopicPartitions

/// Finds topics that a command reads or writes.
enum UsableTopics {
    /// The use of topics by a command.
    enum Use: Sendable {
        /// These partitions are read; `nil` for all.
        case read(Set<TopicPartition>?)
        /// Some partitions are written.
        case written

        fileprivate var right: String {
            switch self {
            case .read: "Read"
            case .written: "Write"
            }
        }
    }

    /// How long partitions may have no leader. Brokers choose another one within seconds.
    private static let patience = Duration.seconds(5)

    /// Finds topics. Lists all topics, because a request for a topic's name may create it.
    ///
    /// - Parameters:
    ///   - names: The names of the topics.
    ///   - cluster: The cluster.
    ///   - use: The use of the topics.
    /// - Returns: The topics, in the order of their names.
    /// - Throws: ``OperationError`` if one is missing or cannot be seen, or if a needed partition has no leader.
    static func find(
        _ names: [String],
        at cluster: KafkaConfiguration,
        to use: Use
    ) async throws(OperationError) -> [KafkaTopic] {
        let end = ContinuousClock.now + patience
        while true {
            let topics = try await list(names, at: cluster, use)
            guard let problem = topics.lazy.compactMap({ $0.leaderProblem(use) }).first else { return topics }
            guard ContinuousClock.now < end, (try? await Task.sleep(for: .milliseconds(500))) != nil else {
                throw OperationError(.unavailable, "Kafka at \(cluster.bootstrapServers): \(problem)")
            }
        }
    }

    private static func list(
        _ names: [String],
        at cluster: KafkaConfiguration,
        _ use: Use
    ) async throws(OperationError) -> [KafkaTopic] {
        let right = "\(use.right) on the topic \(names.joined(separator: ", "))"
        let present: [KafkaTopic]
        do throws(KafkaError) {
            let admin = try KafkaAdmin(cluster)
            present = try await SlowOperationNotice.noting("asking Kafka at \(cluster.bootstrapServers)") {
                () async throws(KafkaError) in
                try await admin.topics()
            }
        } catch {
            throw OperationError(.unavailable, cluster, error, right: right)
        }
        var topics: [KafkaTopic] = []
        for name in names {
            guard let topic = present.first(where: { $0.name == name }) else {
                throw OperationError(
                    .unavailable,
                    "Kafka at \(cluster.bootstrapServers) has no topic \(name), or does not show it to \(cluster.user): make it "
                        + "with 'newsflash topics apply', or give the user the right \(right) (guide kafka-rights)"
                )
            }
            if let error = topic.error { throw OperationError(.unavailable, cluster, error, right: right) }
            topics.append(topic)
        }
        return topics
    }
}

extension KafkaTopic {
    /// Why the topic cannot be used, and what to do; `nil` if the needed partitions have leaders.
    func leaderProblem(_ use: UsableTopics.Use) -> String? {
        var numbers = partitions.filter { $0.leader == nil }.map(\.number)
        switch use {
        case .read(nil): break
        case .read(let wanted?): numbers.removeAll { !wanted.contains(TopicPartition(topic: name, partition: $0)) }
        case .written: guard numbers.count == partitions.count else { return nil }
        }
        guard !numbers.isEmpty else { return nil }
        let list = numbers.map(String.init).joined(separator: ", ")
        return numbers.count == 1
            ? "partition \(list) of \(name) has no leader: bring its brokers back"
            : "partitions \(list) of \(name) have no leader: bring their brokers back"
    }
}
