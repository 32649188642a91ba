import Kafka
import StrictJSON

/// A needed topic and its present state.
struct PresentTopic: Sendable, Equatable {
    var needed: NeededTopic
    /// The topic in Kafka; `nil` if it is missing.
    var topic: KafkaTopic?
    /// Kafka's present settings; empty if they were not queried or the user may not read them.
    var settings: [String: String] = [:]

    /// The lowest number of replicas of a partition.
    var replicas: Int { topic?.partitions.map(\.replicas.count).min() ?? 0 }

    /// The topic on one line.
    var line: String {
        let heading = "\(needed.name) (\(needed.role.title)): "
        guard let topic else { return heading + "missing" }
        if let error = topic.error { return heading + error.description }
        let kept = needed.retention == nil ? "delete.retention.ms" : "retention.ms"
        let shown = ["cleanup.policy", kept, "max.message.bytes", "min.insync.replicas"]
            .compactMap { name in settings[name].map { "\(name)=\($0)" } }
        let facts = ["\(counted(topic.partitions.count, "partition"))", "on \(counted(replicas, "broker"))"]
        return heading + (facts + shown).joined(separator: ", ")
    }

    /// The topic as a JSON object.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("topic", needed.name)
        writer.member("role", needed.role.rawValue)
        writer.name("exists")
        writer.value(topic != nil)
        if let topic {
            writer.member("partitions", Int64(topic.partitions.count))
            writer.member("replicas", Int64(replicas))
            writer.member("error", topic.error?.description)
            writer.name("settings")
            writer.beginObject()
            for name in needed.settings.keys.sorted() + ["min.insync.replicas"] { writer.member(name, settings[name]) }
            writer.endObject()
        }
        writer.endObject()
        return writer.bytes
    }
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
    /// - Throws: ``CommandError`` if the cluster cannot be queried.
    static func present(
        _ needed: [NeededTopic],
        at cluster: KafkaConfiguration,
        withSettings: Bool = true
    ) async throws(CommandError) -> [PresentTopic] {
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
                    }
                }
                present.append(entry)
            }
            return present
        } catch {
            throw CommandError(.unavailable, cluster, error)
        }
    }
}
