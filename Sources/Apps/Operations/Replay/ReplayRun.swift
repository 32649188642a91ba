import NewsflashKafka
import NewsflashPlanning
package import NewsflashTimestamps
package import NewsflashWorker

/// The replay of one source: past events compared with the present rules, and the plan of what to write again.
package struct ReplayRun {
    /// How the records are written.
    package struct Order: Sendable {
        /// The id of the replay.
        package var id: String
        /// The reason, which is stored in each record.
        package var reason: String
        /// The tag of the only devices that get the events; `nil` for the usual audiences.
        package var onlyTag: String?
        /// Whether all subscribers are notified again.
        package var isAgain: Bool
        /// Whether events that do not differ are written, too.
        package var includesSame: Bool

        package init(id: String, reason: String, onlyTag: String?, isAgain: Bool, includesSame: Bool) {
            (self.id, self.reason, self.onlyTag) = (id, reason, onlyTag)
            (self.isAgain, self.includesSame) = (isAgain, includesSame)
        }
    }

    package let source: SourceSettings
    /// The compared events.
    package let findings: [ReplayFinding]
    /// Notes about what could not be compared, for people.
    package let notes: [String]
    private let cluster: KafkaConfiguration
    private let reading: ReplayReading.Found

    /// The number of events that differ.
    package var differing: Int { findings.count { $0.difference != nil } }

    /// Reads the events of a source with their outcomes, and compares them.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - configuration: The worker's configuration with the rules to compare.
    ///   - filter: The conditions on the events.
    ///   - times: The times of the records; `nil` for no bound.
    ///   - now: The current time.
    /// - Throws: ``OperationError`` if Kafka or a topic cannot be read.
    package init(
        of source: SourceSettings,
        by configuration: WorkerConfiguration,
        filter: ReplayFilter,
        times: (since: Timestamp?, until: Timestamp?),
        now: Timestamp
    ) async throws {
        var narrowed = configuration
        narrowed.sources = [source]
        let reading = try await ReplayReading(
            settings: TopicSettings(narrowed),
            source: source,
            filter: filter,
            times: times
        ).read()
        self.source = source
        self.reading = reading
        cluster = configuration.kafka
        notes = reading.notes
        findings = await SlowOperationNotice.noting("comparing \(counted(reading.records.count, "event"))") {
            ReplayComparison(reading.outcomes)
                .findings(on: reading.records, remembering: reading.memory, by: narrowed, now: now)
        }
    }

    /// Plans what to write, without what an earlier run of the same replay has written.
    ///
    /// - Returns: The plan, and whether the replay has any record, now or earlier.
    /// - Throws: ``OperationError`` with exit code 78 if the topic is compacted, because a record without a value would delete
    ///   the earlier records of its key.
    package func plan(
        _ order: Order,
        at now: Timestamp
    ) async throws(OperationError) -> (plan: ReplayPlan, isEmpty: Bool) {
        var plan = ReplayPlan(
            id: order.id,
            reason: order.reason,
            onlyTag: order.onlyTag,
            isAgain: order.isAgain,
            at: now,
            topic: source.topic
        )
        plan.add(findings, includesSame: order.includesSame || order.isAgain)
        guard !plan.entries.isEmpty else { return (plan, true) }
        let needed = NeededTopic(role: .source, name: source.topic)
        let settings = try await TopicSurvey.present([needed], at: cluster).first?.settings ?? [:]
        guard settings["cleanup.policy"]?.contains("compact") != true else {
            throw OperationError(
                .badConfiguration,
                "\(source.topic) is compacted, so a replay would delete its stories: set its cleanup.policy to delete"
            )
        }
        let sending = ReplaySending(cluster: cluster, rate: 1)
        plan.leaveOut(try await sending.written(plan.id, in: source.topic, from: reading.from))
        return (plan, false)
    }

    /// Checks that subscribers do not have a tag, because they would get old news.
    ///
    /// - Throws: ``OperationError`` with exit code 78.
    package static func requireNoSubscribers(
        of tag: String,
        by configuration: WorkerConfiguration
    ) throws(OperationError) {
        guard EventPlanner(configuration).hasReaders(tag) else { return }
        throw OperationError(
            .badConfiguration,
            "'\(tag)' is a tag of subscribers: a category leads to it. Name one that only testers' devices have"
        )
    }
}
