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

    /// What can be announced or limited.
    package static let kinds: [PlanDifference.Kind] = [.words, .audience, .lost, .gained]

    /// Two hundred events or ten minutes, and no difference that was not announced: an editor who changes a word says so,
    /// and what else has changed with it is a mistake.
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
