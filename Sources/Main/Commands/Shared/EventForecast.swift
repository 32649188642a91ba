import NewsEvents
import NotificationHubs
import Publishing
import Rendering
import Timestamps
import Worker

/// What the worker would do with a record.
struct EventForecast: Sendable {
    /// What would become of it.
    enum Decision: Sendable {
        /// Requests would go out.
        case send([PlannedSend])
        /// Nothing would go out.
        case end(EventVerdict)
    }

    var decision: Decision
    /// The event's id, story and revision, as far as they could be read.
    var id: String?
    var story: String?
    var revision: Int64?
    var kind: String?
    /// What was forgiven, as codes.
    var warnings: [String] = []
    /// For each offered language the one that its text comes from.
    var texts: [(locale: String, textFrom: String)] = []
    /// What a desk may not expect of the way in which it is told, in words.
    var remark: String?
    /// What the clock would make of it at this moment, where that differs.
    var presently: EventVerdict?
}

/// Foresees what the worker would do with records, by the worker's own reader, gate and planner.
///
/// Each event is taken as if it came when it was published, or when its embargo ended, and as if what came before it was
/// sent: so samples of last year say what they would have said, and a correction finds whom it corrects.
struct EventForecaster {
    private let decoder: EventDecoder
    private let gate: Gate
    private let planner: EventPlanner
    private let renderer: Renderer
    private let now: Timestamp
    private var stories: [String: StoryRecord] = [:]

    /// Makes a forecaster that has seen nothing.
    ///
    /// - Parameters:
    ///   - configuration: The worker's.
    ///   - now: The present, for ``EventForecast/presently``.
    init(_ configuration: WorkerConfiguration, now: Timestamp) {
        let news = configuration.news
        self.decoder = EventDecoder(defaultSource: configuration.source.id)
        self.gate = Gate(policy: configuration.publishing.policy)
        self.planner = EventPlanner(hub: configuration.hub.name, news: news)
        self.renderer = Renderer(locales: news.locales, rules: news.text, limits: news.limits)
        self.now = now
    }

    /// Foresees one record.
    ///
    /// - Parameter bytes: Its value.
    /// - Returns: What would be done with it.
    mutating func forecast(_ bytes: [UInt8]) -> EventForecast {
        switch decoder.decode(bytes: bytes) {
        case .event(let event, let warnings):
            var forecast = forecast(event)
            forecast.warnings = warnings.map(\.rawValue) + forecast.warnings
            return forecast
        case .rejected(let rejection):
            return EventForecast(
                decision: .end(EventVerdict(.invalid, rejection.reason.rawValue, rejection.detail)),
                id: rejection.id,
                story: rejection.story,
                revision: rejection.revision,
                kind: rejection.kind
            )
        case .tombstone:
            return EventForecast(decision: .end(EventVerdict(.shadow, nil, "a record without a value is skipped")))
        }
    }

    private mutating func forecast(_ event: NewsEvent) -> EventForecast {
        let digest = ContentDigest(of: event)
        let state = stories[event.story]
        let moment = max(event.published, event.embargo ?? event.published)
        let decision = gate.decide(event, story: state, digest: digest, now: moment)
        var forecast = EventForecast(
            decision: .end(EventVerdict(.shadow)),
            id: event.id,
            story: event.story,
            revision: event.revision,
            kind: event.kind.rawValue
        )
        switch decision {
        case .end(let verdict):
            forecast.decision = .end(verdict)
        case .hold:
            let detail = "stops what waits of the story and tells readers nothing"
            forecast.decision = .end(EventVerdict(.suppressed, "suppressed.hold", detail))
            remember(event, digest, after: state, phase: .held, sends: [])
        case .admit, .wait:
            if let verdict = gate.silence(on: event, story: state) {
                forecast.decision = .end(verdict)
                remember(event, digest, after: state, phase: .killed, sends: [])
                break
            }
            let phase: StoryRecord.Phase = event.kind == .kill ? .killed : .open
            plan(event, state: state, at: moment, into: &forecast)
            guard case .send(let sends) = forecast.decision else { break }
            remember(event, digest, after: state, phase: phase, sends: sends)
        }
        forecast.presently = present(event, state: state, digest: digest, foreseen: decision)
        return forecast
    }

    private func plan(
        _ event: NewsEvent,
        state: StoryRecord?,
        at moment: Timestamp,
        into forecast: inout EventForecast
    ) {
        switch planner.plan(event, story: state, deadline: gate.policy.deadline(of: event), now: moment) {
        case .end(let verdict, _):
            forecast.decision = .end(verdict)
        case .send(let sends, let warnings):
            forecast.decision = .send(sends)
            forecast.warnings += warnings
            var told = event
            if told.text.isEmpty { told.text = state?.text ?? [] }
            let kind = sends.first.flatMap { TextKind(rawValue: $0.template) } ?? .alert
            forecast.remark = Self.remark(on: event, toldAs: kind, before: state)
            let rendered = renderer.render(told, as: kind)
            forecast.texts = rendered?.locales.map { ($0.locale, $0.textFrom) } ?? []
        }
    }

    /// A correction and a kill are for those who were told. Where nobody was, the worker goes by the event's own categories.
    private static func remark(on event: NewsEvent, toldAs kind: TextKind, before state: StoryRecord?) -> String? {
        guard event.kind == .correction || event.kind == .kill, state?.told.isEmpty ?? true else { return nil }
        let words = kind.rawValue == event.kind.rawValue ? "" : ", in the words of an \(kind.rawValue)"
        return
            "nobody was told of its story before, so this \(event.kind.rawValue) goes to its own categories like an alert"
            + words
    }

    private mutating func remember(
        _ event: NewsEvent,
        _ digest: ContentDigest,
        after old: StoryRecord?,
        phase: StoryRecord.Phase,
        sends: [PlannedSend]
    ) {
        var state = old ?? StoryRecord(awaiting: event, digest: digest, now: event.published)
        state.advance(to: event, digest: digest, isTold: true)
        state.phase = phase
        if !event.text.isEmpty { state.text = event.text }
        for send in sends {
            state.recordSent(StoryRecord.Sent(send, revision: event.revision, at: event.published))
        }
        stories[event.story] = state
    }

    /// What would differ if the event came at this moment.
    private func present(
        _ event: NewsEvent,
        state: StoryRecord?,
        digest: ContentDigest,
        foreseen: Gate.Decision
    ) -> EventVerdict? {
        let decision = gate.decide(event, story: state, digest: digest, now: now)
        guard decision != foreseen else { return nil }
        switch decision {
        case .end(let verdict): return verdict
        case .wait(let instant): return EventVerdict(.held, "held.embargo", "until \(instant.rfc3339)")
        case .admit, .hold: return nil
        }
    }
}

extension EventVerdict {
    /// The verdict on one line: `invalid.schema: /text: is missing`.
    var line: String {
        let label = reason ?? outcome.rawValue
        return detail.map { "\(label): \($0)" } ?? label
    }
}
