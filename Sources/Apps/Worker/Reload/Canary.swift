import NewsflashEvents
import NewsflashPlanning
import NewsflashPublishing

/// New rules, compared with those in force using the worker's latest decisions.
struct Canary {
    let request: ReloadRequest
    let rules: RuleSet
    let values: [ConfigurationValue]
    let configuration: WorkerConfiguration
    let changes: [ConfigurationChange]
    private(set) var tally: CanaryTally

    init(
        _ configuration: WorkerConfiguration,
        values: [ConfigurationValue],
        changes: [ConfigurationChange],
        request: ReloadRequest
    ) {
        self.request = request
        self.rules = configuration.rules
        self.values = values
        self.configuration = configuration
        self.changes = changes
        self.tally = CanaryTally(terms: request.terms(over: configuration.reload))
    }

    /// Plans decisions with both rules until the terms give a verdict. Decisions that notify nobody under either rule do not
    /// count.
    ///
    /// - Parameters:
    ///   - samples: The decisions, newest first.
    ///   - present: The rules in force.
    /// - Returns: The verdict; promoted unless decisions count against the rules.
    mutating func judge(_ samples: [DecisionSample], beside present: RuleSet) -> CanaryTally.Verdict {
        guard tally.terms.events > 0 else { return .promoted }
        for sample in samples {
            let before = present.requests(for: sample)
            let after = rules.requests(for: sample)
            guard !before.isEmpty || !after.isEmpty else { continue }
            let difference = PlanDifference(before: before, after: after).kind
            if let verdict = tally.count(difference, of: sample.event.id) { return verdict }
        }
        return .promoted
    }
}

/// The latest decisions of a worker, for comparing new rules.
struct DecisionSamples: Sendable {
    private var ring: [DecisionSample] = []
    /// The index of the oldest, once the ring is full.
    private var oldest = 0

    mutating func append(_ samples: [DecisionSample]) {
        for sample in samples.suffix(CanaryTerms.mostEvents) {
            if ring.count < CanaryTerms.mostEvents {
                ring.append(sample)
            } else {
                ring[oldest] = sample
                oldest = (oldest + 1) % CanaryTerms.mostEvents
            }
        }
    }

    /// All of them, at most ``CanaryTerms/mostEvents``.
    var newestFirst: [DecisionSample] { Array((ring[oldest...] + ring[..<oldest]).reversed()) }
}

extension CanaryTally {
    /// A summary for operators, such as `200 events: 3 words, 197 same`, or `3 of 200 events` if the worker has decided no
    /// more.
    var line: String {
        let kinds = [.same] + CanaryTerms.kinds
        let parts = kinds.compactMap { kind in counts[kind].map { "\($0) \(kind.rawValue)" } }
        let most = compared < terms.events ? " of \(terms.events)" : ""
        return "\(compared)\(most) \(compared == 1 && most.isEmpty ? "event" : "events")"
            + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
    }

    /// The differing events, for operators: `id (lost), …`.
    var named: String { differing.map { "\($0.event) (\($0.kind.rawValue))" }.joined(separator: ", ") }
}

extension WorkerConfiguration {
    /// The newsroom's rules in this configuration.
    var rules: RuleSet { RuleSet(core, planner: EventPlanner(self)) }
}
