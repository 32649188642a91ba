/// A deliberate fault in the surroundings of the workers, to show that the oracle detects it.
package enum Sabotage: String, Sendable, CaseIterable {
    /// Some outcomes are confirmed and not written.
    case loseOutcomes
    /// Workers commit one offset more than they may.
    case commitEarly
    /// Outcomes are written twice.
    case endTwice
    /// A second outcome contradicts the first.
    case contradictEnd
    /// Unsent events end as sent.
    case claimSent
    /// Sent events end as superseded.
    case denySent
    case loseDeadLetters
    /// Requests of kills are dropped, and answered as accepted.
    case dropWithdrawals
    /// Requests of news are sent again seconds later.
    case resendLate
    /// Requests are sent twice.
    case sendTwice
    /// Workers allow ten times as many requests at risk.
    case ignoreRisk
    /// The ledger does not receive requests that hubs may have accepted.
    case forgetInFlight
    /// The workers' wall clocks are an hour fast.
    case fastClock
    /// The workers' wall clocks are some minutes slow.
    case slowClock
    /// Workers read records seconds late.
    case readLate
    /// Some requests are never answered.
    case loseAnswers
    case ignorePauses
    /// Workers receive a revocation only at the end of the drain.
    case ignoreLeaving
    /// Some requests of live events go to the test hub.
    case mixModes
    /// Kills also go to an unrelated audience.
    case strayKills
    /// Workers do not compare the addresses of their hubs with those in the ledger.
    case ignoreAddresses
    /// Workers look for work all the time.
    case spin

    /// The promises that it breaks. The oracle must detect one of them.
    package var breaks: [Invariant] {
        switch self {
        case .loseOutcomes: [.nothingLost]
        case .commitEarly: [.commitAfterEnd]
        case .endTwice: [.noRepeatedEnd]
        case .contradictEnd: [.oneEnd]
        case .claimSent: [.truthfulSent]
        case .denySent: [.truthfulUnsent]
        case .loseDeadLetters: [.deadLetter]
        case .dropWithdrawals: [.withdrawal]
        case .resendLate: [.order, .nothingAfterWithdrawal]
        case .sendTwice: [.noDuplicate]
        case .ignoreRisk: [.atRiskBound]
        case .forgetInFlight: [.recordInFlight]
        case .fastClock: [.embargo]
        case .slowClock: [.expiry]
        case .readLate: [.express]
        case .loseAnswers: [.nothingStuck]
        case .ignorePauses: [.pause]
        case .ignoreLeaving: [.noRequestWhileLeaving]
        case .mixModes: [.mode]
        case .strayKills: [.addressees]
        case .ignoreAddresses: [.hubAddress]
        case .spin: [.endsInTime]
        }
    }
}
