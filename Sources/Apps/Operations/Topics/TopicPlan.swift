package import NewsflashKafka

/// The difference between the topics that a worker needs and those in Kafka.
package struct TopicPlan: Sendable {
    /// A new value of one of Kafka's settings.
    package struct Change: Sendable, Equatable {
        package let name: String
        package let present: String
        package let needed: String
    }

    /// One topic of the worker.
    package struct Entry: Sendable {
        package let present: PresentTopic
        /// The request that creates a missing topic.
        var creation: KafkaNewTopic?
        package var changes: [Change] = []
        /// The larger number of partitions of an existing topic; `nil` if the number stays.
        package var partitions: Int?
        /// The findings that only a person can do something about.
        package var findings: [TopicFinding] = []

        package var name: String { present.needed.name }
        var isChanged: Bool { creation != nil || !changes.isEmpty || partitions != nil }
    }

    package private(set) var entries: [Entry]
    /// The ledgers that were read because their source grows, or may have grown: one plan for each.
    var growths: [GrowthPlan] = []

    /// Compares topics with what a worker needs.
    ///
    /// - Parameters:
    ///   - present: The worker's topics.
    ///   - partitions: The wanted number of partitions of the sources, which is also that of new topics; `nil` to keep the
    ///     number of existing topics.
    ///   - replicationFactor: The number of replicas of new topics; `nil` for the default of the brokers.
    package init(_ present: [PresentTopic], partitions: Int? = nil, replicationFactor: Int? = nil) {
        let findings = TopicFinding.all(in: present, partitions: partitions)
        let counts = Self.counts(present, partitions)
        let largestRecord = present.filter { $0.needed.role == .source }.largest?.largestRecord
        entries = present.map { topic in
            let needed = topic.needed
            let count = counts[needed.source ?? needed.name]
            var entry = Entry(present: topic)
            guard let present = topic.topic else {
                entry.creation = needed.new(
                    partitions: count ?? partitions ?? NeededTopic.usualPartitions,
                    replicationFactor: replicationFactor,
                    largestRecord: largestRecord
                )
                return entry
            }
            if let count, present.error == nil, present.partitions.count < count { entry.partitions = count }
            for finding in findings where finding.topic == needed.name {
                switch finding.remedy {
                case .set(let name, let value):
                    entry.changes.append(Change(name: name, present: topic.settings[name] ?? "", needed: value))
                case nil: entry.findings.append(finding)
                case .create, .grow: break
                }
            }
            return entry
        }
    }

    /// The plan for a cluster that has none of the topics.
    package init(offline needed: [NeededTopic], partitions: Int? = nil, replicationFactor: Int? = nil) {
        let missing = needed.map { PresentTopic(needed: $0) }
        self.init(missing, partitions: partitions, replicationFactor: replicationFactor)
    }

    /// The number of partitions that each source and its ledger need, by the name of the source.
    private static func counts(_ present: [PresentTopic], _ wanted: Int?) -> [String: Int] {
        var counts: [String: Int] = [:]
        for source in present where source.needed.role == .source {
            let ledger = present.first { $0.needed.role == .ledger && $0.needed.source == source.needed.name }
            let (own, other) = (source.partitionCount, ledger?.partitionCount ?? 0)
            let least = wanted ?? (own + other > 0 ? 1 : NeededTopic.usualPartitions)
            counts[source.needed.name] = max(least, own, other)
        }
        return counts
    }

    /// The requests that create missing topics.
    package var creations: [KafkaNewTopic] { entries.compactMap(\.creation) }

    /// The growths that have work left: partitions to add, or stories to move.
    package var pendingGrowths: [GrowthPlan] { growths.filter { !$0.isDone } }

    /// The number of topics to create or change, and of ledgers with stories to move.
    package var changeCount: Int {
        let moving = growths.filter { !$0.moves.isEmpty }.map(\.ledger)
        return entries.count { $0.isChanged || moving.contains($0.name) }
    }

    /// The findings that only a person can do something about.
    package var findings: [TopicFinding] { entries.flatMap(\.findings) + growths.flatMap(\.findings) }

    /// The number of problems that only a person can solve.
    package var problemCount: Int { TopicFinding.folded(findings.filter(\.isProblem)).count }

    /// Whether there is nothing to do.
    package var isEmpty: Bool { changeCount == 0 && problemCount == 0 }

    /// Steps that a person must take before the growth, in order.
    package var conditions: [String] {
        var conditions: [String] = []
        for condition in pendingGrowths.flatMap(\.conditions) where !conditions.contains(condition) {
            conditions.append(condition)
        }
        return conditions
    }
}

extension PresentTopic {
    /// The number of partitions; 0 if the topic is missing.
    var partitionCount: Int { topic?.partitions.count ?? 0 }
}
