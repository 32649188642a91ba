package import Publishing
import Timestamps

/// Who asked for the configuration to be read again.
package enum ReloadRequest: Sendable, Equatable {
    /// SIGHUP.
    case signal
    /// `newsflash reload`, by way of the control topic.
    case order(ReloadOrder)

    var by: String {
        switch self {
        case .signal: "SIGHUP"
        case .order(let order): order.by
        }
    }

    var reason: String {
        switch self {
        case .signal: ""
        case .order(let order): order.reason
        }
    }

    /// The terms of a configuration, with what the request says over them.
    func terms(over terms: CanaryTerms) -> CanaryTerms {
        switch self {
        case .signal: terms
        case .order(let order): order.terms(over: terms)
        }
    }
}

/// What became of reading the configuration again.
struct ReloadResult: Sendable, Equatable {
    enum Kind: String, Sendable, CaseIterable {
        /// Its rules are in force.
        case promoted
        /// Its rules were tried and changed more than the terms allow.
        case dropped
        /// It has problems.
        case refused
        /// It changes what only a start can.
        case needsRestart = "needs_restart"
        /// It says what is in force already.
        case unchanged
    }

    var kind: Kind
    var at: Timestamp
    var by: String
    var reason: String
    /// Names its rules; `nil` where they could not be read.
    var digest: String?
    /// For people: why it came to this.
    var detail: String
    /// All that is wrong with it, or needs a restart.
    var problems: [String] = []
    /// The decisions by which it was judged.
    var tally: CanaryTally?

    /// What the person on call should know of it; `nil` where all is as asked.
    var note: String? {
        switch kind {
        case .promoted, .unchanged: nil
        case .dropped, .refused, .needsRestart:
            "reload.\(kind.rawValue): \(detail), so the rules of before go on (\(at.rfc3339), by \(by))"
        }
    }
}
