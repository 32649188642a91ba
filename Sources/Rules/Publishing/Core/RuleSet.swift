import NewsflashEvents

/// The newsroom's rules at the time when an event was admitted. An event ends by the rules with which it began.
package final class RuleSet: Sendable {
    package let gate: AdmissionRules
    package let planner: any EventPlanning
    /// Digest of the mapping and the texts, for outcomes and dead letters.
    package let digest: String

    package init(gate: AdmissionRules, planner: any EventPlanning, digest: String) {
        self.gate = gate
        self.planner = planner
        self.digest = digest
    }

    /// Creates the rules of a configuration.
    ///
    /// - Parameters:
    ///   - configuration: The policy and the hubs.
    ///   - planner: Turns events into requests.
    package convenience init(_ configuration: PublishingConfiguration, planner: any EventPlanning) {
        let hasTestHub = configuration.hubs.contains { $0.mode == .test }
        self.init(
            gate: AdmissionRules(policy: configuration.policy, hasTestHub: hasTestHub),
            planner: planner,
            digest: configuration.digest
        )
    }
}
