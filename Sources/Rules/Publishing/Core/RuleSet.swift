/// The newsroom's rules as they were when an event was admitted: an event ends by the rules that it began with.
package final class RuleSet: Sendable {
    package let gate: Gate
    package let planner: any EventPlanning
    /// Digest of the mapping and the texts, for outcomes and dead letters.
    package let digest: String

    package init(gate: Gate, planner: any EventPlanning, digest: String) {
        self.gate = gate
        self.planner = planner
        self.digest = digest
    }
}
