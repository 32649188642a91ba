import NewsflashEvents
package import NewsflashPublishing
import NewsflashTimestamps
import NewsflashTopicPartitions
import NewsflashWorker

/// Compares the requests that were sent with those that would be sent now.
struct ReplayComparison {
    /// The outcomes of each act, the latest last.
    private var outcomes: [ReplayRecord.Act: [OutcomeRecord]] = [:]
    /// The outcomes of records that could not be decoded, by position.
    private var unread: [String: OutcomeRecord] = [:]

    /// Collects final outcomes.
    ///
    /// Ignores provisional outcomes, and those of replays to one tag, because these notify no subscribers.
    ///
    /// - Parameter records: The outcomes of the source's records, in any order.
    init(_ records: [OutcomeRecord]) {
        for record in records where record.isFinal && record.replay?.onlyTag == nil {
            outcomes[ReplayRecord.Act(record), default: []].append(record)
            if record.event.isEmpty {
                unread["\(record.origin.partition.partition)@\(record.origin.offset)"] = record
            }
        }
        for act in outcomes.keys { outcomes[act]?.sort { $0.at < $1.at } }
    }

    /// Compares past and present requests of events.
    ///
    /// - Parameters:
    ///   - records: The records to compare, in the order of reading.
    ///   - memory: The earlier records of their stories, in the order of reading. They get no findings.
    ///   - configuration: The current configuration.
    ///   - now: The current time.
    /// - Returns: One finding for each act, in the order of their first records.
    func findings(
        on records: [ReplayRecord],
        remembering memory: [ReplayRecord],
        by configuration: WorkerConfiguration,
        now: Timestamp
    ) -> [ReplayFinding] {
        var forecaster = EventForecaster(configuration, now: now)
        for record in memory { _ = forecaster.forecast(record.rehearsal) }
        var findings: [ReplayFinding] = []
        var places: [ReplayRecord.Act: Int] = [:]
        for record in records {
            let forecast = forecaster.forecast(record.rehearsal)
            if let place = places[record.act] {
                // Records of the same act share a finding. It has the forecast of the record that would be sent.
                if !findings[place].wouldBeSent { findings[place].forecast = forecast }
                continue
            }
            places[record.act] = findings.count
            findings.append(ReplayFinding(record: record, result: .unknown, forecast: forecast))
        }
        return findings.map(judged)
    }

    private func judged(_ finding: ReplayFinding) -> ReplayFinding {
        var finding = finding
        let known = outcomes[finding.record.act] ?? [unread[finding.record.place]].compactMap(\.self)
        finding.outcome = known.last { $0.verdict.isNotified } ?? known.last { !$0.targets.isEmpty } ?? known.last
        guard let outcome = finding.outcome else { return finding }
        let notified = known.flatMap(\.targets).filter { $0.report.status == .accepted || $0.report.status == .unknown }
        var planned: [OutcomeRecord.Request] = []
        if case .send(let sends) = finding.forecast.decision { planned = sends.map { OutcomeRecord.Request($0) } }
        if notified.isEmpty, !planned.isEmpty, outcome.verdict.endedByItsStory {
            finding.result = .overtaken(outcome.verdict)
            return finding
        }
        finding.result = .compared(PlanDifference(before: notified.map(\.request), after: planned))
        return finding
    }
}

extension EventVerdict {
    /// Whether the event ended because of another event of its story, or of an editor's act, not because of rules or a hub.
    fileprivate var endedByItsStory: Bool {
        switch outcome {
        case .duplicate, .superseded, .shadow: true
        case .suppressed: ["suppressed.hold", "suppressed.killed", "suppressed.never_sent"].contains(reason)
        case .sent, .partial, .deferred, .held, .expired, .invalid, .failed: false
        }
    }
}

/// The finding of a replay for one act.
package struct ReplayFinding: Sendable {
    /// The result of a comparison.
    package enum Result: Sendable, Equatable {
        /// The difference between the sent requests and those that would be sent now.
        case compared(PlanDifference)
        /// There is no outcome: no worker has processed the event, or its outcome was deleted by retention.
        case unknown
        /// It was not sent because of another event of its story, so the configuration is not the cause.
        case overtaken(EventVerdict)
    }

    /// The first of the selected records of the act.
    package var record: ReplayRecord
    package var result: Result
    /// The outcome; `nil` if there is none.
    package var outcome: OutcomeRecord?
    /// The forecast with the present configuration.
    package var forecast: EventForecast

    /// How the requests differ; `nil` if they do not, or were not compared.
    package var difference: PlanDifference? {
        guard case .compared(let difference) = result, difference.kind != .same else { return nil }
        return difference
    }

    /// Whether the event would be sent now.
    var wouldBeSent: Bool {
        if case .send = forecast.decision { true } else { false }
    }

    /// Whether the text of the event must not be sent.
    var isSecure: Bool {
        guard case .send(let sends) = forecast.decision else { return outcome?.isSecure ?? false }
        return outcome?.isSecure == true || sends.contains { $0.template == "secure" }
    }
}

/// The number of acts for each result.
package struct ReplayTotals: Sendable, Equatable {
    package var events = 0
    package var same = 0
    package var kinds: [PlanDifference.Kind: Int] = [:]
    package var unknown = 0
    var overtaken = 0

    package var differing: Int { kinds.values.reduce(0, +) }

    package init(_ findings: [ReplayFinding]) {
        events = findings.count
        for finding in findings {
            switch finding.result {
            case .compared(let difference) where difference.kind == .same: same += 1
            case .compared(let difference): kinds[difference.kind, default: 0] += 1
            case .unknown: unknown += 1
            case .overtaken: overtaken += 1
            }
        }
    }
}
