import NewsEvents

/// Every event has a final outcome, however rough the way.
struct NothingLost {
    let published: [NewsEvent]

    /// Those without.
    func violations(in outcomes: [Outcome]) -> [String] {
        let ended = Set(outcomes.filter(\.isFinal).map(\.event))
        return published.map(\.id).filter { !ended.contains($0) }
    }
}

/// No event has two final outcomes.
struct OneFinalOutcome {
    /// Events with more than one.
    func violations(in outcomes: [Outcome]) -> [String] {
        let counts = outcomes.filter(\.isFinal).reduce(into: [:]) { $0[$1.event, default: 0] += 1 }
        return counts.filter { $0.value > 1 }.map { "\($0.key): \($0.value)" }.sorted()
    }
}
