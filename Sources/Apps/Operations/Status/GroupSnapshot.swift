import NewsflashKafka
package import NewsflashPublishing
import NewsflashStrictJSON
package import NewsflashTimestamps
package import NewsflashTopicPartitions
package import NewsflashWorker

/// The state of a group of workers according to Kafka.
package struct GroupSnapshot: Sendable {
    /// One partition of a topic of events.
    package struct Partition: Sendable {
        package var place: TopicPartition
        /// The next offset to read; `nil` if the group has committed nothing.
        package var committed: Int64?
        package var end: Int64
        /// The number of records from there to the end.
        package var records: Int64
        /// When the first of these was written.
        package var oldest: RecordTime
    }

    /// The newest outcome.
    package struct Newest: Sendable {
        package var place: TopicPartition
        package var at: Timestamp
    }

    /// A topic that could not be read.
    package struct Unknown: Sendable {
        package var topic: String
        /// The error, and what to do.
        package var problem: String
    }

    package var group: String
    package var cluster: String
    /// The topic of outcomes.
    package var outcomes: String
    /// The configured sources.
    package var sources: [SourceSettings]
    package var now: Timestamp
    package var partitions: [Partition]
    /// The pauses of sources; `nil` if the control topic is missing or cannot be read.
    package var pauses: [ControlRecord]?
    /// `nil` before the first outcome, and if the topic cannot be read.
    package var newest: Newest?
    /// The first error for each topic that could not be read. The group is not well then, because nobody knows.
    package var unknown: [Unknown]

    /// How long a record may wait before the group counts as not well.
    package static let patience = Duration.seconds(60)

    package var isWell: Bool { faults.isEmpty }

    /// The reasons why the group is not well.
    private var faults: [String] {
        var faults: [String] = []
        if partitions.contains(where: { $0.records > 0 && ($0.age(at: now) ?? .zero) > Self.patience }) {
            faults.append("a record waits for more than \(Self.patience.components.seconds) s")
        }
        if pauses?.isEmpty == false { faults.append("something is paused") }
        if !unknown.isEmpty { faults.append("something is unknown") }
        return faults
    }

    /// The state for people.
    ///
    /// - Parameter style: The screen.
    /// - Returns: The lines without line ends.
    package func lines(_ style: ScreenStyle) -> [String] {
        let records = partitions.reduce(0) { $0 &+ $1.records }
        let lag = WorkerFacts.words(records, age: partitions.compactMap { $0.age(at: now) }.max())
        var rows: [(label: String, text: String)] = [("lag", lag)]
        rows += partitions.map { ("partition", $0.line(at: now)) }
        switch pauses {
        case nil: rows.append(("pauses", "unknown"))
        case let pauses? where pauses.isEmpty: rows.append(("pauses", "none"))
        case let pauses?: rows += pauses.map { ("pauses", $0.line(sources)) }
        }
        if let newest {
            rows.append(("outcomes", "newest: written \((now - newest.at).inWords) ago, at \(newest.place)"))
        } else {
            let isUnknown = unknown.contains { $0.topic == outcomes }
            rows.append(("outcomes", "newest: \(isUnknown ? "unknown" : "none yet")"))
        }
        rows += unknown.map { ("unknown", "\($0.topic): \($0.problem)") }
        var table = TextTable([.init(minimum: 10), .init("", .wrapped)], indent: 2, gap: 1)
        for (label, text) in rows {
            let isBad = label == "unknown" || label == "pauses" && pauses?.isEmpty != true
            table.append([TextTable.Cell(label, isBad ? .bad : nil), TextTable.Cell(text)])
        }
        let verdict = isWell ? "well" : "NOT WELL, because " + faults.joined(separator: "; ")
        return "group \(group) at \(cluster): \(verdict)".lines(style) + table.lines(style)
    }

    /// The state as a JSON object.
    package var json: [UInt8] {
        JSONWriter.object { writer in
            writer.member("group", group)
            writer.member("cluster", cluster)
            writer.member("well", isWell)
            writer.member("at", now.rfc3339)
            writer.member("partitions", each: partitions) { writer, partition in
                partition.write(to: &writer, at: now)
            }
            writer.member("orders", each: pauses ?? []) { writer, pause in
                writer.raw(ControlOrderCodec.encode(.source(pause)))
            }
            writer.member("newestOutcomeAt", newest?.at.rfc3339)
            writer.member("unknown", each: unknown) { writer, unknown in
                writer.beginObject()
                writer.member("topic", unknown.topic)
                writer.member("problem", unknown.problem)
                writer.endObject()
            }
        }
    }
}

extension GroupSnapshot.Partition {
    /// The age of the oldest record that is not committed; `nil` without one, and if it is unknown.
    package func age(at now: Timestamp) -> Duration? { oldest.time.map { max(.zero, now - $0) } }

    fileprivate func line(at now: Timestamp) -> String {
        let start = committed.map { "committed \($0)" } ?? "nothing committed"
        let lag = records == 0 ? "no lag" : WorkerFacts.words(records, age: age(at: now))
        return "\(place): \(start) of \(end); \(lag)"
    }

    fileprivate func write(to writer: inout JSONWriter, at now: Timestamp) {
        writer.beginObject()
        writer.member("partition", place.description)
        writer.member("committed", committed)
        writer.member("end", end)
        writer.name("lag")
        writer.beginObject()
        writer.member("records", records)
        if let age = age(at: now) {
            writer.name("seconds")
            writer.milliseconds(age.inSeconds)
        }
        writer.endObject()
        writer.endObject()
    }
}

extension GroupSnapshot {
    /// The maximum time for reading single records.
    private static let readingLimit = Duration.seconds(10)

