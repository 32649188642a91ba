package import NewsflashKafka
package import NewsflashWorker

/// Compares the topics of a worker with those in Kafka, and creates and changes them as needed.
package struct TopicSetup: Sendable {
    private let settings: TopicSettings
    private let partitions: Int?
    private let replicationFactor: Int?

    /// - Parameters:
    ///   - settings: The brokers, the topics and the group.
    ///   - partitions: The wanted number of partitions of the sources, and of new topics; `nil` to keep existing ones.
    ///   - replicationFactor: The number of replicas of new topics; `nil` for the default of the brokers.
    package init(_ settings: TopicSettings, partitions: Int? = nil, replicationFactor: Int? = nil) {
        self.settings = settings
        self.partitions = partitions
        self.replicationFactor = replicationFactor
    }

    // MARK: The plan

    /// Compares the topics, and changes nothing.
    ///
    /// If a source grows, or if a number of partitions is wanted, its ledger is read to its end.
    ///
    /// - Returns: The plan.
    /// - Throws: ``OperationError`` if Kafka cannot be queried.
    package func plan() async throws(OperationError) -> TopicPlan {
        try await plan(readingLedgersOf: partitions == nil ? [] : settings.sources.map(\.topic))
    }

    private func plan(readingLedgersOf topics: [String]) async throws(OperationError) -> TopicPlan {
        let present = try await TopicSurvey.present(NeededTopic.all(of: settings), at: settings.kafka)
        var plan = TopicPlan(present, partitions: partitions, replicationFactor: replicationFactor)
        for source in settings.sources {
            let entries = [source.topic, source.ledger].map { name in plan.entries.first { $0.name == name } }
            guard let events = entries[0], events.present.topic?.error == nil else { continue }
            let ledger = settings.ledger == .required ? entries[1] : nil
            guard ledger?.present.topic?.error == nil else { continue }
            let stored = ledger?.present.topic?.partitions.count
            guard
                events.partitions != nil || ledger?.partitions != nil
                    || (stored != nil && topics.contains(source.topic))
            else { continue }
            let own = events.creation?.partitions ?? events.present.partitionCount
            let count = max(own, events.partitions ?? 0, ledger?.partitions ?? 0)
            plan.growths.append(try await run(source).plan(sourceCount: own, ledgerCount: stored, count: count))
        }
        return plan
    }

    private func run(_ source: SourceSettings) -> GrowthRun {
        GrowthRun(cluster: settings.kafka, group: settings.group, source: source)
    }

    // MARK: Changes

    /// Carries out a plan, and compares the topics again.
    ///
    /// Nothing is changed if partitions must be added while workers run, or before they have read all.
    ///
    /// - Parameters:
    ///   - plan: The plan that was shown.
    ///   - ignoringUnread: Whether partitions are added even if the workers have not read all.
    /// - Returns: A plan without changes. It may have findings that only a person can do something about.
    /// - Throws: ``OperationError`` if a step fails, or if Kafka does not show the changes. Finished steps stay.
    package func apply(_ plan: TopicPlan, ignoringUnread: Bool = false) async throws(OperationError) -> TopicPlan {
        var plan = plan
        if !plan.pendingGrowths.isEmpty {
            try await requireStoppedWorkers(plan.pendingGrowths)
            // Workers may have changed the ledger after the plan was made.
            plan = try await self.plan()
            let obstacles = plan.pendingGrowths.flatMap { $0.obstacles(ignoringUnread: ignoringUnread) }
            guard obstacles.isEmpty else {
                throw OperationError(.foundProblems, obstacles.joined(separator: "\n") + ". Nothing was changed")
            }
        }
        do throws(OperationError) {
            try await Self.create(plan.creations, at: settings.kafka)
            try await change(plan.entries.filter { !$0.changes.isEmpty })
            for growth in plan.pendingGrowths { try await run(growth)?.carryOut(growth) }
        } catch {
            throw OperationError(error.kind, "\(error). Finished steps stay: run the command again to continue")
        }
        return try await verified(plan.pendingGrowths.map(\.source))
    }

    private func run(_ growth: GrowthPlan) -> GrowthRun? {
        settings.sources.first { $0.topic == growth.source }.map(run)
    }

    private func requireStoppedWorkers(_ growths: [GrowthPlan]) async throws(OperationError) {
        for growth in growths { try await run(growth)?.requireStoppedWorkers(growth) }
    }

    private func change(_ entries: [TopicPlan.Entry]) async throws(OperationError) {
        for entry in entries {
            let values = Dictionary(entry.changes.map { ($0.name, $0.needed) }) { $1 }
            do throws(KafkaError) {
                try await KafkaAdmin(settings.kafka).changeConfiguration(ofTopic: entry.name, to: values)
            } catch {
                let kind: OperationError.Kind = error.isPermanentRefusal ? .foundProblems : .unavailable
                throw OperationError(kind, settings.kafka, error, right: "AlterConfigs on the topic \(entry.name)")
            }
        }
    }

    /// Compares again until nothing is left to change: brokers show changes later than the controller.
    private func verified(_ grown: [String]) async throws(OperationError) -> TopicPlan {
        var left: [String] = []
        let plan = try await firstAnswer { () async throws(OperationError) -> TopicPlan? in
            let plan = try await self.plan(readingLedgersOf: grown)
            left = plan.lines(.plain)
            return plan.changeCount == 0 ? plan : nil
        }
        if let plan { return plan }
        throw OperationError(
            .unavailable,
            "Kafka does not show all changes to \(settings.kafka.user): run the command again, or give it the rights Describe "
                + "and DescribeConfigs on the topics. Left:\n" + left.joined(separator: "\n")
        )
    }

    /// Creates topics, and waits until the brokers list them with leaders. A topic that exists is not changed.
    ///
    /// - Parameters:
    ///   - topics: The topics.
    ///   - cluster: The cluster.
    /// - Throws: ``OperationError`` if a topic is refused. The others are created.
    package static func create(
        _ topics: [KafkaNewTopic],
        at cluster: KafkaConfiguration
    ) async throws(OperationError) {
        guard !topics.isEmpty else { return }
        do throws(KafkaError) {
            let admin = try KafkaAdmin(cluster)
            // Somebody else may have created a topic in the meantime.
            let refused = try await admin.createTopics(topics).values.filter { $0.code != .topicExists }
            if let error = refused.min(by: { $0.message < $1.message }) { throw error }
            _ = try await admin.areListed(Dictionary(topics.map { ($0.name, $0.partitions) }) { $1 })
        } catch {
            throw OperationError(creating: error, at: cluster)
        }
    }
}

