import NewsEvents
import Publishing
import Timestamps

/// New rules on trial beside the old ones, which go on to decide.
struct Canary {
    let id: Int
    let request: ReloadRequest
    let rules: RuleSet
    let values: [ConfigurationValue]
    let configuration: WorkerConfiguration
    let changes: [ConfigurationChange]
    let began: Timestamp
    var tally: CanaryTally

    /// When it ends at the latest.
    var end: Timestamp { began + tally.terms.within }

    /// Plans an event by both rules.
    ///
    /// - Parameters:
    ///   - sample: The event, and what was known of it.
    ///   - present: The rules in force.
    /// - Returns: How the trial ends; `nil` while it goes on. An event of which neither tells anybody shows nothing.
    mutating func compare(_ sample: DecisionSample, with present: RuleSet) -> CanaryTally.Verdict? {
        let before = present.requests(for: sample)
        let after = rules.requests(for: sample)
        guard !before.isEmpty || !after.isEmpty else { return nil }
        return tally.note(PlanDifference(before: before, after: after).kind, of: sample.event.id)
    }
}

extension CanaryTally {
    /// For people, such as `200 events: 3 words, 197 same`.
    var line: String {
        let kinds = [.same] + CanaryTerms.kinds
        let parts = kinds.compactMap { kind in counts[kind].map { "\($0) \(kind.rawValue)" } }
        let skipped = skipped > 0 ? "; \(skipped) came too fast to be tried" : ""
        return (compared == 1 ? "1 event" : "\(compared) events")
            + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")) + skipped
    }

    /// The events that differ, for people: `id (lost), …`.
    var named: String { differing.map { "\($0.event) (\($0.kind.rawValue))" }.joined(separator: ", ") }
}

extension WorkerConfiguration {
    /// The newsroom's rules as this configuration says them.
    var rules: RuleSet { RuleSet(core, planner: EventPlanner(self)) }
}
