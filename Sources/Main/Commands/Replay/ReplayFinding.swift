import NewsEvents
import Publishing
import Timestamps

/// The finding of a replay for one act.
struct ReplayFinding: Sendable {
    /// The result of a comparison.
    enum Result: Sendable, Equatable {
        /// The difference between the sent requests and those that would be sent now.
        case compared(PlanDifference)
        /// There is no outcome: no worker has processed the event, or its outcome was deleted by retention.
        case unknown
        /// It was not sent because of another event of its story, so the configuration is not the cause.
        case overtaken(EventVerdict)
    }

    /// The first of the selected records of the act.
    var record: ReplayRecord
    var result: Result
    /// The outcome; `nil` if there is none.
    var outcome: OutcomeRecord?
    /// The forecast with the present configuration.
    var forecast: EventForecast

    /// How the requests differ; `nil` if they do not, or were not compared.
    var difference: PlanDifference? {
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
