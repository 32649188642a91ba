import HTTPTransport
import NewsEvents
import NotificationHubs
import Publishing
import Rendering
import Routing
import Testing
import Timestamps

/// Drives the machine by hand: the test is the clock, the hub, the broker and the ledger.
struct CoreHarness {
    static let partition = SourcePartition(topic: "news", number: 0)

    var core: PublishingCore
    var now = Moment(instant: .now, wall: Timestamp(rfc3339: "2026-03-02T08:00:00Z") ?? Timestamp(seconds: 0))
    /// Requests handed out and not yet answered, oldest first.
    var sends: [SendOrder] = []
    /// Probes handed out and not yet answered.
    var probes: [SendOrder] = []
    /// Records handed out and not yet confirmed, oldest first.
    var writes: [WriteOrder] = []
    /// What the broker keeps of the ledger, by story.
    var ledger: [String: (record: StoryRecord, offset: Int64)] = [:]
    /// The events of the source, by offset.
    var source: [Int64: DecodeOutcome] = [:]
    var recalls: [RecallOrder] = []
    /// The records of the control topic, by offset.
    var orders: [ControlRecord] = []
    /// Orders of this worker that the control topic does not have yet.
    var ownOrders: [ControlRecord] = []
    /// Whether the control topic takes an order of this worker at once.
    var writesOrders = true
    var cancelled: [SendID] = []
    var commits: [[SourcePartition: Int64]] = []
    /// Whether commits are answered as soon as they are asked for.
    var answersCommits = true
    var reports: [PublishingReport] = []
    /// Outcomes that were confirmed, oldest first.
    var outcomes: [OutcomeRecord] = []
    var flowing: [PartitionID] = []
    var reloads = 0
    /// Whether something went on for ever. Nothing is drained from then on, so that the test ends.
    private(set) var isEndless = false
    let planner: any EventPlanning
    private var nextOffset: Int64 = 0
    private var nextLedgerOffset: Int64 = 0

    init(
        _ configuration: PublishingConfiguration = PublishingConfiguration(commitInterval: .zero),
        planner: any EventPlanning = OneSendPlanner()
    ) {
        self.planner = planner
        core = PublishingCore(configuration: configuration, planner: planner, seed: 42)
        own()
    }

    /// The partition's name in the machine.
    var id: PartitionID {
        mutating get { core.partition(Self.partition) }
    }

    /// Gives the partition to the machine, with what the ledger says of it.
    mutating func own(fitsSource: Bool = true) {
        let assignment = core.assign(id)
        restore(assignment, fitsSource: fitsSource)
    }

    mutating func restore(_ assignment: UInt32, fitsSource: Bool = true) {
        var table = StoryLedgerTable(byteLimit: core.configuration.storyMemoryBytes)
        var waiting: [(name: String, record: StoryRecord, ledgerOffset: Int64, events: [IncomingRecord])] = []
        for (name, entry) in ledger.sorted(by: { $0.value.offset < $1.value.offset }) {
            table.set(entry.record, of: name, place: entry.offset)
            guard !entry.record.waiting.isEmpty else { continue }
            let events = entry.record.waiting.map { waiting in
                IncomingRecord(
                    partition: id,
                    offset: waiting.offset,
                    timestamp: waiting.timestamp,
                    content: source[waiting.offset] ?? .tombstone,
                    original: RecordCopy(key: waiting.key, value: waiting.value, headers: waiting.headers)
                )
            }
            waiting.append((name, entry.record, entry.offset, events))
        }
        let restored = RestoredLedger(
            partition: id,
            assignment: assignment,
            stories: table,
            waiting: waiting,
            fitsSource: fitsSource
        )
        core.restored(restored, now: now)
        perform()
    }

    /// A crash: another machine takes the partition over, with what the broker has confirmed, and reads the source again
    /// from what was committed.
    mutating func crash(after pause: Duration = .zero) {
        core = PublishingCore(configuration: core.configuration, planner: planner, seed: 43)
        sends = []
        writes = []
        recalls = []
        now = now + pause
        ownOrders = []
        core.controlled(.read(history), now: now)
        own()
        let start = committed ?? 0
        for offset in source.keys.sorted() where offset >= start { read(offset) }
    }

    /// The orders of the whole control topic.
    private var history: SourceHolds {
        var holds = SourceHolds()
        for (offset, order) in orders.enumerated() { holds.apply(order, at: Int64(offset)) }
        return holds
    }

