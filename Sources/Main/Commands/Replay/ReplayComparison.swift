import NewsEvents
import Publishing
import Timestamps
import Worker

/// Compares what readers were told with what they would be told now.
struct ReplayComparison {
    /// By act: what became of it, the latest last.
    private var outcomes: [ReplayRecord.Act: [OutcomeRecord]] = [:]
    /// By place: of records that were not even read as events.
    private var unread: [String: OutcomeRecord] = [:]

    /// Takes up what became of events.
    ///
    /// Provisional outcomes say nothing, and neither do those of replays for one tag: no reader was told.
    ///
    /// - Parameter records: Outcomes of the source's records, in any order.
    init(_ records: [OutcomeRecord]) {
        for record in records where record.isFinal && record.replay?.onlyTag == nil {
            outcomes[ReplayRecord.Act(record), default: []].append(record)
            if record.event.isEmpty {
                unread["\(record.origin.partition.number)@\(record.origin.offset)"] = record
            }
        }
        for act in outcomes.keys { outcomes[act]?.sort { $0.at < $1.at } }
    }

    /// Compares.
    ///
    /// - Parameters:
    ///   - records: Those that are asked about, in the order of reading.
    ///   - memory: What came before them in their stories, likewise; nothing is said of these.
    ///   - configuration: Today's.
    ///   - now: The present.
    /// - Returns: One finding an act, in the order of their first records.
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
                // A second record of an act is told of with the first; the one that would be sent says what would be.
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
        finding.outcome = known.last { $0.verdict.isTold } ?? known.last { !$0.targets.isEmpty } ?? known.last
        guard let outcome = finding.outcome else { return finding }
        let told = known.flatMap(\.targets).filter { $0.report.status == .accepted || $0.report.status == .unknown }
        var planned: [OutcomeRecord.Request] = []
        if case .send(let sends) = finding.forecast.decision { planned = sends.map { OutcomeRecord.Request($0) } }
        if told.isEmpty, !planned.isEmpty, outcome.verdict.endedByItsStory {
            finding.result = .overtaken(outcome.verdict)
            return finding
        }
        finding.result = .compared(PlanDifference(before: told.map(\.request), after: planned))
        return finding
    }
}

extension EventVerdict {
    /// Whether what came before or after it in its story, or an editor, ended it; not the mapping, the texts or a hub.
    fileprivate var endedByItsStory: Bool {
        switch outcome {
        case .duplicate, .superseded, .shadow: true
        case .suppressed: ["suppressed.hold", "suppressed.killed", "suppressed.never_sent"].contains(reason)
        case .sent, .partial, .deferred, .held, .expired, .invalid, .failed: false
        }
    }
}
