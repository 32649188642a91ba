import NewsflashCurlTransport
package import NewsflashEvents
import NewsflashPlanning
package import NewsflashPublishing
package import NewsflashTimestamps
import NewsflashTopicPartitions
import NotificationHubs

/// The worker's decisions on records, on a clock set by the records: its decoders, core and planner, with hubs that accept
/// every request except for given faults, and a ledger in memory for each source. Nothing is read from Kafka, and nothing is
/// sent.
///
/// ```swift
/// var rehearsal = Rehearsal(configuration, start: clock)
/// for record in records { rehearsal.receive(record) }
/// rehearsal.finish()
/// ```
package struct Rehearsal: ~Copyable {
    /// How long the clock runs after the last record, for events that wait for a person.
    private static let longestWait = Duration.seconds(60 * 86_400)
    /// The number of timers that may be due at one instant before the clock moves on regardless.
    private static let patience = 1000
    /// The number of timers that may be due after the last record without an event being sent or decided. It bounds the time of
    /// a rehearsal, for example if probes to a hub always fail while an event waits for a person.
    private static let longestIdle = 500_000

    let configuration: PublishingConfiguration
    let news: NewsSettings
    let decoder: RehearsalDecoder
    let planner: RehearsalPlanner
    /// How long a request without a response is in flight.
    let timeout: Duration
    /// How long a worker that stops waits for requests in flight.
    private let drain: Duration
    private let restarts: RehearsedRestarts
    var core: PublishingCore
    var sources: [RehearsalSource]
    var hubs: [RehearsedHub]
    /// Requests without a response, and when the transport times out, earliest first.
    var silent: [(id: SendID, end: Instant)] = []
    /// The records of the control topic.
    var orders: [ControlRecord] = []
    /// The requests that hubs accepted.
    var accepted: Set<RehearsedAudience> = []
    /// The events of each story that subscribers were or may have been notified of.
    var notified: [RehearsedStory: [RehearsedNotification]] = [:]
    /// The number of due timers without a move of the clock.
    private var turnsAtOnce = 0
    /// The number of due timers without an event being sent or decided.
    var idleTurns = 0
    /// The line of the latest record or command.
    private(set) var line = 0
    /// The current time.
    package private(set) var now: Moment
    /// The results of all records so far, in order.
    package internal(set) var records: [RehearsedRecord] = []
    /// Violations of guarantees, as text: two ends of one record, a request that is sent twice.
    package internal(set) var faults: [String] = []

    /// Starts a rehearsal.
    ///
    /// - Parameters:
    ///   - configuration: The worker's configuration.
    ///   - start: The initial time.
    ///   - restarts: When the worker restarts and reads its ledgers again.
    ///   - faults: The faults of hubs. Without a fault a hub accepts each request at once.
    package init(
        _ configuration: WorkerConfiguration,
        start: Timestamp,
        restarts: RehearsedRestarts = RehearsedRestarts(),
        faults: [HubFault] = []
    ) {
        var core = configuration.core
        // Confirmations are instant here, so accepted requests are in the ledger before anything else happens.
        core.ledgerInterval = .zero
        self.configuration = core
        news = configuration.news
        decoder = RehearsalDecoder(configuration.sources)
        planner = RehearsalPlanner(EventPlanner(configuration))
        timeout = configuration.transport.firstByteTimeout
        sources = configuration.sources.map { RehearsalSource($0) }
        hubs = configuration.hubs.map { RehearsedHub($0, faults: faults) }
        drain = configuration.drain
        self.restarts = restarts
        self.now = Moment(instant: Instant(nanoseconds: start.nanoseconds), wall: start)
        self.core = PublishingCore(configuration: core, planner: planner, seed: 1)
        own()
    }

    /// The initial time for a list of records.
    ///
    /// - Parameters:
    ///   - records: All records, in order.
    ///   - configuration: The worker's configuration, which decodes them.
    /// - Returns: The first time that a record contains; `nil` if none contains one.
    package static func start(of records: [RehearsalRecord], by configuration: WorkerConfiguration) -> Timestamp? {
        let decoder = RehearsalDecoder(configuration.sources)
        let epoch = Timestamp(milliseconds: 1)
        return records.lazy.compactMap { record in
            // A record without a time gets the epoch here.
            record.appendAt
                ?? decoder.decode(record, writtenAt: epoch).content.published.flatMap { $0 <= epoch ? nil : $0 }
        }.first
    }

    /// Receives one record, after everything that is due before it.
    ///
    /// - Parameters:
    ///   - record: The record. Its time is ignored if it is in the past.
    ///   - line: Its line number for faults of hubs; `nil` for the next one.
    package mutating func receive(_ record: RehearsalRecord, line: Int? = nil) {
        let line = line ?? self.line + 1
        if let order = record.order {
            return obey(order, onEvent: record.resumedEvent, at: record.appendAt, line: line)
        }
        let (content, source, isUnderstood) = decoder.decode(record, writtenAt: record.appendAt ?? now.wall)
        advance(to: record.appendAt ?? content.published ?? now.wall)
        self.line = line
        receive(record, content, of: source, isUnderstood: isUnderstood)
    }

    private mutating func receive(
        _ record: RehearsalRecord,
        _ content: DecodeOutcome,
        of source: Int,
        isUnderstood: Bool
    ) {
        let offset = sources[source].records.count
        sources[source].records.append(records.count)
        records.append(
            RehearsedRecord(
                record: record,
                appendedAt: now.wall,
                content: content,
                source: isUnderstood ? sources[source].name : nil,
                offset: Int64(offset)
            )
        )
        read(offset, of: source)
        if restarts.stopEvery > 0, records.count.isMultiple(of: restarts.stopEvery) {
            stop()
            restart()
        } else if restarts.crashEvery > 0, records.count.isMultiple(of: restarts.crashEvery) {
            restart()
        }
    }

    /// Receives one record at its own time, even in the past, until nothing waits.
    ///
    /// - Parameter record: The record. Waits of earlier records are over for it.
    /// - Returns: The result.
    package mutating func receiveAtOwnTime(_ record: RehearsalRecord) -> RehearsedRecord {
        let (content, source, isUnderstood) = decoder.decode(record, writtenAt: record.appendAt ?? now.wall)
        now.wall = record.appendAt ?? content.published ?? now.wall
        line += 1
        receive(record, content, of: source, isUnderstood: isUnderstood)
        finish()
        return records[records.count - 1]
    }

    /// Obeys a command, as given by a person in the control topic.
    private mutating func obey(_ order: ControlRecord, onEvent id: String?, at instant: Timestamp?, line: Int) {
        if let instant { advance(to: instant) }
        self.line = line
        var order = order
        order.at = now.wall
        if let id {
            guard let event = event(id) else {
                return faults.append("line \(line) resumes event \(id), which no record before it has")
            }
            order.scope = .event(event)
        }
        orders.append(order)
        core.controlled(.order(order, at: Int64(orders.count - 1)), now: now)
        perform()
    }

    /// The latest record of an event.
    private func event(_ id: String) -> ResumedEvent? {
        for source in sources {
            for (offset, index) in source.records.enumerated().reversed() {
                guard case .event(let event, warnings: _) = records[index].content, event.id == id else { continue }
                return ResumedEvent(
                    id: id,
                    story: event.storyKey,
                    partition: source.partition,
                    offset: Int64(offset)
                )
            }
        }
        return nil
    }

    /// Runs the clock until nothing waits.
    package mutating func finish() {
        let end = now.instant + max(configuration.policy.maximumEmbargo, Self.longestWait)
        idleTurns = 0
        while idleTurns < Self.longestIdle, isAnythingUnderWay, turn(notAfter: end) { idleTurns += 1 }
    }

    // MARK: - The clock

    private mutating func advance(to wall: Timestamp) {
        guard wall > now.wall else { return }
        let end = now.instant(of: wall)
        while turn(notAfter: end) {}
        set(end)
    }

    /// Performs what is due next.
    ///
    /// - Returns: Whether something was due by `end`.
    private mutating func turn(notAfter end: Instant) -> Bool {
        var due = core.nextTimer(now: now)
        if let next = silent.first?.end { due = min(due ?? next, next) }
        guard let due, due <= end else { return false }
        turnsAtOnce = due > now.instant ? 0 : turnsAtOnce + 1
        guard turnsAtOnce < Self.patience else { return false }
        set(due)
        giveUpSilent()
        core.timePassed(now: now)
        perform()
        return true
    }

    private mutating func set(_ instant: Instant) {
        guard instant > now.instant else { return }
        now = Moment(instant: instant, wall: now.wall(of: instant))
    }

    private var isAnythingUnderWay: Bool {
        let status = core.status(now: now)
        return status.unconfirmed > 0 || status.events.values.contains { $0 > 0 }
    }

    // MARK: - Start and restart

    /// Assigns the partitions to the core, with the content of their ledgers.
    private mutating func own() {
        for source in sources.indices { own(source) }
        perform()
    }

    private mutating func own(_ source: Int) {
        let id = core.partition(sources[source].partition)
        restore(source, as: id, assignment: core.assign(id, now: now))
    }

    /// Reads the ledger of a source.
    mutating func restore(_ source: Int, as id: PartitionID, assignment: UInt32) {
        let memory = configuration.storyMemoryBytes
        guard configuration.keepsLedger else {
            let empty = StoryIndex(byteLimit: memory)
            return core.restored(RestoredLedger(partition: id, assignment: assignment, stories: empty), now: now)
        }
        let restoration = LedgerRestoration(
            sources[source].partition,
            as: id,
            assignment: assignment,
            byteLimit: memory
        )
        restoration.sourceEnded(at: Int64(sources[source].records.count))
        do throws(LedgerRecordError) {
            try sources[source].ledger.restore(into: restoration)
        } catch {
            faults.append("the ledger of \(sources[source].name) cannot be read again: \(error)")
        }
        core.restored(restoration.finish(at: sources[source].ledger.end), now: now)
    }

    /// Gives all partitions back in order: no request begins, and those in flight may end.
    private mutating func stop() {
        let ids = sources.map { core.partition($0.partition) }
        let limit = now.instant + drain
        core.beginDraining(ids, waitingUntil: limit, now: now)
        perform()
        while !core.isDrained(ids), turn(notAfter: limit) {}
        commit(core.leave(ids, now: now))
        perform()
    }

    /// Commits offsets of sources.
    mutating func commit(_ offsets: [TopicPartition: Int64]) {
        for source in sources.indices {
            sources[source].committed = offsets[sources[source].partition] ?? sources[source].committed
        }
    }

    /// Forgets everything except the ledgers and committed offsets. Requests in flight are abandoned.
    private mutating func restart() {
        core = PublishingCore(configuration: configuration, planner: planner, seed: UInt64(records.count))
        silent = []
        recordCircuits()
        var pauses = SourcePauses()
        for (offset, order) in orders.enumerated() { pauses.apply(order, at: Int64(offset)) }
        core.controlled(.read(pauses), now: now)
        own()
        for source in sources.indices {
            for offset in Int(sources[source].committed)..<sources[source].records.count { read(offset, of: source) }
        }
    }

    private mutating func read(_ offset: Int, of source: Int) {
        core.receive([incoming(offset, of: source, core.partition(sources[source].partition))], now: now)
        perform()
    }

    /// The record at an offset of a source.
    func incoming(_ offset: Int, of source: Int, _ partition: PartitionID) -> IncomingRecord {
        let record = records[sources[source].records[offset]]
        let headers = record.record.headers.map { StoryFacts.Waiting.Header(name: $0.name, value: $0.value) }
        return IncomingRecord(
            partition: partition,
            offset: Int64(offset),
            timestamp: record.appendedAt,
            content: record.content,
            original: RecordCopy(key: record.record.key, value: record.record.value ?? [], headers: headers)
        )
    }
}

