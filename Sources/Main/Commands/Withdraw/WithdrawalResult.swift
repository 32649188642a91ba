import NewsEvents
import Publishing

/// The result of a withdrawal, as far as workers have recorded it.
enum WithdrawalResult: Sendable, Equatable {
    /// Hubs accepted it for each audience that was notified, or may have been.
    case withdrawn
    /// Each audience had it before.
    case withdrawnBefore
    /// Nothing of the story was sent to any hub.
    case nobodyNotified
    /// Its source is paused.
    case waits
    /// It ended, but an audience may not have it.
    case incomplete
    /// No worker has recorded an outcome in time.
    case unanswered

    init(_ outcome: OutcomeRecord?) {
        guard let outcome else {
            self = .unanswered
            return
        }
        self =
            switch (outcome.isFinal, outcome.verdict.outcome, outcome.verdict.reason) {
            case (false, .held, "held.source"), (false, .held, "held.brake"): .waits
            case (false, _, _): .unanswered
            case (true, .sent, _): outcome.hasReachedAll ? .withdrawn : .incomplete
            case (true, .suppressed, "suppressed.killed"): .withdrawnBefore
            case (true, .suppressed, "suppressed.never_sent"): .nobodyNotified
            default: .incomplete
            }
    }

    /// Whether the result is not expected to change.
    var isSettled: Bool { self != .unanswered }
}

extension OutcomeRecord {
    /// Whether hubs accepted a request for each audience, and there was one.
    fileprivate var hasReachedAll: Bool {
        !self.targets.isEmpty && self.targets.allSatisfy { $0.report.status == .accepted }
    }
}

/// One withdrawal that was written, and its result.
struct WithdrawalReport: Sendable {
    /// The name of the source in the configuration.
    let source: String
    let event: NewsEvent
    let origin: LaterOutcomes.Origin
    /// The facts of the story before the withdrawal, if they are known.
    var facts: StoryFacts?
    /// The latest outcome that a worker recorded.
    var outcome: OutcomeRecord?
    /// How long the command waited for an outcome, as the user wrote it.
    let patience: String

    var result: WithdrawalResult { WithdrawalResult(outcome) }

    /// A heading, and a line for each audience.
    var lines: [String] {
        let place = "story \(event.story), source \(source)"
        switch result {
        case .withdrawn, .incomplete:
            let targets = outcome?.targets ?? []
            let accepted = targets.count { $0.report.status == .accepted }
            var heading = "withdrawn at \(accepted) of \(audiences(targets.count)): \(place)"
            if result == .incomplete {
                heading = "\(accepted == 0 ? "NOT withdrawn" : "NOT fully \(heading)")"
                if accepted == 0 { heading += ": \(place)" }
                heading += "; \(outcome?.verdict.words ?? "")"
            }
            return [heading] + targets.map { "  \(OutcomeWords.line($0))" }
        case .withdrawnBefore:
            let earlier = (facts?.audiences ?? []).filter { $0.act.kind == .kill && $0.certainty == .accepted }
            let heading =
                earlier.isEmpty
                ? "withdrawn before, no audience is left to notify: \(place)"
                : "withdrawn before at \(audiences(earlier.count)): \(place)"
            return [heading] + earlier.map { "  \(LedgerSummary.line($0))" }
        case .nobodyNotified:
            return ["nobody was notified, so nobody was sent a withdrawal; what waited was stopped: \(place)"]
        case .waits: return ["waits, nobody has it yet: \(place)"] + waitLines.map { "  " + $0 }
        case .unanswered:
            return [
                "written, but no worker has answered for \(patience): \(place)",
                "  no worker runs or reads this source, one is behind, or its hub accepts nothing: see 'newsflash status'",
                "  the withdrawal stays in \(origin.topic)[\(origin.partition)] at offset \(origin.offset), and is sent when a "
                    + "worker can",
            ]
        }
    }

    /// Why it waits, and what ends the wait.
    private var waitLines: [String] {
        let cause =
            outcome?.verdict.reason == "held.brake" ? "a volume limit paused the source" : "the source is paused"
        return [
            "\(cause): see 'newsflash pauses'",
            "it is sent with all other waiting news after 'newsflash resume --source \(source)', or '--all' if all is paused",
        ]
    }

    private func audiences(_ count: Int) -> String { counted(count, "audience") }
}

extension EventVerdict {
    /// The reason and its detail, such as `partial.hub_removed: …`.
    fileprivate var words: String { "\(reason ?? outcome.rawValue)\(detail.map { ": \($0)" } ?? "")" }
}
