import NewsEvents
import Publishing

/// What became of a withdrawal, as far as workers have recorded it.
enum WithdrawalResult: Sendable, Equatable {
    /// Hubs accepted it for each audience that was notified, or may have been.
    case withdrawn
    /// Each audience had it before.
    case withdrawnBefore
    /// No hub was sent anything of the story.
    case nobodyNotified
    /// It waits for a person: its source is paused, or it needs more names.
    case waits
    /// It ended, and an audience may not have it.
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
            case (false, .held, "held.source"), (false, .held, "held.brake"), (false, .held, "held.unconfirmed"): .waits
            case (false, _, _): .unanswered
            case (true, .sent, _): outcome.hasReachedAll ? .withdrawn : .incomplete
            case (true, .suppressed, "suppressed.killed"): .withdrawnBefore
            case (true, .suppressed, "suppressed.never_sent"): .nobodyNotified
            default: .incomplete
            }
    }

    /// Whether waiting longer would not change it.
    var isSettled: Bool { self != .unanswered }
}

extension OutcomeRecord {
    /// Whether hubs accepted a request for each audience, and there was one.
    fileprivate var hasReachedAll: Bool {
        !self.targets.isEmpty && self.targets.allSatisfy { $0.report.status == .accepted }
    }
}

/// One withdrawal that was written, and what became of it.
struct WithdrawalReport: Sendable {
    /// A source's name in the configuration.
    let source: String
    let event: NewsEvent
    let origin: LaterNews.Origin
    /// The facts of the story before it, if they are known.
    var facts: StoryFacts?
    /// The latest that a worker recorded.
    var outcome: OutcomeRecord?
    /// How long an outcome was waited for, as a person wrote it.
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
            return [heading] + earlier.map { "  \(StoryMemory.line($0))" }
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

    /// Why it waits for a person, and what that person can do.
    private var waitLines: [String] {
        switch outcome?.verdict.reason {
        case "held.unconfirmed":
            let count = Set(event.approvedBy).count
            let names = count == 1 ? "1 name" : "\(count) names"
            return [
                "it waits for approval: policy.approvals asks for more than \(names)",
                "publish it once more with all names: one --by for each",
            ]
        case "held.brake":
            return [
                "a volume limit paused the source: see 'newsflash pauses'",
                "it is sent at 'newsflash resume --source \(source)', with what else waits",
            ]
        default:
            return [
                "the source is paused: see 'newsflash pauses'",
                "it is sent at 'newsflash resume --source \(source)' ('--all' if everything is paused), with what else waits",
            ]
        }
    }

    private func audiences(_ count: Int) -> String { counted(count, "audience") }
}

extension EventVerdict {
    /// Such as `partial.hub_removed: …`.
    fileprivate var words: String { "\(reason ?? outcome.rawValue)\(detail.map { ": \($0)" } ?? "")" }
}
