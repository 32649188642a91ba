/// A fault that is built into the surroundings of the workers on purpose, to show that the oracle sees it.
package enum Sabotage: String, Sendable, CaseIterable {
    /// Some outcomes are confirmed and not written.
    case loseOutcomes
    /// Workers commit one offset too many.
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
    /// Requests of kills go nowhere, and are answered as accepted.
    case dropWithdrawals
    /// Requests of news are sent again seconds later.
    case resendLate
    /// Requests are sent twice.
    case sendTwice
    /// Workers believe that ten times as many requests may be at risk.
    case ignoreRisk
    /// The ledger does not get what hubs may have accepted.
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
    /// Workers do not learn that partitions leave before the end of the drain.
    case ignoreLeaving
    /// Some requests of live events go to the test hub.
    case mixModes
    /// Kills go to an audience that has nothing to do with them.
    case strayKills
    /// Workers do not compare the addresses of their hubs with those in the ledger.
    case ignoreAddresses
    /// Workers look for something to do all the time.
    case spin

    /// The promises that it breaks, of which the oracle has to see one.
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