    /// Appends an order to the control topic, which the machine reads.
    mutating func order(_ order: ControlRecord) {
        orders.append(order)
        core.controlled(.order(order, at: Int64(orders.count - 1)), now: now)
        perform()
    }

    /// The control topic takes the oldest order of this worker, or refuses it.
    mutating func writeOwnOrder(isRefused: Bool = false) {
        let order = ownOrders.removeFirst()
        if !isRefused { orders.append(order) }
        core.controlled(.written(order, at: isRefused ? nil : Int64(orders.count - 1)), now: now)
        perform()
    }

    /// Feeds events as records of consecutive offsets.
    @discardableResult
    mutating func take(_ events: NewsEvent...) -> [Int64] {
        take(events)
    }

    @discardableResult
    mutating func take(_ events: [NewsEvent]) -> [Int64] {
        takeContents(events.map { .event($0, warnings: []) })
    }

    @discardableResult
    mutating func takeContents(_ contents: [DecodeOutcome]) -> [Int64] {
        let offsets = write(contents)
        core.take(offsets.map { record(at: $0) }, now: now)
        perform()
        return offsets
    }

    /// Puts records into the source that the machine has not read yet.
    mutating func write(_ contents: [DecodeOutcome]) -> [Int64] {
        contents.map { content in
            source[nextOffset] = content
            defer { nextOffset += 1 }
            return nextOffset
        }
    }

    /// Puts events into the source that the machine has not read yet.
    mutating func write(_ events: NewsEvent...) -> [Int64] { write(events.map { .event($0, warnings: []) }) }

    /// Hands over what the scout found at offsets of the source.
    mutating func scout(_ offsets: [Int64]) {
        core.takeAhead(offsets.map { record(at: $0) }, now: now)
        perform()
    }

    /// Feeds the record at an offset of the source.
    mutating func read(_ offset: Int64) {
        core.take([record(at: offset)], now: now)
        perform()
    }

    private mutating func record(at offset: Int64) -> IncomingRecord {
        IncomingRecord(
            partition: id,
            offset: offset,
            timestamp: now.wall,
            content: source[offset] ?? .tombstone,
            original: RecordCopy(key: nil, value: Array("\(offset)".utf8), headers: [])
        )
    }

    /// Answers the oldest request.
    mutating func answer(_ reply: HubReply) { answer(reply, to: \.sends) }

    /// Answers the probe that is under way.
    mutating func answerProbe(_ reply: HubReply) { answer(reply, to: \.probes) }

    private mutating func answer(_ reply: HubReply, to orders: WritableKeyPath<CoreHarness, [SendOrder]>) {
        guard !self[keyPath: orders].isEmpty else {
            Issue.record("nothing of the kind is under way")
            return
        }
        core.sendsEnded([SendResult(id: self[keyPath: orders].removeFirst().id, reply: reply)], now: now)
        perform()
    }

    /// Repeats a step while it finds something to do, but not for ever.
    ///
    /// - Parameters:
    ///   - sourceLocation: The place of the issue if there is no end.
    ///   - step: Returns whether it found something.
    mutating func drain(
        sourceLocation: SourceLocation = #_sourceLocation,
        _ step: (inout CoreHarness) -> Bool
    ) {
        guard !isEndless else { return }
        isEndless = !ends(sourceLocation: sourceLocation) { step(&self) }
    }

    mutating func answerAll(_ reply: HubReply, sourceLocation: SourceLocation = #_sourceLocation) {
        drain(sourceLocation: sourceLocation) { harness in
            guard !harness.sends.isEmpty else { return false }
            harness.answer(reply)
            return true
        }
    }

    mutating func answerAllProbes(_ reply: HubReply, sourceLocation: SourceLocation = #_sourceLocation) {
        drain(sourceLocation: sourceLocation) { harness in
            guard !harness.probes.isEmpty else { return false }
            harness.answerProbe(reply)
            return true
        }
    }

    /// The hub takes all, and every write is confirmed, until nothing is under way any more.
    mutating func finishAll(sourceLocation: SourceLocation = #_sourceLocation) {
        drain(sourceLocation: sourceLocation) { harness in
            harness.answerAll(.accepted, sourceLocation: sourceLocation)
            harness.confirmAll(sourceLocation: sourceLocation)
            return !harness.isEndless && !(harness.sends.isEmpty && harness.writes.isEmpty)
        }
    }

