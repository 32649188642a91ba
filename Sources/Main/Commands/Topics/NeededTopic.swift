import Kafka
import StrictJSON
import Worker

/// A topic that a worker reads or writes, as it would make it.
struct NeededTopic: Sendable, Equatable {
    /// What the worker does with it.
    enum Role: String, Sendable {
        case source
        case outcomes
        case deadLetters = "dead-letters"

        /// For people.
        var title: String {
            switch self {
            case .source: "events"
            case .outcomes: "outcomes"
            case .deadLetters: "dead letters"
            }
        }
    }

    /// The largest event that a worker reads; larger ones are dead letters.
    static let largestEvent = 262_144
    /// The largest record the source takes: more than an event may have, so that one that is too large is told as a dead
    /// letter, with its reason, instead of an error that only its sender sees. The default of brokers.
    static let largestRecord = 1_048_588
    /// What key, headers and the frame of a record may take beside its value, generously.
    static let roomForHeaders = 16_384

    var role: Role
    var name: String

    /// How long records are kept, in milliseconds: a week of events, a month of what became of them.
    var retention: Int64 { (role == .source ? 7 : 30) * 86_400_000 }

    /// Kafka's settings for the topic by their names.
    var settings: [String: String] {
        var settings = ["cleanup.policy": "delete", "retention.ms": "\(retention)"]
        switch role {
        case .source: settings["max.message.bytes"] = "\(Self.largestRecord)"
        case .outcomes: break
        case .deadLetters: settings["max.message.bytes"] = "\(Self.largestRecord + Self.roomForHeaders)"
        }
        return settings
    }

    /// The settings in a fixed order, for people.
    var settingsText: String {
        settings.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    }

    /// All topics of a worker.
    ///
    /// - Parameter configuration: Names them.
    /// - Returns: The source first.
    static func all(of configuration: WorkerConfiguration) -> [NeededTopic] {
        [
            NeededTopic(role: .source, name: configuration.source.topic),
            NeededTopic(role: .outcomes, name: configuration.topics.outcomes),
            NeededTopic(role: .deadLetters, name: configuration.topics.deadLetters),
        ]
    }

    /// The topic as Kafka is asked to make it.
    func new(partitions: Int, replicationFactor: Int?) -> KafkaNewTopic {
        KafkaNewTopic(
            name: name,
            partitions: partitions,
            replicationFactor: replicationFactor,
            configuration: settings
        )
    }

    /// What became of the wish to make it, as a JSON object.
    func json(result: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("topic", name)
        writer.member("role", role.rawValue)
        writer.member("result", result)
        writer.endObject()
        return writer.bytes
    }
}
