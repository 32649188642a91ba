package import Kafka
package import Publishing

/// What a configuration says of Kafka and its topics: enough to make them and to write events.
package struct TopicSettings: Sendable {
    package var kafka: KafkaConfiguration
    /// The consumer group, of which the ledger's name is made.
    package var group: String
    /// Whether the group is that of a configuration. If only brokers are named, the group may be any.
    package var isGroupKnown = true
    /// At least one; words are published to the first.
    package var sources: [SourceSettings]
    package var topics: TopicNames
    /// Whether there is a ledger.
    package var ledger: LedgerSettings.Use
    /// How far in the future an event may have been published.
    package var clockSkew: Duration

    /// Takes over what a worker is told.
    ///
    /// - Parameter configuration: Of the worker.
    package init(_ configuration: WorkerConfiguration) {
        kafka = configuration.kafka
        group = configuration.group
        sources = configuration.sources
        topics = configuration.topics
        ledger = configuration.ledger.use
        clockSkew = configuration.publishing.policy.clockSkew
    }

    /// Reads the sections that concern Kafka.
    ///
    /// - Parameter root: The whole configuration.
    init(_ root: ConfigurationSection) {
        let section = root.section("kafka")
        kafka = KafkaConfiguration(section)
        group = section.text("group") ?? WorkerConfiguration.usualGroup
        sources = SourceSettings.all(root)
        ledger = root.section("ledger").choice("use", of: LedgerSettings.Use.self) ?? .required
        topics = TopicNames(root, group: group, sources: &sources, ledger: ledger)
        clockSkew = root.section("policy").duration("clockSkew") ?? GatePolicy().clockSkew
    }

    /// Reads one topic of events, with a ledger of its own where the ledger's name is made of it.
    ///
    /// - Parameter topic: Of a source that is configured; another takes the first one's place.
    package mutating func read(_ topic: String) {
        var source = sources.first { $0.topic == topic } ?? self.source
        if source.ledger == TopicNames.ledger(group: group, source: source.topic) {
            source.ledger = TopicNames.ledger(group: group, source: topic)
        }
        source.topic = topic
        sources = [source]
    }

    /// Whether an outcome is of the group; older workers did not record it.
    package func isOfGroup(_ outcome: OutcomeRecord) -> Bool {
        !isGroupKnown || outcome.group.map { $0 == group } ?? true
    }

    /// The first source.
    package var source: SourceSettings { sources.first ?? .usual }
}
