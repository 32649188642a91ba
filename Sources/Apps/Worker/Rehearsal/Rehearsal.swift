import HTTPTransport
package import NewsEvents
import NotificationHubs
package import Publishing
package import Timestamps

/// The worker's decisions on records, on a clock that the records set: its reader, its machine and its planner, with a hub
/// that takes everything at once and a ledger in memory. Nothing is read and nothing is sent.
///
/// ```swift
/// var rehearsal = Rehearsal(configuration, start: clock)
/// for record in records { rehearsal.take(record) }
/// rehearsal.finish()
/// ```
package struct Rehearsal: ~Copyable {
    /// How far the clock runs on after the last record, for who waits for a person.
    private static let longestWait = Duration.seconds(60 * 86_400)
    /// How often something may be due at one instant before the clock goes on all the same.
    private static let patience = 1000

    private let configuration: PublishingConfiguration
    private let decoder: RehearsalDecoder
    private let planner: RehearsalPlanner
    private let source: SourcePartition
    private let restartEvery: Int
    private var core: PublishingCore
    private var ledger = RehearsalLedger()
    private var committed: Int64 = 0
    /// What the control topic keeps.
    private var orders: [ControlRecord] = []
    private var requests: Set<Request> = []
    private var audiences: [String: [Audience]] = [:]
    /// How often something was due without the clock going on.
    private var turnsAtOnce = 0
    /// The present.
    package private(set) var now: Moment
    /// What became of each record so far, in order.
    package private(set) var records: [RehearsedRecord] = []
    /// What must never happen, in words: two ends of one record, a request that goes twice.
    package private(set) var faults: [String] = []

    private struct Request: Hashable {
        var hub: Int
        var tags: String
        var body: [UInt8]
    }

    /// Who an event told.
    private struct Audience {
        var event: String
        var tags: Set<String>
    }

    /// Begins a rehearsal.
    ///
    /// - Parameters:
    ///   - configuration: The worker's.
    ///   - start: What the clock shows.
    ///   - restartEvery: After how many records the worker's memory is lost each time, and its ledger read again; 0 for never.
    package init(_ configuration: WorkerConfiguration, start: Timestamp, restartEvery: Int = 0) {
        var core = configuration.core
        // Confirmations are instant here, and what was accepted is in the ledger before anything else happens.
        core.ledgerInterval = .zero
        self.configuration = core
        self.decoder = RehearsalDecoder(configuration.sources)
        let planner = EventPlanner(configuration)
        self.planner = RehearsalPlanner(planner, news: configuration.news)
        self.source = SourcePartition(topic: configuration.source.topic, number: 0)
        self.restartEvery = restartEvery
        self.now = Moment(instant: Instant(nanoseconds: start.nanoseconds), wall: start)
        self.core = PublishingCore(configuration: core, planner: self.planner, seed: 1)
        own()
    }

    /// What the clock shows when the first record comes.
    ///
    /// - Parameters:
    ///   - records: All, in order.
    ///   - configuration: The worker's, which can read them.
    /// - Returns: The first time that one of them names; `nil` where none does.
    package static func start(of records: [RehearsalRecord], by configuration: WorkerConfiguration) -> Timestamp? {
        let decoder = RehearsalDecoder(configuration.sources)
        return records.lazy.compactMap { record in
            record.appendAt ?? decoder.decode(record.value, record.headers).published
        }.first
    }

    /// Takes one record, after everything that is due before it.
    ///
    /// - Parameter record: Its time counts unless it lies in the past.
    package mutating func take(_ record: RehearsalRecord) {
        if let order = record.order { return obey(order, at: record.appendAt) }
        let (content, source) = decoder.read(record.value, record.headers)
        advance(to: record.appendAt ?? content.published ?? now.wall)
        take(record, content, by: source)
    }

    private mutating func take(_ record: RehearsalRecord, _ content: DecodeOutcome, by source: String?) {
        records.append(RehearsedRecord(record: record, appendedAt: now.wall, content: content, source: source))
        read(records.count - 1)
        if restartEvery > 0, records.count.isMultiple(of: restartEvery) { restart() }
    }

    /// Takes one record at its own time, also where that lies in the past, and lets it come to its end.
    ///
    /// - Parameter record: It knows of those before it as if their time was over.
    /// - Returns: What became of it.
    package mutating func takeAtItsTime(_ record: RehearsalRecord) -> RehearsedRecord {
        let (content, source) = decoder.read(record.value, record.headers)
        now.wall = record.appendAt ?? content.published ?? now.wall
        take(record, content, by: source)
        finish()
        return records[records.count - 1]
    }

    /// Gives an order, as a person does in the control topic.
    private mutating func obey(_ order: ControlRecord, at instant: Timestamp?) {
        if let instant { advance(to: instant) }
        var order = order
        order.at = now.wall
        orders.append(order)
        core.controlled(.order(order, at: Int64(orders.count - 1)), now: now)
        perform()
    }

    /// Lets the clock run until nothing waits any more.
    package mutating func finish() {
        let end = now.instant + max(configuration.policy.maximumEmbargo, Self.longestWait)
        while isAnythingUnderWay, turn(notAfter: end) {}
    }

    // MARK: - The clock

    private mutating func advance(to wall: Timestamp) {
        guard wall > now.wall else { return }
        let end = now.instant(of: wall)
        while turn(notAfter: end) {}
        set(end)
    }

    /// Lets happen what is due next.
    ///
    /// - Returns: Whether something was due by then.
    private mutating func turn(notAfter end: Instant) -> Bool {
        guard let due = core.nextTimer(now: now), due <= end else { return false }
        turnsAtOnce = due > now.instant ? 0 : turnsAtOnce + 1
        guard turnsAtOnce < Self.patience else { return false }
        set(due)
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

    // MARK: - The worker's life

    /// Gives the partition to the machine, with what the ledger says of it.
    private mutating func own() {
        let id = core.partition(source)
        let assignment = core.assign(id, now: now)
        let memory = configuration.storyMemoryBytes
        guard configuration.keepsLedger else {
            let empty = StoryIndex(byteLimit: memory)
            core.restored(RestoredLedger(partition: id, assignment: assignment, stories: empty), now: now)
            return perform()
        }
        let restoration = LedgerRestoration(source, as: id, assignment: assignment, byteLimit: memory)
        restoration.sourceEnded(at: Int64(records.count))
        do throws(LedgerRecordError) {
            try ledger.restore(into: restoration)
        } catch {
            faults.append("the ledger cannot be read again: \(error)")
        }
        core.restored(restoration.finish(), now: now)
        perform()
    }

    /// Forgets everything but the ledger and what was committed.
    private mutating func restart() {
        core = PublishingCore(configuration: configuration, planner: planner, seed: UInt64(records.count))
        var holds = SourceHolds()
        for (offset, order) in orders.enumerated() { holds.apply(order, at: Int64(offset)) }
        core.controlled(.read(holds), now: now)
        own()
        for offset in Int(committed)..<records.count { read(offset) }
    }

    private mutating func read(_ offset: Int) {
        let record = records[offset]
        let headers = record.record.headers.map { StoryFacts.Waiting.Header(name: $0.name, value: $0.value) }
        let incoming = IncomingRecord(
            partition: core.partition(source),
            offset: Int64(offset),
            timestamp: record.appendedAt,
            content: record.content,
            original: RecordCopy(key: record.record.key, value: record.record.value ?? [], headers: headers)
        )
        core.receive([incoming], now: now)
        perform()
    }

    // MARK: - What the machine asks for

    private mutating func perform() {
        while true {
            core.timePassed(now: now)
            core.recordFacts(now: now)
            let actions = core.takeActions()
            if actions.isEmpty { return }
            for action in actions { perform(action) }
        }
    }

    private mutating func perform(_ action: PublishingAction) {
        switch action {
        case .send(let order) where core.isInFlight(order.id):
            send(order)
        case .send(let order):
            core.abandon(order.id)
        case .writeLedger(let batch):
            let offsets = batch.writes.map { ledger.append($0) }
            core.ledgerWritten(
                [LedgerResult(id: batch.id, partition: batch.partition, result: .success(offsets))],
                now: now
            )
        case .writeOutcome(let write):
            core.outcomesWritten([WriteResult(id: write.id, failure: nil)], now: now)
        case .recall(let order):
            core.recalled(recall(order), now: now)
        case .commit(let offsets):
            committed = offsets[source] ?? committed
            core.commitEnded(Array(offsets.keys), succeeded: true, now: now)
        case .control(let order):
            orders.append(order)
            core.controlled(.written(order, at: Int64(orders.count - 1)), now: now)
        case .report(.ended(let outcome)), .report(.deferred(let outcome)):
            note(outcome)
        case .cancel, .readLedgerAgain, .flow, .reloadCredentials, .report:
            break
        }
    }

    private mutating func send(_ order: SendOrder) {
        let tags = order.expression.description
        let request = Request(hub: order.hub, tags: tags, body: order.message.body)
        if order.expression != configuration.probe.expression, !requests.insert(request).inserted {
            faults.append("a request went out twice, to \(tags)")
        }
        let reply = HubClient.reply(to: .success(HTTPResponse(status: 201, headers: [])), now: now.wall)
        core.requestsEnded([SendResult(id: order.id, reply: reply)], now: now)
    }

    private func recall(_ order: RecallOrder) -> RecalledRecord {
        switch order.place {
        case .ledger(let offset):
            guard let (story, facts) = ledger.record(at: offset) else { return RecalledRecord(id: order.id) }
            let events = facts.waiting.map { waiting in
                let headers = waiting.headers.map { EventHeader(name: $0.name, value: $0.value) }
                return IncomingRecord(
                    partition: order.partition,
                    offset: waiting.offset,
                    timestamp: waiting.timestamp,
                    content: decoder.decode(waiting.value, headers),
                    original: RecordCopy(key: waiting.key, value: waiting.value, headers: waiting.headers)
                )
            }
            return RecalledRecord(id: order.id, story: story, facts: facts, events: events)
        case .source(let offset):
            guard records.indices.contains(Int(offset)),
                case .event(let event, warnings: _) = records[Int(offset)].content
            else { return RecalledRecord(id: order.id) }
            return RecalledRecord(id: order.id, story: event.storyKey, text: event.text)
        }
    }

    // MARK: - What was decided

    private mutating func note(_ outcome: OutcomeRecord) {
        let place = Int(outcome.origin.offset)
        guard records.indices.contains(place) else { return }
        if let last = records[place].last {
            // A record that was not committed is read again after a restart, and ends again as it did.
            guard last.verdict != outcome.verdict || !outcome.isFinal else { return }
            let verdicts = [last, outcome].map { $0.verdict.reason ?? $0.verdict.outcome.rawValue }
            faults.append("event \(outcome.event) ended twice: \(verdicts.joined(separator: ", then "))")
            return
        }
        guard outcome.isFinal || outcome.verdict != records[place].outcomes.last?.verdict else { return }
        records[place].outcomes.append(outcome)
        guard outcome.isFinal, var telling = planner.takeTelling(of: outcome), outcome.verdict.isTold else { return }
        let tags = Set(telling.sends.flatMap(\.audiences))
        if telling.goesToTold {
            var left = tags
            for audience in audiences[outcome.story] ?? [] where !left.isDisjoint(with: audience.tags) {
                left.subtract(audience.tags)
                telling.audienceFrom.append(audience.event)
            }
        }
        audiences[outcome.story, default: []].append(Audience(event: outcome.event, tags: tags))
        records[place].telling = telling
    }
}

extension PlannedSend {
    /// Who gets it, for a comparison with who got something else: users are put together anew for a correction.
    fileprivate var audiences: [String] {
        let names = isForUsers ? expression.tags.map(\.description) : [expression.description]
        return names.map { "\(hub) \(platform) \($0)" }
    }
}

extension DecodeOutcome {
    /// When the event was let go, where this is one.
    package var published: Timestamp? {
        guard case .event(let event, warnings: _) = self else { return nil }
        return event.published
    }
}
