import HTTPTransport
import NewsEvents
import NotificationHubs
import Publishing
import Testing
import Timestamps

/// Drives the machine by hand: the test is the clock, the hub and the broker.
struct CoreHarness {
    static let partition = SourcePartition(topic: "news", number: 0)

    var core: PublishingCore
    var now = Timestamp(rfc3339: "2026-03-02T08:00:00Z") ?? Timestamp(seconds: 0)
    /// Requests handed out and not yet answered, oldest first.
    var sends: [SendOrder] = []
    /// Records handed out and not yet confirmed, oldest first.
    var writes: [WriteOrder] = []
    var commits: [[SourcePartition: Int64]] = []
    var reports: [PublishingReport] = []
    var announced: [OutcomeRecord] = []
    var released: [RecordID] = []
    var reading = true
    var reloads = 0
    private var nextOffset: Int64 = 0

    init(
        _ configuration: PublishingConfiguration = PublishingConfiguration(commitInterval: .zero),
        planner: any EventPlanning = OneSendPlanner()
    ) {
        core = PublishingCore(configuration: configuration, planner: planner, seed: 42)
        core.assign([Self.partition])
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
    mutating func takeContents(_ contents: [DecodeOutcome], byteCount: Int = 1000) -> [Int64] {
        var offsets: [Int64] = []
        let records = contents.map { content in
            defer { nextOffset += 1 }
            offsets.append(nextOffset)
            return IncomingRecord(
                id: RecordID(UInt64(nextOffset + 1)),
                origin: RecordOrigin(partition: Self.partition, offset: nextOffset, timestamp: now),
                byteCount: byteCount,
                content: content
            )
        }
        core.take(records, now: now)
        perform()
        return offsets
    }

    /// Answers the oldest request.
    mutating func answer(_ reply: HubReply) {
        guard !sends.isEmpty else {
            Issue.record("no request is under way")
            return
        }
        core.sendsEnded([SendResult(id: sends.removeFirst().id, reply: reply)], now: now)
        perform()
    }

    mutating func answerAll(_ reply: HubReply) {
        while !sends.isEmpty { answer(reply) }
    }

    /// Confirms every write that was handed out.
    mutating func confirmAll() {
        let results = writes.map { WriteResult(id: $0.id, failure: nil) }
        writes = []
        core.writesEnded(results, now: now)
        perform()
    }

    mutating func failWrite() {
        guard !writes.isEmpty else {
            Issue.record("no write is under way")
            return
        }
        core.writesEnded([WriteResult(id: writes.removeFirst().id, failure: "broker away")], now: now)
        perform()
    }

    mutating func pass(_ duration: Duration) {
        now = now + duration
        core.timePassed(now: now)
        perform()
    }

    mutating func perform() {
        for action in core.takeActions() {
            switch action {
            case .send(let order): sends.append(order)
            case .write(let order): writes.append(order)
            case .announce(let outcome): announced.append(outcome)
            case .commit(let offsets):
                commits.append(offsets)
                core.commitEnded(Array(offsets.keys), succeeded: true, now: now)
            case .setReading(let isOn): reading = isOn
            case .release(let record): released.append(record)
            case .reloadCredentials: reloads += 1
            case .report(let report): reports.append(report)
            }
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

/// Plans one request an event, whose body is the event's id; categories become tags.
struct OneSendPlanner: EventPlanning {
    func plan(_ event: NewsEvent, story: StoryState?) -> EventPlan {
        guard event.categories != ["unknown"] else {
            return .end(EventVerdict(.invalid, "invalid.unmapped"), stage: .map)
        }
        let audience = story.map { $0.sent.flatMap(\.expression.tags).map(\.description) } ?? []
        let tags = event.kind == .kill && !audience.isEmpty ? audience : event.categories
        return .send(tags.compactMap { Self.send(event.id, tag: $0) }, warnings: [])
    }

    static func send(_ id: String, tag: String) -> PlannedSend? {
        guard let tag = try? Tag(tag), let expression = try? TagExpression.any(of: [tag]),
            let message = try? HubMessage(rendered: Array(id.utf8))
        else { return nil }
        return PlannedSend(
            hub: "test",
            platform: "template",
            message: message,
            expression: expression,
            template: "alert"
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
    /// Cut after the request was written.
    static let unknown = HubClient.reply(
        to: .failure(HTTPTransportError(.connectionLost, "cut", mayHaveBeenReceived: true)),
        now: Timestamp(seconds: 0)
    )

    static func throttled(after pause: Duration) -> HubReply {
        answer(429, headers: [HTTPHeaders.Field("Retry-After", "\(pause.components.seconds)")])
    }

    private static func answer(_ status: Int, headers: HTTPHeaders = []) -> HubReply {
        HubClient.reply(to: .success(HTTPResponse(status: status, headers: headers)), now: Timestamp(seconds: 0))
    }
}