extension DecodeOutcome {
    /// When the event was published; `nil` if it is not an event.
    package var published: Timestamp? {
        guard case .event(let event, warnings: _) = self else { return nil }
        return event.published
    }
}

/// When the worker of a rehearsal restarts.
package struct RehearsedRestarts: Sendable, Hashable {
    /// The number of records after which the worker crashes each time: requests in flight are abandoned; 0 for never.
    package var crashEvery = 0
    /// The number of records after which the worker stops in order each time, as at a deployment: requests in flight may end;
    /// 0 for never.
    package var stopEvery = 0

    package init(crashEvery: Int = 0, stopEvery: Int = 0) {
        (self.crashEvery, self.stopEvery) = (crashEvery, stopEvery)
    }
}

/// A source of a rehearsal: one partition, and its ledger.
struct RehearsalSource {
    let name: String
    let partition: TopicPartition
    var ledger = RehearsalLedger()
    /// The offset from which a restarted worker reads.
    var committed: Int64 = 0
    /// The indices of its records in all records, by offset.
    var records: [Int] = []

    init(_ settings: SourceSettings) {
        name = settings.name
        partition = TopicPartition(topic: settings.topic, partition: 0)
    }
}

/// A hub of a rehearsal: it accepts every request, except for given faults.
struct RehearsedHub {
    /// The name in the configuration.
    let label: String
    private let faults: [HubFault]
    /// The number of received requests, including probes.
    private(set) var requests = 0
    /// The reason why its circuit is open; `nil` if it is closed.
    var openFor: CircuitReason?

