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

    /// Counts how the new plan of an event differs from the old.
    ///
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

/// On what terms new rules take the place of the old ones: how long they are tried beside them, and what they may change.
package struct CanaryTerms: Sendable, Equatable {
    /// How many events are planned by both; 0 puts the new rules into force at once.
    package var events: Int
    /// How long the trial lasts at most.
    package var within: Duration
    /// The kinds of differences that somebody has announced: any number of them may be.
    package var announced: Set<PlanDifference.Kind>
    /// How many events may differ in a way that nobody has announced; kinds that are not here, none.
    package var limits: [PlanDifference.Kind: Int]

    /// The kinds that can be announced or limited.
    package static let kinds: [PlanDifference.Kind] = [.words, .audience, .lost, .gained]

    /// Two hundred events or ten minutes, and no difference that was not announced: an editor announces a change of words,
    /// and any other change with it is a mistake.
    package init(
        events: Int = 200,
        within: Duration = .seconds(600),
        announced: Set<PlanDifference.Kind> = [],
        limits: [PlanDifference.Kind: Int] = [:]
    ) {
        self.events = events
        self.within = within
        self.announced = announced
        self.limits = limits
    }

    /// How many events may differ so; `nil` for any number.
    package func limit(of kind: PlanDifference.Kind) -> Int? {
        kind == .same || announced.contains(kind) ? nil : limits[kind] ?? 0
    }
}