    /// Confirms every write that was handed out.
    mutating func confirmAll(sourceLocation: SourceLocation = #_sourceLocation) {
        drain(sourceLocation: sourceLocation) { harness in
            guard !harness.writes.isEmpty else { return false }
            harness.confirm()
            return true
        }
    }

    /// Confirms the oldest write that was handed out.
    mutating func confirm() {
        guard !writes.isEmpty else {
            Issue.record("no write is under way")
            return
        }
        let order = writes.removeFirst()
        var place: Int64?
        if let write = order.ledger {
            place = nextLedgerOffset
            ledger[write.story] = write.record.map { ($0, nextLedgerOffset) }
            nextLedgerOffset += 1
        }
        if let outcome = order.outcome { outcomes.append(outcome) }
        core.writesEnded([WriteResult(id: order.id, failure: nil, ledgerOffset: place)], now: now)
        perform()
    }

    /// Tells that the ledger has the record of the oldest write; the others of its records are under way.
    mutating func remember() {
        core.areRemembered(writes.prefix(1).map(\.id), now: now)
        core.writesEnded([], now: now)
        perform()
    }

    /// The ledger gets the record of the oldest write, and the worker dies before any other record of it is confirmed.
    mutating func rememberAndCrash() {
        if let write = writes.first?.ledger {
            ledger[write.story] = write.record.map { ($0, nextLedgerOffset) }
            nextLedgerOffset += 1
        }
        crash()
    }

    mutating func failWrite() {
        guard !writes.isEmpty else {
            Issue.record("no write is under way")
            return
        }
        core.writesEnded([WriteResult(id: writes.removeFirst().id, failure: "broker away")], now: now)
        perform()
    }

    /// Answers what was asked to be read again, with what the ledger and the source have.
    mutating func answerRecalls(sourceLocation: SourceLocation = #_sourceLocation) {
        drain(sourceLocation: sourceLocation) { harness in
            guard !harness.recalls.isEmpty else { return false }
            harness.answerRecall()
            return true
        }
    }

    private mutating func answerRecall() {
        let order = recalls.removeFirst()
        var found = RecalledStory(story: order.story)
        switch order.place {
        case .ledger: found.record = ledger[order.name]?.record
        case .source(let offset):
            if case .event(let event, warnings: _) = source[offset] { found.text = event.text }
        }
        core.recalled(found, now: now)
        perform()
    }

    mutating func pass(_ duration: Duration) {
        now = now + duration
        perform()
    }

    mutating func perform() {
        core.timePassed(now: now)
        for action in core.takeActions() {
            switch action {
            case .send(let order):
                if order.expression == core.configuration.probe.expression {
                    probes.append(order)
                } else {
                    sends.append(order)
                }
            case .cancel(let ids): cancelled += ids
            case .write(let order): writes.append(order)
            case .recall(let order): recalls.append(order)
            case .flow(let partition): flowing.append(partition)
            case .commit(let offsets):
                commits.append(offsets)
                if answersCommits { core.commitEnded(Array(offsets.keys), succeeded: true, now: now) }
            case .reloadCredentials: reloads += 1
            case .control(let order):
                ownOrders.append(order)
                if writesOrders { writeOwnOrder() }
            case .report(let report): reports.append(report)
            }
        }
    }

    /// Provisional outcomes, oldest first.
    var announced: [OutcomeRecord] {
        reports.compactMap { report in
            guard case .deferred(let outcome) = report else { return nil }
            return outcome
        }
    }

    /// Outcomes of the events that have ended, oldest first.
    var ended: [OutcomeRecord] {
        reports.compactMap { report in
            guard case .ended(let outcome) = report else { return nil }
            return outcome
        }
    }

    /// `event: outcome` or `event: reason`, for short expectations.
    var verdicts: [String] { ended.map { "\($0.event): \($0.verdict.reason ?? $0.verdict.outcome.rawValue)" } }

    var committed: Int64? { commits.last?[Self.partition] }

    /// Events whose requests are under way, oldest first.
    var sending: [String] { sends.map { String(decoding: $0.message.body, as: UTF8.self) } }
}

