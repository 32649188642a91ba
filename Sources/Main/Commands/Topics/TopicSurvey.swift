import Kafka
import StrictJSON

/// A topic that is needed, and what there is of it.
struct PresentTopic: Sendable, Equatable {
    var needed: NeededTopic
    /// Nothing where it is missing.
    var topic: KafkaTopic?
    /// Kafka's settings in force; empty where they were not asked for or may not be seen.
    var settings: [String: String] = [:]

    /// The fewest brokers that hold a partition.
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

/// Asks a cluster for topics.
enum TopicSurvey {
    /// Looks at topics, without making any: brokers may make a topic that is asked for by its name.
    ///
    /// - Parameters:
    ///   - needed: Which ones.
    ///   - cluster: Where.
    ///   - withSettings: Whether to ask for Kafka's settings too.
    /// - Returns: The same topics in the same order.
    /// - Throws: ``CommandError`` where the cluster cannot be asked.
    static func present(
        _ needed: [NeededTopic],
        at cluster: KafkaConfiguration,
        withSettings: Bool = true
    ) async throws(CommandError) -> [PresentTopic] {
        do throws(KafkaError) {
            let admin = try KafkaAdmin(cluster)
            let topics = try await Patience.noting("asking Kafka at \(cluster.bootstrapServers)") {
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
                        // Credentials may do without the right to see settings; what can be seen is told all the same. Who does
                        // not answer at all knows no settings, and is not asked again.
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
