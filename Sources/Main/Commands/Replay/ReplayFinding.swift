import NewsEvents
import Publishing
import Timestamps

/// What a replay found out about one act.
struct ReplayFinding: Sendable {
    /// What can be said of an act.
    enum Result: Sendable, Equatable {
        /// What readers were told, against what they would be told now.
        case compared(PlanDifference)
        /// Nobody knows what became of it: no worker has come to it, or the outcomes do not keep it any more.
        case unknown
        /// It was not told because of what came of its story meanwhile; that is no question of the configuration.
        case overtaken(EventVerdict)
    }

    /// Its first record among those looked at.
    var record: ReplayRecord
    var result: Result
    /// How it ended, as far as outcomes say.
    var outcome: OutcomeRecord?
    /// What would become of it now.
    var forecast: EventForecast

    /// How the requests differ; `nil` where they do not, or nobody can tell.
    var difference: PlanDifference? {
        guard case .compared(let difference) = result, difference.kind != .same else { return nil }
        return difference
    }

    /// Whether anything would go out for it now.
    var wouldBeSent: Bool {
        if case .send = forecast.decision { true } else { false }
    }

    /// Whether no words of it may travel.
    var isSecure: Bool {
        guard case .send(let sends) = forecast.decision else { return outcome?.isSecure ?? false }
        return outcome?.isSecure == true || sends.contains { $0.template == "secure" }
    }
}

/// How many acts there were of each result.
struct ReplayTotals: Sendable, Equatable {
    var events = 0
    var same = 0
    var kinds: [PlanDifference.Kind: Int] = [:]
    var unknown = 0
    var overtaken = 0

    var differing: Int { kinds.values.reduce(0, +) }

    init(_ findings: [ReplayFinding]) {
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