extension OperationError {
    /// The error for a topic that cannot be created.
    init(creating error: KafkaError, at cluster: KafkaConfiguration) {
        self.init(
            error.isPermanentRefusal ? .foundProblems : .unavailable,
            cluster,
            error,
            right: "Create on the cluster or on the topic"
        )
        if error.meansForbidden {
            description += ", or let others create the topics that 'newsflash topics plan --offline' prints"
        } else if error.code.rawValue == "INVALID_REPLICATION_FACTOR" {
            description += ": there are fewer brokers than that; leave out --replication, or write a smaller number"
        }
    }
}

extension KafkaError {
    /// Whether the same request will be refused again, although the user has the right.
    fileprivate var isPermanentRefusal: Bool {
        // The broker reports in its own words that there are too few brokers.
        if code.rawValue == "INVALID_REPLICATION_FACTOR" { return true }
        return !meansForbidden && !meansUnreachable && !isRetriable
    }
}

extension KafkaAdmin {
    /// Waits until the brokers list topics with leaders.
    ///
    /// - Parameter topics: The number of partitions of each topic, by name; `nil` for any.
    /// - Returns: Whether they do, within the time of ``firstAnswer(_:)``.
    /// - Throws: The error if they cannot be asked.
    func areListed(_ topics: [String: Int?]) async throws(KafkaError) -> Bool {
        try await firstAnswer { () async throws(KafkaError) -> Bool? in
            let listed = try await self.topics().count { topic in
                guard let count = topics[topic.name], topic.error == nil, !topic.partitions.isEmpty else {
                    return false
                }
                return topic.partitions.count == count ?? topic.partitions.count
                    && topic.partitions.allSatisfy { $0.leader != nil }
            }
            return listed == topics.count ? true : nil
        } ?? false
    }
}

/// Asks again until there is an answer, because brokers show a change later than the controller makes it.
///
/// - Parameter question: Returns `nil` as long as the change is not seen.
/// - Returns: The answer; `nil` after 15 seconds, or if the task was cancelled.
/// - Throws: The error of the question.
private func firstAnswer<Answer, Failure: Error>(
    _ question: () async throws(Failure) -> Answer?
) async throws(Failure) -> Answer? {
    let end = ContinuousClock.now + .seconds(15)
    repeat {
        if let answer = try await question() { return answer }
        do { try await Task.sleep(for: .milliseconds(250)) } catch { return nil }
    } while ContinuousClock.now < end
    return nil
}
