import Timestamps

/// Whether each event was accepted once, or again for a reason: nobody can know whether the first request was accepted.
///
/// There are two such reasons. The hub cut the connection after it had accepted; or the worker died before its record of the
/// acceptance was confirmed.
struct NoNeedlessDoubles: Guarantee {
    let faults: [String]
    /// The numbers of the acceptances that repeat an earlier one for a reason.
    let explained: Set<Int>
    /// How many repeats an answer explains that never came.
    let unknownAnswers: Int
    /// How many events were in flight at each death and sent again, by the life of the worker that died.
    let inFlight: [String: Int]
    /// The longest time from an acceptance to the death that explains its repeat.
    let longestFlight: Duration

    /// Looks at all that the hub accepted.
    init(_ evidence: Evidence) {
        var last: [String: Acceptance] = [:]
        var faults: [String] = []
        var explained: Set<Int> = []
        var unknownAnswers = 0
        var inFlight: [String: Int] = [:]
        var longest = Duration.zero
        for (number, acceptance) in evidence.acceptances.enumerated() {
            defer { last[acceptance.event] = acceptance }
            guard let before = last[acceptance.event] else { continue }
            if let death = evidence.deathInFlight(of: before), acceptance.time >= death.time {
                inFlight[death.worker, default: 0] += 1
                longest = max(longest, death.time - before.time)
                explained.insert(number)
            } else if evidence.faults[acceptance.story] == .cutAfter {
                unknownAnswers += 1
                explained.insert(number)
            } else {
                let gap = (acceptance.time - before.time).milliseconds
                faults.append("\(acceptance.event) by \(before.worker), and \(gap) later by \(acceptance.worker)")
            }
        }
        self.faults = faults
        self.explained = explained
        self.unknownAnswers = unknownAnswers
        self.inFlight = inFlight
        longestFlight = longest
    }

    var figures: String {
        let deaths = inFlight.values.reduce(0, +)
        let most = inFlight.values.max() ?? 0
        let flight = deaths > 0 ? " (at most \(most) a death, accepted up to \(longestFlight.milliseconds) before)" : ""
        return "\(faults.count) doubles unexplained, \(unknownAnswers) of unknown answers, \(deaths) in flight\(flight)"
    }
}

extension Duration {
    /// For people: whole milliseconds.
    var milliseconds: String { "\(Int64((self / .milliseconds(1)).rounded())) ms" }
}