    init(_ settings: HubSettings, faults: [HubFault]) {
        label = settings.label
        self.faults = faults.filter { $0.hub == settings.label }
    }

    /// Receives a request.
    ///
    /// - Returns: The response of the first fault that applies; 201 if none does.
    mutating func answer(at line: Int) -> RehearsedAnswer {
        requests += 1
        return faults.first { $0.applies(to: requests, at: line) }?.answer ?? .status(201)
    }
}

/// The ledger topic's partition in memory, compacted: the encoded latest record of each story.
struct RehearsalLedger {
    private var records: [String: (value: [UInt8], offset: Int64)] = [:]
    /// The offset after the last record.
    private(set) var end: Int64 = 0

    /// Writes a record, or a tombstone.
    ///
    /// - Returns: Its offset.
    mutating func append(_ write: LedgerWrite) -> Int64 {
        defer { end += 1 }
        records[write.key] = write.value.map { ($0, end) }
        return end
    }

    /// Reads one record.
    ///
    /// - Parameter offset: The offset of the record; compaction may have removed it.
    /// - Returns: The story and its facts; `nil` if the record does not exist any more.
    func record(at offset: Int64) -> (story: String, facts: StoryFacts)? {
        guard let entry = records.values.first(where: { $0.offset == offset }),
            let (story, facts) = try? LedgerRecordCodec.decode(entry.value.span)
        else { return nil }
        return (story, facts)
    }

