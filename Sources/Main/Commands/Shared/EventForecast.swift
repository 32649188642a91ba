import NewsEvents
import NotificationHubs
import Publishing
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

/// Foresees what the worker would do with records, by a rehearsal.
///
/// Each event is taken as if it came when it was published, whatever came before it, and what came before as if it was sent:
/// so samples of last year say what they would have said, and a correction finds whom it corrects.
struct EventForecaster: ~Copyable {
    private let policy: GatePolicy
    private let now: Timestamp
    private var rehearsal: Rehearsal
    /// The ends of embargoes, by story.
    private var embargoes: [String: Timestamp] = [:]

    /// Makes a forecaster that has seen nothing.
    ///
    /// - Parameters:
    ///   - configuration: The worker's.
    ///   - now: The present, for ``EventForecast/presently``.
    init(_ configuration: WorkerConfiguration, now: Timestamp) {
        self.policy = configuration.publishing.policy
        self.now = now
        self.rehearsal = Rehearsal(configuration, start: now)
    }

    /// Foresees one record.
    ///
    /// - Parameter record: Read by the first source that can.
    /// - Returns: What would be done with it.
    mutating func forecast(_ record: RehearsalRecord) -> EventForecast {
        let record = rehearsal.takeAtItsTime(record)
        let verdict = record.decisive ?? EventVerdict(.shadow)
        var forecast = EventForecast(decision: .end(verdict), warnings: record.last?.warnings ?? [])
        switch record.content {
        case .event(let event, warnings: _):
            forecast.id = event.id
            forecast.story = event.story
            forecast.revision = event.revision
            forecast.kind = event.kind.rawValue
            if verdict.reason == "suppressed.hold", verdict.detail == nil {
                let detail = "stops what waits of the story and tells readers nothing"
                forecast.decision = .end(EventVerdict(verdict.outcome, verdict.reason, detail))
            }
            if let telling = record.telling { tell(telling, into: &forecast) }
            if event.kind != .kill, let embargo = event.embargo { embargoes[event.story] = embargo }
            forecast.presently = present(event, insteadOf: verdict)
        case .rejected(let rejection):
            forecast.id = rejection.id
            forecast.story = rejection.story
            forecast.revision = rejection.revision
            forecast.kind = rejection.kind
        case .tombstone:
            break
        }
        return forecast
    }

    private func tell(_ telling: Telling, into forecast: inout EventForecast) {
        forecast.decision = .send(telling.sends)
        forecast.texts = telling.texts.map { ($0.locale, $0.textFrom) }
        let kind = telling.event.kind
        var remarks: [String] = []
        if kind == .correction || kind == .kill, !telling.goesToTold {
            // A correction and a kill are for those who were told. Where nobody was, they go by their own categories.
            let isTold = telling.isSecure || telling.sends.first?.template == kind.rawValue
            let words = isTold ? "" : ", in the words of an alert"
            remarks.append(
                "nobody was told of its story before, so this \(kind.rawValue) goes to its own categories like an "
                    + "alert\(words)"
            )
        }
        if let embargo = telling.event.embargo, embargo > telling.event.published, kind != .kill {
            remarks.append("sent at \(embargo.rfc3339), when its embargo ends")
        }
        if kind == .kill, telling.goesToTold, let embargo = embargoes[telling.event.story],
            embargo > telling.event.published
        {
            remarks.append(
                "as if the news of its story was sent at \(embargo.rfc3339), when its embargo ends; explain and rehearse take "
                    + "the records at their times"
            )
        }
        if telling.isSecure {
            remarks.append("none of its words travels: devices get a token and the notice of text.secure")
        }
        if forecast.warnings.contains("audience.overlap") {
            remarks.append(
                "who is in its categories and is named as well may get it twice, the second in place of the first"
            )
        }
        if !remarks.isEmpty { forecast.remark = remarks.joined(separator: "; ") }
    }

    /// What would differ if the event came at this moment.
    private func present(_ event: NewsEvent, insteadOf verdict: EventVerdict) -> EventVerdict? {
        guard verdict.isTold else { return nil }
        // Subscribers who were notified get a withdrawal whatever its age.
        if event.kind != .kill, now > policy.deadline(of: event) {
            return EventVerdict(.expired, event.expires == nil ? "expired.ttl" : "expired.explicit")
        }
        if event.kind != .kill, let embargo = event.embargo, embargo > now {
            return EventVerdict(.held, "held.embargo", "until \(embargo.rfc3339)")
        }
        guard event.embargo == nil, event.published > now + policy.clockSkew else { return nil }
        return EventVerdict(.invalid, "invalid.future", "/published: \(event.published.rfc3339) lies ahead")
    }
}

extension RehearsedRecord {
    /// What its sender should know: how it ended, or what it waited for in vain where that is no fault of its own.
    fileprivate var decisive: EventVerdict? {
        guard let first = first?.verdict, let last = last?.verdict else { return first?.verdict }
        return last.isTold || last.isDeadLetter ? last : first
    }
}

extension EventVerdict {
    /// The verdict on one line: `invalid.schema: /text: is missing`.
    var line: String {
        let label = reason ?? outcome.rawValue
        return detail.map { "\(label): \($0)" } ?? label
    }
}
