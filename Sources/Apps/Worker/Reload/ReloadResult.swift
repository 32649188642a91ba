package import NewsflashPublishing
import NewsflashTimestamps

/// The origin of a request to read the configuration again.
package enum ReloadRequest: Sendable, Equatable {
    /// SIGHUP.
    case signal
    /// `newsflash reload`, through the control topic.
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

    /// The terms of a configuration, overridden by those of the request.
    func terms(over terms: CanaryTerms) -> CanaryTerms {
        switch self {
        case .signal: terms
        case .order(let order): order.terms(over: terms)
        }
    }
}

/// The result of reading the configuration again.
struct ReloadResult: Sendable, Equatable {
    enum Kind: String, Sendable, CaseIterable {
        /// Its rules are in force.
        case promoted
        /// Its rules were tried, and changed more than the terms allow.
        case dropped
        /// It has problems.
        case refused
        /// It contains a change that needs a restart.
        case needsRestart = "needs_restart"
        /// It is the same as the one in force.
        case unchanged
    }

    var kind: Kind
    var at: Timestamp
    var by: String
    var reason: String
    /// The digest of its rules; `nil` if they could not be read.
    var digest: String?
    /// The reason for the result, for operators.
    var detail: String
    /// All its problems, or the keys that need a restart.
    var problems: [String] = []
    /// The comparison of decisions.
    var tally: CanaryTally?

    /// A note for the person on call; `nil` if the request was fulfilled.
    var note: String? {
        switch kind {
        case .promoted, .unchanged: nil
        case .dropped, .refused, .needsRestart:
            "reload.\(kind.rawValue): \(detail), so the earlier rules stay in force (\(at.rfc3339), by \(by))"
        }
    }
}
