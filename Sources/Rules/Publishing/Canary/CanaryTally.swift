/// What a trial of new rules beside the old has shown so far.
package struct CanaryTally: Sendable, Equatable {
    /// How a trial ends.
    package enum Verdict: Sendable, Equatable {
        case promoted
        /// More events than the terms allow differ so.
        case dropped(PlanDifference.Kind)
    }

    /// An event for which both rules would not do the same.
    package struct Differing: Sendable, Equatable {
        package let event: String
        package let kind: PlanDifference.Kind
    }

    package let terms: CanaryTerms
    /// How many events both have planned.
    package private(set) var compared = 0
    /// How many could not be, as too many came at once.
    package private(set) var skipped = 0
    /// By kind; what has not been seen is not there.
    package private(set) var counts: [PlanDifference.Kind: Int] = [:]
    /// The first of those that differ.
    package private(set) var differing: [Differing] = []

    /// How many are named: enough to see what they have in common, and they fit a log line.
    package static let mostNamed = 50

    package init(terms: CanaryTerms) {
        self.terms = terms
    }

    /// Takes note of an event.
    ///
    /// - Parameters:
    ///   - kind: How the new plan differs from the old.
    ///   - event: Its id.
    /// - Returns: How the trial ends; `nil` while it goes on.
    package mutating func note(_ kind: PlanDifference.Kind, of event: String) -> Verdict? {
        compared += 1
        counts[kind, default: 0] += 1
        if kind != .same, differing.count < Self.mostNamed { differing.append(Differing(event: event, kind: kind)) }
        if let limit = terms.limit(of: kind), counts[kind, default: 0] > limit { return .dropped(kind) }
        return compared >= terms.events ? .promoted : nil
    }

    /// Takes note of events that nobody has planned twice.
    package mutating func skip(_ count: Int) {
        skipped += count
    }
}