/// Repeats a step while it finds something to do: what goes on for ever is a failure, and no test that hangs.
///
/// - Parameters:
///   - most: After how many times an issue is recorded; far more than any test needs.
///   - sourceLocation: The place of the issue.
///   - step: Returns whether it found something.
/// - Returns: Whether nothing was left in the end.
func ends(
    atMost most: Int = 10_000,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ step: () -> Bool
) -> Bool {
    for _ in 0..<most where !step() { return true }
    Issue.record("there was something to do \(most) times, and there still is", sourceLocation: sourceLocation)
    return false
}

/// Plans one request an event, whose body is the event's id; categories become tags.
struct OneSendPlanner: EventPlanning {
    /// Hears of each plan that is made.
    var note: @Sendable (NewsEvent, StoryRecord?) -> Void = { _, _ in }

    func plan(
        _ event: NewsEvent,
        story: StoryRecord?,
        deadline: Timestamp,
        loudness: Loudness,
        now: Timestamp
    ) -> EventPlan {
        note(event, story)
        guard event.categories != ["unknown"] else {
            return .end(EventVerdict(.invalid, "invalid.unmapped"), stage: .map)
        }
        let audience = story.map { $0.told.flatMap(\.expression.tags).map(\.description) } ?? []
        let tags = event.kind == .kill && !audience.isEmpty ? audience : event.categories
        return .send(tags.compactMap { Self.send(event.id, tag: $0) }, warnings: [])
    }

    static func send(
        _ id: String,
        tag: String,
        hub: String = "main",
        locale: String? = nil,
        interruption: InterruptionLevel = .active
    ) -> PlannedSend? {
        guard let tag = try? Tag(tag), let expression = try? TagExpression.any(of: [tag]),
            let message = try? HubMessage(rendered: Array(id.utf8))
        else { return nil }
        return PlannedSend(
            message,
            to: Recipients(
                hub: hub,
                format: "template",
                audience: PlannedAudience(expression: expression, locale: locale, categories: [tag.description])
            ),
            template: "alert",
            interruption: interruption
        )
    }
}

extension NewsEvent {
    /// An event with the members that a test is not about filled in.
    static func sample(
        _ id: String,
        story: String? = nil,
        revision: Int64 = 1,
        kind: EventKind = .alert,
        urgency: Int? = nil,
        published: String = "2026-03-02T08:00:00Z",
        embargo: String? = nil,
        expires: String? = nil,
        categories: [String] = ["world"],
        headline: String? = nil,
        mode: EventMode = .live
    ) -> NewsEvent {
        NewsEvent(
            id: id,
            source: "https://cms.example.org/desk",
            story: story ?? "story-of-\(id)",
            revision: revision,
            kind: kind,
            urgency: urgency,
            published: Timestamp(rfc3339: published) ?? Timestamp(seconds: 0),
            embargo: embargo.flatMap { Timestamp(rfc3339: $0) },
            expires: expires.flatMap { Timestamp(rfc3339: $0) },
            categories: categories,
            text: [EventText(language: "en", headline: headline ?? "Headline of \(id)")],
            mode: mode
        )
    }
}

extension HubReply {
    static let accepted = answer(201)
    static let refused = answer(400)
    static let unauthorized = answer(401)
    static let forbidden = answer(403)
    static let notFound = answer(404)
    static let unavailable = answer(503)
    static let throttledWithoutPause = answer(429)
    /// Never written.
    static let notSent = HubClient.reply(
        to: .failure(HTTPTransportError(.notSentInTime, "too late", mayHaveBeenReceived: false)),
        now: Timestamp(seconds: 0)
    )
    /// Cut after the request was written.
    static let unknown = HubClient.reply(
        to: .failure(HTTPTransportError(.connectionLost, "cut", mayHaveBeenReceived: true)),
        now: Timestamp(seconds: 0)
    )

    static func unavailable(after pause: Duration) -> HubReply {
        answer(503, headers: [HTTPHeaders.Field("Retry-After", "\(pause.components.seconds)")])
    }

    static func throttled(after pause: Duration) -> HubReply {
        answer(429, headers: [HTTPHeaders.Field("Retry-After", "\(pause.components.seconds)")])
    }

    private static func answer(_ status: Int, headers: HTTPHeaders = []) -> HubReply {
        HubClient.reply(to: .success(HTTPResponse(status: status, headers: headers)), now: Timestamp(seconds: 0))
    }
}
