package import Kafka
import StrictJSON
package import Worker

/// A needed topic and its present state.
package struct PresentTopic: Sendable, Equatable {
    package var needed: NeededTopic
    /// The topic in Kafka; `nil` if it is missing.
    package var topic: KafkaTopic?
    /// Kafka's present settings; empty if they were not queried or the user may not read them.
    package var settings: [String: String] = [:]

    /// The lowest number of replicas of a partition.
    package var replicas: Int { topic?.partitions.map(\.replicas.count).min() ?? 0 }

    /// The topic on one line.
    package var line: String {
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
    package var json: [UInt8] {
        JSONWriter.object { writer in
            writer.member("topic", needed.name)
            writer.member("role", needed.role.rawValue)
            writer.member("exists", topic != nil)
            if let topic {
                writer.member("partitions", Int64(topic.partitions.count))
                writer.member("replicas", Int64(replicas))
                writer.member("error", topic.error?.description)
                writer.name("settings")
                writer.beginObject()
                for name in needed.settings.keys.sorted() + ["min.insync.replicas"] {
                    writer.member(name, settings[name])
                }
                writer.endObject()
            }
        }
    }
}

/// Queries the topics of a cluster.
package enum TopicSurvey {
    /// Queries topics. Lists all topics, because a request for a topic's name may create it.
    ///
    /// - Parameters:
    ///   - needed: The topics.
    ///   - cluster: The cluster.
    ///   - withSettings: Whether to query Kafka's settings, too.
    /// - Returns: The same topics in the same order.
    /// - Throws: ``OperationError`` if the cluster cannot be queried.
    package static func present(
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

/// A topic that a worker reads or writes, with the settings for making it.
package struct NeededTopic: Sendable, Equatable {
    /// The use of the topic by the worker.
    package enum Role: String, Sendable {
        case source
        case outcomes
        case deadLetters = "dead-letters"
        case ledger
        case control

        /// The role for people.
        var title: String {
            switch self {
            case .source: "events"
            case .outcomes: "outcomes"
            case .deadLetters: "dead letters"
            case .ledger: "ledger"
            case .control: "orders to workers"
            }
        }
    }

    /// The largest event in bytes. Larger ones become dead letters.
    static let largestEvent = 262_144
    /// The largest record in the source topic, in bytes: the default of brokers. It is larger than an event may be, so that a
    /// too large event becomes a dead letter with a reason, and not an error that only its sender sees.
    static let largestRecord = 1_048_588
    /// Generous room for the key, the headers and the framing of a record, in bytes.
    static let roomForHeaders = 16_384
    /// The largest ledger record in bytes: the largest event in base64, and generous room for the facts.
    static let largestMemory = (largestEvent + 2) / 3 * 4 + 65_536
    /// How long a tombstone stays in a ledger, in milliseconds: one day. A worker must read the whole ledger within this time.
    static let tombstones: Int64 = 86_400_000

    var role: Role
    package var name: String
    /// The source topic of a ledger; `nil` for other topics.
    var source: String?

    /// Creates a topic.
    package init(role: Role, name: String, source: String? = nil) {
        (self.role, self.name, self.source) = (role, name, source)
    }

    /// The retention in milliseconds: 7 days for events, 30 days for outcomes and dead letters. `nil` for a ledger and for
    /// orders, which keep the last record of each key.
    var retention: Int64? {
        switch role {
        case .source: 7 * 86_400_000
        case .outcomes, .deadLetters: 30 * 86_400_000
        case .ledger, .control: nil
        }
    }

    /// Kafka's settings for the topic, by name.
    var settings: [String: String] {
        guard let retention else { return role == .control ? Self.controlSettings : Self.ledgerSettings }
        var settings = ["cleanup.policy": "delete", "retention.ms": "\(retention)"]
        switch role {
        case .source: settings["max.message.bytes"] = "\(Self.largestRecord)"
        case .outcomes, .ledger, .control: break
        case .deadLetters: settings["max.message.bytes"] = "\(Self.largestRecord + Self.roomForHeaders)"
        }
        return settings
    }

    /// The settings of a ledger. Workers read it whole when they start, so it is kept small: segments are small, are closed
    /// after an hour, and are compacted when a tenth of the topic is out of date.
    private static let ledgerSettings = [
        "cleanup.policy": "compact",
        "delete.retention.ms": "\(tombstones)",
        "max.message.bytes": "\(largestRecord)",
        "min.cleanable.dirty.ratio": "0.1",
        "segment.bytes": "67108864",
        "segment.ms": "3600000",
        // A worker that lost a partition may write an older record after a newer one, as long as its producer retries. The
        // newer one must not be deleted until the owner has merged both.
        "min.compaction.lag.ms": "600000",
    ]

    /// The settings of the control topic, which has few records that must never be lost.
    private static let controlSettings = ["cleanup.policy": "compact", "delete.retention.ms": "\(tombstones)"]

    /// The fixed number of partitions: one for orders, because their order matters; `nil` for other topics.
    var fixedPartitions: Int? { role == .control ? 1 : nil }

    /// The settings in a fixed order, for people.
    var settingsText: String {
        settings.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    }

    /// All topics of a worker.
    ///
    /// - Parameter settings: The settings with the names of the topics.
    /// - Returns: The topics: the sources first, their ledgers, if any, last.
    package static func all(of settings: TopicSettings) -> [NeededTopic] {
        let topics =
            settings.sources.map { NeededTopic(role: .source, name: $0.topic) } + [
                NeededTopic(role: .outcomes, name: settings.topics.outcomes),
                NeededTopic(role: .deadLetters, name: settings.topics.deadLetters),
                NeededTopic(role: .control, name: settings.topics.control),
            ]
        guard settings.ledger == .required else { return topics }
        return topics + settings.sources.map { NeededTopic(role: .ledger, name: $0.ledger, source: $0.topic) }
    }

    /// The topic as it would be made, on one line.
    ///
    /// - Parameter partitions: The number of partitions, unless it is fixed.
    /// - Returns: One line for people.
    package func line(partitions: Int) -> String {
        "\(name): would be made (\(role.title), \(counted(fixedPartitions ?? partitions, "partition")), \(settingsText))"
    }

    /// The topic as it would be made, as a JSON object.
    ///
    /// - Parameter partitions: The number of partitions, unless it is fixed.
    /// - Returns: The object, with all settings as strings.
    package func json(partitions: Int) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("topic", name)
        writer.member("role", role.rawValue)
        writer.member("partitions", Int64(fixedPartitions ?? partitions))
        writer.name("settings")
        writer.beginObject()
        for (setting, value) in settings.sorted(by: { $0.key < $1.key }) { writer.member(setting, value) }
        writer.endObject()
        writer.endObject()
        return writer.bytes
    }

    /// The request to Kafka for making the topic.
    func new(partitions: Int, replicationFactor: Int?) -> KafkaNewTopic {
        KafkaNewTopic(
            name: name,
            partitions: fixedPartitions ?? partitions,
            replicationFactor: replicationFactor,
            configuration: settings
        )
    }
}