    /// Reads the partition from its beginning to its end, as a new owner does.
    ///
    /// - Parameter restoration: Receives the records.
    /// - Throws: ``LedgerRecordError`` for a record that cannot be read.
    func restore(into restoration: LedgerRestoration) throws(LedgerRecordError) {
        for (story, entry) in records.sorted(by: { $0.value.offset < $1.value.offset }) {
            let key = Array(story.utf8)
            try restoration.apply(key: key.span, value: entry.value.span, at: entry.offset)
        }
    }
}

/// Decodes records from files, which do not contain their topics.
struct RehearsalDecoder: Sendable {
    private let sources: [(name: String, decoder: EventDecoder)]

    init(_ sources: [SourceSettings]) {
        self.sources = sources.map { ($0.name, $0.decoder) }
    }

    /// Decodes a record of a source with a given write time.
    func decode(_ value: [UInt8]?, _ headers: [EventHeader], of source: Int, writtenAt: Timestamp?) -> DecodeOutcome {
        sources[source].decoder.decode(bytes: value, headers: headers, writtenAt: writtenAt)
    }

    /// Decodes a record and finds its source: the named one, otherwise the first that decodes it, otherwise the first that
    /// rejects it and holds its story.
    ///
    /// - Returns: The event, the index of the source, and whether that source understood the record. If none does, the
    ///   rejection of the first source.
    func decode(
        _ record: RehearsalRecord,
        writtenAt: Timestamp?
    ) -> (content: DecodeOutcome, source: Int, isUnderstood: Bool) {
        func decode(_ place: Int) -> DecodeOutcome {
            self.decode(record.value, record.headers, of: place, writtenAt: writtenAt)
        }
        if let place = sources.firstIndex(where: { $0.name == record.source }) {
            let content = decode(place)
            return (content, place, content.isRead || content.holdsStory)
        }
        let contents = sources.indices.map(decode)
        if let place = contents.firstIndex(where: \.isRead) ?? contents.firstIndex(where: \.holdsStory) {
            return (contents[place], place, true)
        }
        return (contents.first ?? .tombstone, 0, false)
    }
}

extension DecodeOutcome {
    /// Whether it is an event or a tombstone.
    fileprivate var isRead: Bool {
        if case .rejected = self { false } else { true }
    }

    /// Whether it is not an event and holds its story.
    fileprivate var holdsStory: Bool {
        if case .rejected(let rejection) = self { rejection.holdsStory } else { false }
    }
}
