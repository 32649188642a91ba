/// The events that were planned by both new and current rules, and how the plans differ.
package struct CanaryTally: Sendable, Equatable {
    /// The end of the comparison.
    package enum Verdict: Sendable, Equatable {
        case promoted
        /// More events than the terms allow have this kind of difference.
        case dropped(PlanDifference.Kind)
    }

    /// An event whose plans differ.
    package struct Differing: Sendable, Equatable {
        package let event: String
        package let kind: PlanDifference.Kind
    }

    package let terms: CanaryTerms
    /// The number of compared events.
    package private(set) var compared = 0
    /// The number of events by kind of difference; a kind without events is absent.
    package private(set) var counts: [PlanDifference.Kind: Int] = [:]
    /// The first events whose plans differ, at most ``mostNamed``.
    package private(set) var differing: [Differing] = []

    /// The maximum number of listed events, which fits into a log line.
    package static let mostNamed = 50

    package init(terms: CanaryTerms) {
        self.terms = terms
    }

    /// Counts how the new plan of an event differs from the old.
    ///
    /// - Returns: The verdict; `nil` if more events must be compared.
    package mutating func count(_ kind: PlanDifference.Kind, of event: String) -> Verdict? {
        compared += 1
        counts[kind, default: 0] += 1
        if kind != .same, differing.count < Self.mostNamed { differing.append(Differing(event: event, kind: kind)) }
        if let limit = terms.limit(of: kind), counts[kind, default: 0] > limit { return .dropped(kind) }
        return compared >= terms.events ? .promoted : nil
    }
}

/// The terms on which new rules replace the current ones: the number of events to compare, and the allowed differences.
package struct CanaryTerms: Sendable, Equatable {
    /// The number of events to plan by both rules; 0 puts the new rules into force at once.
    package var events: Int
    /// The announced kinds of differences. Any number of events may have these.
    package var announced: Set<PlanDifference.Kind>
    /// The number of events that may have an unannounced kind of difference; 0 for absent kinds.
    package var limits: [PlanDifference.Kind: Int]

    /// The kinds that can be announced or limited.
    package static let kinds: [PlanDifference.Kind] = [.words, .audience, .lost, .gained]

    /// The number of decisions that a worker keeps, and the maximum of ``events``.
    package static let mostEvents = 200

    /// Creates terms; by default two hundred events without an unannounced difference. An editor announces a change of texts,
    /// for example; any other change with it is then a mistake.
    package init(
        events: Int = mostEvents,
        announced: Set<PlanDifference.Kind> = [],
        limits: [PlanDifference.Kind: Int] = [:]
    ) {
        self.events = events
        self.announced = announced
        self.limits = limits
    }

    /// The number of events that may have a kind of difference; `nil` for any number.
    package func limit(of kind: PlanDifference.Kind) -> Int? {
        kind == .same || announced.contains(kind) ? nil : limits[kind] ?? 0
    }
}
