import NewsflashKafka
package import NewsflashWorker

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
            case .control: "commands"
            }
        }
    }

    /// The usual number of partitions of a new topic.
    static let usualPartitions = 6
    /// The largest event in bytes. Larger ones become dead letters.
    static let largestEvent = 262_144
    /// The largest record in the source topic, in bytes: the default of brokers. It is larger than an event may be, so that a
    /// too large event becomes a dead letter with a reason, and not an error that only its sender sees.
    static let largestRecord = 1_048_588
    /// Generous room for the key, the headers and the framing of a record, in bytes.
    static let roomForHeaders = 16_384
    /// Generous room for the facts in a ledger record, in bytes.
    static let roomForFacts = 65_536
    /// How long a tombstone stays in a ledger, in milliseconds: one day. A worker must read the whole ledger within this time.
    static let tombstones: Int64 = 86_400_000

    var role: Role
    package var name: String
    /// The source topic of a ledger; `nil` for other topics.
    var source: String?
    /// The largest value of the source of a ledger, in bytes.
    var largestValue: Int

    /// Creates a topic.
    package init(role: Role, name: String, source: String? = nil, largestValue: Int = largestEvent) {
        (self.role, self.name, self.source, self.largestValue) = (role, name, source, largestValue)
    }

    /// The largest ledger record in bytes: a waiting event is in it as a JSON string, in which each of its bytes takes at most
    /// two, and there are facts.
    var largestLedgerRecord: Int { 2 * largestValue + Self.roomForFacts }

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
        guard let retention else { return role == .control ? Self.controlSettings : ledgerSettings }
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
    private var ledgerSettings: [String: String] {
        [
            "cleanup.policy": "compact",
            "delete.retention.ms": "\(Self.tombstones)",
            "max.message.bytes": "\(max(Self.largestRecord, largestLedgerRecord))",
            "min.cleanable.dirty.ratio": "0.1",
            "segment.bytes": "67108864",
            "segment.ms": "3600000",
            // A worker that lost a partition may write an older record after a newer one, as long as its producer retries. The
            // newer one must not be deleted until the owner has merged both.
            "min.compaction.lag.ms": "600000",
        ]
    }

    /// The settings of the control topic, which has few records that must never be lost.
    private static let controlSettings = ["cleanup.policy": "compact", "delete.retention.ms": "\(tombstones)"]

    /// The fixed number of partitions: one for orders, because their order matters; `nil` for other topics.
    var fixedPartitions: Int? { role == .control ? 1 : nil }

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
        return topics
            + settings.sources.map { source in
                NeededTopic(
                    role: .ledger,
                    name: source.ledger,
                    source: source.topic,
                    largestValue: source.largestValue
                )
            }
    }

    /// The request to Kafka that creates the topic.
    ///
    /// - Parameters:
    ///   - partitions: The number of partitions, unless it is fixed.
    ///   - replicationFactor: The number of replicas; `nil` for the default of the brokers.
    ///   - largestRecord: The largest record of all sources in bytes, which must fit into a dead letter; `nil` for the default.
    /// - Returns: The request.
    func new(partitions: Int, replicationFactor: Int?, largestRecord: Int64? = nil) -> KafkaNewTopic {
        var settings = settings
        if role == .deadLetters, let largestRecord, largestRecord > Self.largestRecord {
            settings["max.message.bytes"] = "\(largestRecord + Int64(Self.roomForHeaders))"
        }
        return KafkaNewTopic(
            name: name,
            partitions: fixedPartitions ?? partitions,
            replicationFactor: replicationFactor,
            configuration: settings
        )
    }
}
