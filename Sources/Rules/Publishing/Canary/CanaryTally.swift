/// The events that new rules were judged by, and how the plans differ from those of the rules in force.
package struct CanaryTally: Sendable, Equatable {
    /// How the judgement ends.
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
    /// - Returns: The verdict; `nil` if more events must be compared.
    package mutating func note(_ kind: PlanDifference.Kind, of event: String) -> Verdict? {
        compared += 1
        counts[kind, default: 0] += 1
        if kind != .same, differing.count < Self.mostNamed { differing.append(Differing(event: event, kind: kind)) }
        if let limit = terms.limit(of: kind), counts[kind, default: 0] > limit { return .dropped(kind) }
        return compared >= terms.events ? .promoted : nil
    }
}

/// The terms on which new rules take the place of the old ones: by how many events they are judged, and what may differ.
package struct CanaryTerms: Sendable, Equatable {
    /// How many events are planned by both; 0 puts the new rules into force without a look.
    package var events: Int
    /// The kinds of differences that somebody has announced: any number of them may be.
    package var announced: Set<PlanDifference.Kind>
    /// How many events may differ in a way that nobody has announced; kinds that are not here, none.
    package var limits: [PlanDifference.Kind: Int]

    /// The kinds that can be announced or limited.
    package static let kinds: [PlanDifference.Kind] = [.words, .audience, .lost, .gained]

    /// The number of decisions that a worker keeps. More cannot be asked for.
    package static let mostEvents = 200

    /// Two hundred events, and no difference that was not announced: an editor announces a change of words,
    /// and any other change with it is a mistake.
    package init(
        events: Int = mostEvents,
        announced: Set<PlanDifference.Kind> = [],
        limits: [PlanDifference.Kind: Int] = [:]
    ) {
        self.events = events
        self.announced = announced
        self.limits = limits
    }

    /// How many events may differ so; `nil` for any number.
    package func limit(of kind: PlanDifference.Kind) -> Int? {
        kind == .same || announced.contains(kind) ? nil : limits[kind] ?? 0
    }
}
