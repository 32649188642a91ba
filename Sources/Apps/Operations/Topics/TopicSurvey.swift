package import NewsflashKafka

/// A needed topic and its present state.
package struct PresentTopic: Sendable, Equatable {
    package var needed: NeededTopic
    /// The topic in Kafka; `nil` if it is missing.
    package var topic: KafkaTopic?
    /// Kafka's present settings; empty if they were not queried or the user may not read them.
    package var settings: [String: String] = [:]
    /// Whether the user may not read the settings.
    var hidesSettings = false

    /// The lowest number of replicas of a partition.
    var replicas: Int { topic?.partitions.map(\.replicas.count).min() ?? 0 }
}

/// Queries the topics of a cluster.
enum TopicSurvey {
    /// Queries topics. Lists all topics, because a request for a topic's name may create it.
    ///
    /// - Parameters:
    ///   - needed: The topics.
    ///   - cluster: The cluster.
    ///   - withSettings: Whether to query Kafka's settings, too.
    /// - Returns: The same topics in the same order.
    /// - Throws: ``OperationError`` if the cluster cannot be queried.
    static func present(
        _ needed: [NeededTopic],
        at cluster: KafkaConfiguration,
        withSettings: Bool = true
    ) async throws(OperationError) -> [PresentTopic] {
        do throws(KafkaError) {
            let admin = try KafkaAdmin(cluster)
            let topics = try await SlowOperationNotice.noting("asking Kafka at \(cluster.bootstrapServers)") {
                () throws(KafkaError) in
                try await admin.topics()
            }
            var present: [PresentTopic] = []
            var answers = withSettings
            for topic in needed {
                var entry = PresentTopic(needed: topic, topic: topics.first { $0.name == topic.name })
                if answers, entry.topic?.error == nil, entry.topic != nil {
                    do throws(KafkaError) {
                        entry.settings = try await admin.configuration(ofTopic: topic.name, timeout: .seconds(5))
                    } catch {
                        // The right to read settings is optional; without it the topics are still shown. If the cluster
                        // does not answer at all, it is not queried for more settings.
                        answers = !error.meansUnreachable
                        entry.hidesSettings = error.meansForbidden
                    }
                }
                present.append(entry)
            }
            return present
        } catch {
            throw OperationError(.unavailable, cluster, error)
        }
    }
}
