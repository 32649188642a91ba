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
        case ledger
        case control

        /// For people.
        var title: String {
            switch self {
            case .source: "events"
            case .outcomes: "outcomes"
            case .deadLetters: "dead letters"
            case .ledger: "memory of stories"
            case .control: "orders to pause and resume"
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
    /// What a ledger's record may take: the largest event, four bytes for three of it, and what was sent, generously.
    static let largestMemory = (largestEvent + 2) / 3 * 4 + 65_536
    /// For how long a story's end stays in a ledger: a worker that reads the whole ledger must not take longer. A day.
    static let tombstones: Int64 = 86_400_000

    var role: Role
    var name: String
    /// Of a ledger, the topic whose stories it remembers.
    var source: String?

    /// How long records are kept, in milliseconds: a week of events, a month of what became of them; `nil` for a ledger,
    /// which keeps the last record of each story, and for orders, of which the last of each source is in force.
    var retention: Int64? {
        switch role {
        case .source: 7 * 86_400_000
        case .outcomes, .deadLetters: 30 * 86_400_000
        case .ledger, .control: nil
        }
    }

    /// Kafka's settings for the topic by their names.
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

    /// A ledger is read whole before a worker begins, so it is kept short: small segments that are soon closed, and
    /// compacted as soon as a tenth of it is out of date.
    private static let ledgerSettings = [
        "cleanup.policy": "compact",
        "delete.retention.ms": "\(tombstones)",
        "max.message.bytes": "\(largestRecord)",
        "min.cleanable.dirty.ratio": "0.1",
        "segment.bytes": "67108864",
        "segment.ms": "3600000",
        // A worker that lost a partition may overwrite a newer record for as long as its producer tries: until the owner has
        // merged both, the newer one must not be deleted.
        "min.compaction.lag.ms": "600000",
    ]

    /// A few records that must never be lost.
    private static let controlSettings = ["cleanup.policy": "compact", "delete.retention.ms": "\(tombstones)"]

    /// How many partitions it gets, whatever the others have: orders are read in their order. `nil` where that is free.
    var fixedPartitions: Int? { role == .control ? 1 : nil }

    /// The settings in a fixed order, for people.
    var settingsText: String {
        settings.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    }

    /// All topics of a worker.
    ///
    /// - Parameter settings: Name them.
    /// - Returns: The sources first, and their ledgers, where there are any, last.
    static func all(of settings: TopicSettings) -> [NeededTopic] {
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
    /// - Parameter partitions: How many it would get.
    /// - Returns: For people.
    func line(partitions: Int) -> String {
        "\(name): would be made (\(role.title), \(counted(fixedPartitions ?? partitions, "partition")), \(settingsText))"
    }

    /// The topic as it would be made, as a JSON object.
    ///
    /// - Parameter partitions: How many it would get.
    /// - Returns: With all settings, as texts.
    func json(partitions: Int) -> [UInt8] {
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

    /// The topic as Kafka is asked to make it.
    func new(partitions: Int, replicationFactor: Int?) -> KafkaNewTopic {
        KafkaNewTopic(
            name: name,
            partitions: fixedPartitions ?? partitions,
            replicationFactor: replicationFactor,
            configuration: settings
        )
    }
}
