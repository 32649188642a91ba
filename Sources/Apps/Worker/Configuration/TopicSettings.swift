package import NewsflashKafka
package import NewsflashPublishing

/// The settings of Kafka and its topics: enough to create the topics and to publish events.
package struct TopicSettings: Sendable {
    package var kafka: KafkaConfiguration
    /// The consumer group. The ledger is named after it.
    package var group: String
    /// Whether the group comes from a configuration. If only brokers are named, the group may be any.
    package var isGroupKnown = true
    /// At least one source. Events written on the command line are published to the first.
    package var sources: [SourceSettings]
    package var topics: TopicNames
    /// Whether there is a ledger.
    package var ledger: LedgerSettings.Use
    /// How far in the future the publication time of an event may be.
    package var clockSkew: Duration

    /// Copies the settings from a worker's configuration.
    ///
    /// - Parameter configuration: The worker's configuration.
    package init(_ configuration: WorkerConfiguration) {
        kafka = configuration.kafka
        group = configuration.group
        sources = configuration.sources
        topics = configuration.topics
        ledger = configuration.ledger.use
        clockSkew = configuration.publishing.policy.clockSkew
    }

    /// Reads the sections that concern Kafka.
    init(_ root: ConfigurationSection) {
        let section = root.section("kafka")
        kafka = KafkaConfiguration(section)
        group = section.value("group")
        sources = SourceSettings.all(root)
        ledger = root.section("ledger").choice("use", of: LedgerSettings.Use.self)
        topics = TopicNames(root, group: group, sources: &sources, ledger: ledger)
        clockSkew = root.section("policy").duration("clockSkew")
    }

    /// Restricts the settings to one topic of events. If the ledger's name is derived from the topic, it is derived from this
    /// one.
    ///
    /// - Parameter topic: The topic of a configured source. Another topic gets the settings of the first source.
    package mutating func read(_ topic: String) {
        var source = sources.first { $0.topic == topic } ?? self.source
        if source.ledger == TopicNames.ledger(group: group, source: source.topic) {
            source.ledger = TopicNames.ledger(group: group, source: topic)
        }
        source.topic = topic
        sources = [source]
    }

    /// Whether an outcome belongs to the group. Older workers did not record the group.
    package func isOfGroup(_ outcome: OutcomeRecord) -> Bool {
        !isGroupKnown || outcome.group.map { $0 == group } ?? true
    }

    /// The first source.
    package var source: SourceSettings { sources.first ?? .usual }
}
