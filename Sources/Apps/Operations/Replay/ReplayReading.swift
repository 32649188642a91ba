import NewsflashBasics
import NewsflashEvents
import NewsflashKafka
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashTopicPartitions
import NewsflashWorker

/// Reads the input of a replay: the records of one source, the earlier records of their stories, and their outcomes.
struct ReplayReading {
    /// How much earlier than its record an outcome may seem to be written, because clocks differ: one hour.
    private static let clocksDiffer = Duration.seconds(3600)

    let settings: TopicSettings
    let source: SourceSettings
    let filter: ReplayFilter
    /// The times of the records; used without offsets in the filter. `nil` for no bound.
    let times: (since: Timestamp?, until: Timestamp?)

    init(
        settings: TopicSettings,
        source: SourceSettings,
        filter: ReplayFilter,
        times: (since: Timestamp?, until: Timestamp?)
    ) {
        self.settings = settings
        self.source = source
        self.filter = filter
        self.times = times
    }

    /// The records and outcomes found.
    struct Found: Sendable {
        var records: [ReplayRecord] = []
        /// The earlier records of the same stories.
        var memory: [ReplayRecord] = []
        var outcomes: [OutcomeRecord] = []
        /// The first offset that was read of each partition.
        var from: [TopicPartition: Int64] = [:]
        /// The number of copies written by earlier replays.
        var copies = 0
        /// The number of records of the source that cannot be decoded as events.
        var unreadable = 0
        /// The number of records of the outcome topic that cannot be decoded.
        var strange = 0
    }

    /// Reads records and outcomes.
    ///
    /// - Returns: The records, in the order of reading.
    /// - Throws: ``OperationError`` if Kafka or a topic cannot be read.
    func read() async throws -> Found {
        var found = try await readSource()
        guard !found.records.isEmpty else { return found }
        try await readMemory(&found)
        try await readOutcomes(&found)
        return found
    }

    private var cluster: KafkaConfiguration { settings.kafka }

    private func readSource() async throws -> Found {
        let ends = filter.offsets.ends(of: source.topic)
        let scan = TopicScan(
            cluster,
            topics: [source.topic],
            from: !filter.offsets.isEmpty ? .offsets(ends.from) : times.since.map { .time($0) } ?? .earliest,
            to: !filter.offsets.isEmpty ? .offsets(ends.to) : times.until.map { .time($0) } ?? .present
        )
        let state = Locked(Found())
        let decoder = source.decoder
        let extent = try await scan.run { [filter] messages in
            var part = Found()
            for message in messages where filter.matches(partition: message.partition, offset: message.offset) {
                let headers = message.headers.map { EventHeader(name: $0.name, value: $0.value) }
                if ReplayEnvelope.isMarked(headers) {
                    part.copies += 1
                    continue
                }
                switch message.withValue({ decoder.decode(value: $0, headers: headers, writtenAt: message.timestamp) })
                {
                case .event(let event, warnings: _) where filter.matches(event):
                    part.records.append(ReplayRecord(message, headers, event))
                case .event, .tombstone: break
                case .rejected: part.unreadable += 1
                }
            }
            state.withLock { state in
                state.records += part.records
                state.copies += part.copies
                state.unreadable += part.unreadable
            }
            return true
        }
        var found = state.withLock { $0 }
        found.records = found.records.inOrderOfReading
        found.from = extent.parts.mapValues(\.from)
        return found
    }

    /// Reads the earlier records of stories whose first found record needs them.
    private func readMemory(_ found: inout Found) async throws {
        var stories: Set<String> = []
        var begun: Set<String> = []
        for record in found.records where begun.insert(record.event.story).inserted {
            if record.event.revision > 1 || !record.event.kind.isBeginning { stories.insert(record.event.story) }
        }
        let wanted = stories
        guard !wanted.isEmpty, found.from.values.contains(where: { $0 > 0 }) else { return }
        let scan = TopicScan(cluster, topics: [source.topic], from: .earliest, to: .offsets(found.from))
        let decoder = source.decoder
        let memory = Locked<[ReplayRecord]>([])
        // If the records are keyed by story, only those with a matching key are decoded.
        let isKeyed = found.records.allSatisfy { $0.key == Array($0.event.story.utf8) }
        _ = try await scan.run { messages in
            var part: [ReplayRecord] = []
            for message in messages {
                if isKeyed {
                    guard let key = message.key, wanted.contains(String(decoding: key, as: UTF8.self)) else {
                        continue
                    }
                }
                let headers = message.headers.map { EventHeader(name: $0.name, value: $0.value) }
                guard !ReplayEnvelope.isMarked(headers),
                    case .event(let event, _) = message.withValue({
                        decoder.decode(value: $0, headers: headers, writtenAt: message.timestamp)
                    }),
                    wanted.contains(event.story)
                else { continue }
                part.append(ReplayRecord(message, headers, event))
            }
            if !part.isEmpty { memory.withLock { $0 += part } }
            return true
        }
        found.memory = memory.withLock { $0 }.inOrderOfReading
    }

    private func readOutcomes(_ found: inout Found) async throws {
        let times = found.records.map(\.timestamp)
        let earliest = times.contains(nil) ? nil : times.compactMap(\.self).min()
        let scan = TopicScan(
            cluster,
            topics: [settings.topics.outcomes],
            from: earliest.map { .time($0 - Self.clocksDiffer) } ?? .earliest,
            to: .present
        )
        let acts = Set(found.records.map(\.act))
        let places = Set(found.records.map(\.place))
        let topic = source.topic
        let settings = settings
        let state = Locked(Found())
        _ = try await scan.run { messages in
            var part = Found()
            for message in messages {
                guard let value = message.value, let outcome = try? OutcomeRecordReader.read(value.span) else {
                    part.strange += 1
                    continue
                }
                let origin = outcome.origin
                guard settings.isOfGroup(outcome), outcome.isFinal, origin.partition.topic == topic,
                    acts.contains(ReplayRecord.Act(outcome))
                        || places.contains("\(origin.partition.partition)@\(origin.offset)")
                else { continue }
                part.outcomes.append(outcome)
            }
            state.withLock { state in
                state.outcomes += part.outcomes
                state.strange += part.strange
            }
            return true
        }
        state.withLock { state in
            found.outcomes = state.outcomes
            found.strange = state.strange
        }
    }
}

extension ReplayRecord {
    /// Copies a message, because it keeps the memory of its whole fetch alive.
    fileprivate init(_ message: KafkaMessage, _ headers: [EventHeader], _ event: NewsEvent) {
        self.init(
            partition: message.partition,
            offset: message.offset,
            timestamp: message.timestamp,
            key: message.key,
            value: message.value ?? [],
            headers: headers,
            event: event
        )
    }
}

extension EventKind {
    /// Whether an event of this kind determines its audience and text without earlier events.
    fileprivate var isBeginning: Bool {
        switch self {
        case .flash, .alert, .update: true
        case .correction, .hold, .kill: false
        }
    }
}
