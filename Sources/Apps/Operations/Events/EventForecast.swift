import NewsflashEvents
package import NewsflashPublishing
import NewsflashTimestamps
import NewsflashWorker

/// The forecast of what the worker would do with a record.
package struct EventForecast: Sendable {
    /// The decision on the record.
    package enum Decision: Sendable {
        /// Requests would be sent.
        case send([PlannedSend])
        /// Nothing would be sent.
        case end(EventVerdict)
    }

    package var decision: Decision
    /// The event's id, story and revision; `nil` if they could not be decoded.
    package var id: String?
    package var story: String?
    package var revision: Int64?
    package var kind: String?
    /// The codes of the warnings.
    package var warnings: [String] = []
    /// For each offered locale, the locale whose text it gets.
    package var texts: [(locale: String, textFrom: String)] = []
    /// A remark about surprising delivery, for people.
    var remark: String?
    /// The verdict if the event arrived now; `nil` if it is the same.
    var presently: EventVerdict?
}

/// Forecasts what the worker would do with records, by a rehearsal.
///
/// Treats each event as if it arrived when it was published, and the events before it as sent. So old samples give the results
/// of their own time, and a correction goes to the audiences of the event that it corrects.
struct EventForecaster: ~Copyable {
    private let policy: AdmissionPolicy
    private let now: Timestamp
    private var rehearsal: Rehearsal
    /// The ends of embargoes, by story.
    private var embargoes: [String: Timestamp] = [:]

    /// Creates a forecaster without any stories.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the worker.
    ///   - now: The current time, for ``EventForecast/presently``.
    init(_ configuration: WorkerConfiguration, now: Timestamp) {
        self.policy = configuration.publishing.policy
        self.now = now
        self.rehearsal = Rehearsal(configuration, start: now)
    }

    /// Forecasts one record.
    ///
    /// - Parameter record: The record. The first source that can decode it is used.
    /// - Returns: The forecast.
    mutating func forecast(_ record: RehearsalRecord) -> EventForecast {
        let record = rehearsal.receiveAtOwnTime(record)
        let verdict = record.decisive ?? EventVerdict(.shadow)
        var forecast = EventForecast(decision: .end(verdict), warnings: record.last?.warnings ?? [])
        switch record.content {
        case .event(let event, warnings: _):
            forecast.id = event.id
            forecast.story = event.story
            forecast.revision = event.revision
            forecast.kind = event.kind.rawValue
            forecast.decision = .end(verdict.withMeaningOfHold)
            if let telling = record.telling { tell(telling, into: &forecast) }
            if event.kind != .kill, let embargo = event.embargo { embargoes[event.story] = embargo }
            if verdict.isNotified { forecast.presently = policy.verdict(on: event, arrivingAt: now) }
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

    private func tell(_ telling: RehearsedPush, into forecast: inout EventForecast) {
        forecast.decision = .send(telling.sends)
        forecast.texts = telling.texts.map { ($0.locale, $0.textFrom) }
        let kind = telling.event.kind
        var remarks = telling.remarkOnCategories.map { [$0] } ?? []
        if let embargo = telling.event.embargo, embargo > telling.event.published, kind != .kill {
            remarks.append("sent at \(embargo.rfc3339), when its embargo ends")
        }
        if kind == .kill, telling.goesToTold, let embargo = embargoes[telling.event.story],
            embargo > telling.event.published
        {
            remarks.append(
                "as if its story was sent at \(embargo.rfc3339), when its embargo ends; explain and rehearse use the "
                    + "times of the records"
            )
        }
        if telling.isSecure {
            remarks.append("its text is not sent: devices get a token and the notice of text.secure")
        }
        if forecast.warnings.contains("audience.overlap") {
            remarks.append(
                "a user who is also in a category may get it twice; the second notification replaces the first"
            )
        }
        if !remarks.isEmpty { forecast.remark = remarks.joined(separator: "; ") }
    }
}

extension AdmissionPolicy {
    /// The verdict on an event that was sent in a rehearsal, if it arrived at another time, usually now.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - now: The time of its arrival.
    /// - Returns: The verdict; `nil` if the event would be sent at once.
    func verdict(on event: NewsEvent, arrivingAt now: Timestamp) -> EventVerdict? {
        // Subscribers who were notified get a withdrawal whatever its age.
        if event.kind != .kill, now > deadline(of: event) {
            return EventVerdict(.expired, event.expires == nil ? "expired.ttl" : "expired.explicit")
        }
        if event.kind != .kill, let embargo = event.embargo, embargo > now {
            return EventVerdict(.held, "held.embargo", "until \(embargo.rfc3339)")
        }
        guard event.embargo == nil, event.published > now + clockSkew else { return nil }
        return EventVerdict(.invalid, "invalid.future", "/published: \(event.published.rfc3339) is in the future")
    }
}

extension RehearsedRecord {
    /// The verdict for the sender: the last one if the event was sent or is invalid, otherwise the first, such as a wait.
    fileprivate var decisive: EventVerdict? {
        guard let first = first?.verdict, let last = last?.verdict else { return first?.verdict }
        return last.isNotified || last.isDeadLetter ? last : first
    }
}

extension RehearsedPush {
    /// A remark about a correction or withdrawal of a story that nobody was notified of; `nil` for other events.
    var remarkOnCategories: String? {
        guard event.kind == .correction || event.kind == .kill, !goesToTold else { return nil }
        // Corrections and kills go to the notified audiences. Without any, they go to their own categories.
        let isInOwnWords = isSecure || sends.first?.template == event.kind.rawValue
        return
            "nobody was notified of its story before, so this \(event.kind.rawValue) goes to its own categories like an "
            + "alert" + (isInOwnWords ? "" : ", in the words of an alert")
    }
}

extension EventVerdict {
    /// The verdict; that on a hold, which is never sent, has its effect as its detail.
    var withMeaningOfHold: EventVerdict {
        guard reason == "suppressed.hold", detail == nil else { return self }
        return EventVerdict(outcome, reason, "stops waiting events of the story, and notifies nobody")
    }

    /// The verdict on one line: `invalid.schema: /text: is missing`.
    package var line: String {
        let label = reason ?? outcome.rawValue
        return detail.map { "\(label): \($0)" } ?? label
    }
}
