import NewsflashEvents

/// Whether a run has enough evidence to prove anything. A run without any event breaks no other guarantee.
package struct EnoughSeen: Guarantee {
    package let faults: [String]
    /// The numbers of written and confirmed records, and of those with an outcome or a dead letter.
    package let written, confirmed, ended: Int
    /// The number of events that a hub accepted.
    package let accepted: Int

    /// The share of written records that Kafka must confirm.
    package static let leastConfirmed = 0.99
    /// The number of kills from which on at least one must withdraw news at each hub. A few kills may all come before
    /// their news is sent.
    package static let manyKills = 30

    /// Counts the evidence.
    ///
    /// - Parameters:
    ///   - evidence: The evidence of the run.
    ///   - givenUp: The share of records that the desk itself may give up.
    ///   - embargoes: The embargoes that the run met.
    ///   - express: The flashes that the run measured.
    ///   - withdrawals: The kills that the run saw.
    package init(
        _ evidence: Evidence,
        givenUp: Double,
        embargoes: EmbargoMet,
        express: ExpressFirst,
        withdrawals: WithdrawalReachesAll
    ) {
        let confirmed = evidence.places.keys.map { evidence.records[$0] }
        self.confirmed = confirmed.count
        written = max(evidence.written.count, confirmed.count)
        ended = evidence.places.values.count {
            evidence.outcomes[$0]?.isEmpty == false || evidence.deadLetters.contains($0)
        }
        accepted = Set(evidence.acceptances.lazy.map(\.event)).count

        var faults: [String] = []
        if written == 0 { faults.append("nothing was written") }
        if Double(self.confirmed) < (Self.leastConfirmed - givenUp) * Double(written) {
            faults.append("only \(self.confirmed) of \(written) written records were confirmed")
        }
        if !confirmed.isEmpty, ended == 0 { faults.append("no record ended") }
        if confirmed.contains(where: \.mayBeSent) {
            let active = Set(evidence.acceptances.lazy.map(\.hub))
            for hub in evidence.hubs where !active.contains(hub) { faults.append("the hub \(hub) accepted nothing") }
        }
        let kills = confirmed.count { $0.kind == .kill && $0.embargo == nil }
        for hub in evidence.hubs where kills >= Self.manyKills && withdrawals.reached[hub] == nil {
            faults.append("none of \(kills) kills withdrew anything at \(hub)")
        }
        let flashes = confirmed.count { $0.kind == .flash && $0.fault == nil && !$0.isRepeat }
        if flashes > 0, express.waits.isEmpty { faults.append("none of \(flashes) flashes was measured") }
        let certain = confirmed.count { $0.embargo != nil && $0.permitted == ["sent"] && !$0.isRepeat }
        if certain > 0, embargoes.lateness.isEmpty, embargoes.excused == 0 {
            faults.append("none of \(certain) embargoes was seen to end")
        }
        self.faults = faults
    }

    package var figures: String { "\(confirmed) of \(written) confirmed, \(ended) ended, \(accepted) accepted" }
}
