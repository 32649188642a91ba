import NewsflashTimestamps

/// Whether each hub accepted each event once, or again because nobody can know whether the first request was accepted.
///
/// Two reasons exist. Either the hub cut the connection of this event's request after it had accepted it, which may
/// happen ``Evidence/Limits/unknownAttempts`` times. Or the worker died before its record of the acceptance was
/// confirmed, which may happen to ``Evidence/Limits/atRisk`` requests, over all hubs together.
package struct NoNeedlessDoubles: Guarantee {
    package let faults: [String]
    /// The numbers of the acceptances that repeat an earlier one for a reason.
    package let explained: Set<Int>
    /// The number of repeats after a lost response.
    package let unknownAnswers: Int
    /// The number of requests that were in flight at each death and were sent again.
    package let inFlight: [Disturbance: Int]
    /// The longest time from an acceptance to the death that explains its repeat.
    package let longestFlight: Duration

    /// Checks all acceptances.
    package init(_ evidence: Evidence) {
        var last: [AtHub: Acceptance] = [:]
        var faults: [String] = []
        var explained: Set<Int> = []
        var unknownAnswers: [AtHub: Int] = [:]
        var inFlight: [Disturbance: Int] = [:]
        var longest = Duration.zero
        for (number, acceptance) in evidence.acceptances.enumerated() {
            guard let before = last.updateValue(acceptance, forKey: acceptance.eventAtHub) else { continue }
            if let death = evidence.deathInFlight(of: before), acceptance.time >= death.time {
                inFlight[death, default: 0] += 1
                longest = max(longest, death.time - before.time)
                explained.insert(number)
            } else if evidence.faults[acceptance.event] == .cutAfter,
                unknownAnswers[acceptance.eventAtHub, default: 0] < evidence.limits.unknownAttempts - 1
            {
                unknownAnswers[acceptance.eventAtHub, default: 0] += 1
                explained.insert(number)
            } else {
                let gap = (acceptance.time - before.time).milliseconds
                let text = "\(acceptance.event) by \(before.worker), and \(gap) later by \(acceptance.worker)"
                faults.append(evidence.hubs.count > 1 ? "\(text), at \(acceptance.hub)" : text)
            }
        }
        for (death, count) in inFlight.sorted(by: { $0.key.time < $1.key.time }) {
            let bound = evidence.mostInFlight(at: death)
            if count > bound {
                faults.append(
                    "\(count) requests repeated after \(death.worker) was \(death.kind), \(bound) is the bound"
                )
            }
        }
        self.faults = faults
        self.explained = explained
        self.unknownAnswers = unknownAnswers.values.reduce(0, +)
        self.inFlight = inFlight
        longestFlight = longest
    }

    package var figures: String {
        let repeats = inFlight.values.reduce(0, +)
        let most = inFlight.values.max() ?? 0
        let flight =
            repeats > 0 ? " (at most \(most) a death, accepted up to \(longestFlight.milliseconds) before)" : ""
        return
            "\(faults.count) doubles unexplained, \(unknownAnswers) of unknown answers, \(repeats) in flight\(flight)"
    }
}

extension Duration {
    /// The duration in whole milliseconds, for people.
    package var milliseconds: String { "\(Int64((self / .milliseconds(1)).rounded())) ms" }
}