    /// Queries the state of the group in Kafka.
    ///
    /// - Parameter settings: The cluster, the group and the topics.
    /// - Returns: The state of the group.
    /// - Throws: ``OperationError`` if Kafka cannot be queried, or a topic of events is missing.
    package static func query(_ settings: TopicSettings) async throws(OperationError) -> GroupSnapshot {
        let (pauses, unread) = try await pauses(settings)
        let cluster = settings.kafka
        do throws(KafkaError) {
            let admin = try KafkaAdmin(cluster)
            return try await SlowOperationNotice.noting("asking Kafka at \(cluster.bootstrapServers)") {
                () async throws(KafkaError) in
                let partitions = try await partitions(settings, admin)
                let outcomes = await lastTimes(of: settings.topics.outcomes, cluster, admin)
                return GroupSnapshot(
                    group: settings.group,
                    cluster: cluster.bootstrapServers,
                    outcomes: settings.topics.outcomes,
                    sources: settings.sources,
                    now: .now(),
                    partitions: partitions,
                    pauses: pauses,
                    newest: outcomes.compactMap { place, time in time.time.map { Newest(place: place, at: $0) } }
                        .max { $0.at < $1.at },
                    unknown: unread
                        + unknown(partitions.map { ($0.place, $0.oldest) } + outcomes.map { ($0, $1) }, cluster)
                )
            }
        } catch {
            let right = "Describe on the group \(settings.group)"
            // Without this right the coordinator has no answer either.
            let hint = error.code == .timedOut ? "Or give \(cluster.user) the right \(right)" : nil
            let isOfGroup = error.code == .groupForbidden
            throw OperationError(.unavailable, cluster, error, right: isOfGroup ? right : nil, state: hint)
        }
    }

    /// The orders that pause sources, or the topic that does not show them.
    ///
    /// - Throws: ``OperationError`` if Kafka cannot be queried.
    private static func pauses(
        _ settings: TopicSettings
    ) async throws(OperationError) -> (pauses: [ControlRecord]?, unread: [Unknown]) {
        let topic = settings.topics.control
        let needed = NeededTopic(role: .control, name: topic)
        let present = try await TopicSurvey.present([needed], at: settings.kafka, withSettings: false)
        guard present.first?.topic != nil else {
            let problem = "the topic is missing: make it with 'newsflash topics apply'"
            return (nil, [Unknown(topic: topic, problem: problem)])
        }
        do throws(OperationError) {
            return (try await ControlTopic(settings).pauses().inForce, [])
        } catch {
            return (nil, [Unknown(topic: topic, problem: error.description)])
        }
    }

    private static func partitions(
        _ settings: TopicSettings,
        _ admin: KafkaAdmin
    ) async throws(KafkaError) -> [Partition] {
        var places: [TopicPartition] = []
        for source in settings.sources { places += try await admin.partitions(of: source.topic) }
        let watermarks = try await admin.watermarks(of: places)
        let committed = try await admin.committedOffsets(ofGroup: settings.group, partitions: places)
        var starts: [TopicPartition: Int64] = [:]
        for place in places {
            // Records that retention deleted do not count as lag.
            guard let ends = watermarks[place] else { continue }
            let start = max(ends.low, committed[place] ?? ends.low)
            if start < ends.high { starts[place] = start }
        }
        let times = try await RecordTimes.first(from: starts, at: settings.kafka, within: readingLimit)
        return places.map { place in
            let end = watermarks[place]?.high ?? 0
            return Partition(
                place: place,
                committed: committed[place],
                end: end,
                records: starts[place].map { max(0, end - $0) } ?? 0,
                oldest: times[place] ?? .none
            )
        }
    }

    /// The times of the last records of a topic, by partition. Empty partitions are missing; a topic that cannot be read has one
    /// entry with the error.
    private static func lastTimes(
        of topic: String,
        _ cluster: KafkaConfiguration,
        _ admin: KafkaAdmin
    ) async -> [TopicPartition: RecordTime] {
        do throws(KafkaError) {
            let watermarks = try await admin.watermarks(of: try await admin.partitions(of: topic))
            let lasts = watermarks.compactMapValues { $0.high > $0.low ? $0.high - 1 : nil }
            return try await RecordTimes.first(from: lasts, at: cluster, within: readingLimit)
        } catch {
            return [TopicPartition(topic: topic, partition: 0): .unknown(error)]
        }
    }

    /// The first error of each topic.
    private static func unknown(
        _ times: [(TopicPartition, RecordTime)],
        _ cluster: KafkaConfiguration
    ) -> [Unknown] {
        var found: [Unknown] = []
        for (place, time) in times.sorted(by: { $0.0 < $1.0 }) {
            guard case .unknown(let error) = time, !found.contains(where: { $0.topic == place.topic }) else { continue }
            let right = "Read on the topic \(place.topic)"
            let problem = OperationError(.unavailable, cluster, error, right: right).description
            found.append(Unknown(topic: place.topic, problem: problem))
        }
        return found
    }
}

extension KafkaAdmin {
    /// The partitions of a topic.
    fileprivate func partitions(of topic: String) async throws(KafkaError) -> [TopicPartition] {
        // Searched in the list of all topics, because a request for a topic's name may create it.
        guard let found = try await topics().first(where: { $0.name == topic }) else {
            throw KafkaError(
                .unknownTopicOrPartition,
                "the topic \(topic) is missing, or our user may not see it (right Describe): check the configuration, or make "
                    + "it with 'newsflash topics apply'"
            )
        }
        if let error = found.error { throw error }
        if let problem = found.leaderProblem(.read(nil)) {
            throw KafkaError(KafkaError.Code(rawValue: "LEADER_NOT_AVAILABLE"), problem, isRetriable: false)
        }
        return found.partitions.map { TopicPartition(topic: topic, partition: $0.number) }
    }
}
