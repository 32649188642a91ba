import Kafka
import Locks
import NewsEvents
import Publishing
import Timestamps
import Worker

/// Reads what a replay is about: the records of one source, what came before them in their stories, and their outcomes.
struct ReplayReading {
    /// How much earlier an outcome may have been written than its record, by clocks that differ.
    private static let clocksDiffer = Duration.seconds(3600)

    let settings: TopicSettings
    let source: SourceSettings
    let options: ReplayOptions
    let now: Timestamp

    /// What was found.
    struct Found: Sendable {
        var records: [ReplayRecord] = []
        /// What came before the records in their stories.
        var memory: [ReplayRecord] = []
        var outcomes: [OutcomeRecord] = []
        /// Where each partition began.
        var from: [KafkaTopicPartition: Int64] = [:]
        /// Records that are copies which an earlier replay has written.
        var copies = 0
        /// Records of the source that cannot be read as events.
        var unreadable = 0
        /// Records of the outcome topic that cannot be read.
        var strange = 0
    }

    /// Reads.
    ///
    /// - Returns: All of it, in the order of reading.
    /// - Throws: ``CommandError`` where Kafka, or a topic, is not to be had.
    func read() async throws -> Found {
        var found = try await readSource()
        guard !found.records.isEmpty else { return found }
        try await readMemory(&found)
        try await readOutcomes(&found)
        return found
    }

    private var cluster: KafkaConfiguration { settings.kafka }

    private func readSource() async throws -> Found {
        let range = try options.times.range(now: now)
        let ends = options.offsets.ends(of: source.topic)
        let scan = TopicScan(
            cluster,
            topics: [source.topic],
            from: !options.offsets.isEmpty ? .offsets(ends.from) : range.since.map { .time($0) } ?? .earliest,
            to: !options.offsets.isEmpty ? .offsets(ends.to) : range.until.map { .time($0) } ?? .present
        )
        let state = Locked(Found())
        let decoder = source.decoder
        let extent = try await scan.run { [filter = options.filter] messages in
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

    /// Reads what came before in those stories of which the first record is no beginning.
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
        // A source that keys its records by story need not be decoded whole.
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
                        || places.contains("\(origin.partition.number)@\(origin.offset)")
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
    /// Copies a message, since it holds the memory of the whole fetch that it came with.
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
    /// Whether it says by itself whom it tells and what.
    fileprivate var isBeginning: Bool {
        switch self {
        case .flash, .alert, .update: true
        case .correction, .hold, .kill: false
        }
    }
}
