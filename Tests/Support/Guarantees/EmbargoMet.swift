import NewsflashTimestamps

/// Whether each hub first accepts an event soon after the end of its embargo, and never before.
///
/// It may be late in these cases:
///
/// - Nobody owned its partition, because a worker had just died, joined or left, or the group was forming.
/// - A broker was dead, so its record could not be written or read.
/// - The hub asked for a pause, and its worker sent it nothing at all.
/// - The hub refused the event at first.
/// - The hub was unavailable, which must delay no other hub. After its return a probe comes, and then its worker sends
///   what has waited, without a gap of more than the tolerance of an embargo.
///
/// Time for which the whole machine was suspended does not count.
package struct EmbargoMet: Guarantee {
    package let faults: [String]
    /// The delays that no reason excuses, in order.
    package let lateness: [Duration]
    /// The number of excused delays.
    package let excused: Int

    /// Checks the first acceptance of each event under embargo at each hub.
    ///
    /// - Parameters:
    ///   - evidence: The evidence of the run.
    ///   - pause: How long the hub asks workers to wait; zero if it does not.
    package init(_ evidence: Evidence, pause: Duration = .zero) {
        let first = evidence.firstAcceptances
        var faults: [String] = []
        var lateness: [Duration] = []
        var excused = 0
        let backlog = Self.backlog(evidence)
        for hub in evidence.hubs {
            for (number, record) in evidence.records.enumerated() where !record.isRepeat {
                guard let embargo = record.embargo, let written = evidence.written[number],
                    let acceptance = first[AtHub(hub: hub, name: record.event)]
                else { continue }
                let instant = written + embargo
                guard acceptance.time >= instant else {
                    faults.append("\(record.event) \((instant - acceptance.time).milliseconds) before its instant")
                    continue
                }
                let late = acceptance.time - instant - evidence.stillness(in: instant..<acceptance.time)
                guard late > evidence.patience.embargo else {
                    lateness.append(late)
                    continue
                }
                let mayBeRefused = record.fault?.takesNothing == true
                if mayBeRefused
                    || Self.isExcused(acceptance, instant: instant, backlog: backlog, evidence: evidence, pause: pause)
                {
                    excused += 1
                } else {
                    lateness.append(late)
                    let place = evidence.hubs.count > 1 ? ", at \(hub)" : ""
                    faults.append(
                        "\(record.event) \(late.milliseconds) after its instant, by \(acceptance.worker)\(place)"
                    )
                }
            }
        }
        self.faults = faults
        self.lateness = lateness.sorted()
        self.excused = excused
    }

    /// Whether reasons to be late cover the time from the instant to the acceptance without a gap.
    ///
    /// One may follow another, for example if the worker that waits for a hub dies before the hub is back.
    private static func isExcused(
        _ acceptance: Acceptance,
        instant: Timestamp,
        backlog: [Acceptance],
        evidence: Evidence,
        pause: Duration
    ) -> Bool {
        guard let partition = evidence.partitions[acceptance.event] else { return false }
        let patience = evidence.patience
        // Each reason lasts from its beginning until the hub must have accepted the events that waited for its end.
        var reasons = evidence.outages.map { $0.lowerBound..<($0.upperBound + patience.election + patience.embargo) }
        reasons += (evidence.away[acceptance.hub] ?? []).map {
            $0.lowerBound..<($0.upperBound + patience.probe + patience.embargo)
        }
        if let forming = evidence.forming, instant <= forming.upperBound {
            reasons.append(forming.lowerBound..<(forming.upperBound + patience.handover))
        }
        var nobodySent = instant + patience.embargo
        for disturbance in evidence.disturbances {
            let hits =
                disturbance.losesMemory
                && evidence.owner(of: partition, at: disturbance.time) == disturbance.worker
            let gap = hits ? max(patience.takeover, patience.handover) : patience.handover
            // A worker may have paused at the instant, and died before it continued.
            let paused =
                hits && disturbance.time <= instant + pause + pause
                && !evidence.acceptances.contains {
                    $0.worker == disturbance.worker && $0.hub == acceptance.hub
                        && $0.time > instant + patience.embargo && $0.time < disturbance.time
                }
            let start = paused ? min(instant, disturbance.time) : disturbance.time
            reasons.append(start..<(disturbance.time + gap + patience.embargo))
        }
        // The partitions of a worker take turns, so the backlog of its others counts as well.
        for other in backlog
        where other.hub == acceptance.hub && other.time < acceptance.time
            && other.worker == evidence.owner(of: partition, at: other.time)
        {
            reasons.append(other.time..<(other.time + patience.embargo))
        }
        for reason in reasons.sorted(by: { $0.lowerBound < $1.lowerBound })
        where reason.lowerBound <= nobodySent && instant <= reason.upperBound {
            nobodySent = max(nobodySent, reason.upperBound)
        }
        if acceptance.time <= nobodySent { return true }
        // A worker that sent the hub anything else meanwhile did not pause.
        let start = instant + patience.embargo
        return pause > .zero && acceptance.time <= instant + pause + pause + patience.embargo
            && !evidence.acceptances.contains {
                $0.worker == acceptance.worker && $0.hub == acceptance.hub && $0.time > start
                    && $0.time < acceptance.time - patience.embargo
            }
    }

    /// The acceptances of events that were due before their hub's return from an outage, and came after it.
    private static func backlog(_ evidence: Evidence) -> [Acceptance] {
        guard evidence.away.values.contains(where: { !$0.isEmpty }) else { return [] }
        var due: [String: Timestamp] = [:]
        for (number, record) in evidence.records.enumerated() where !record.isRepeat {
            if let written = evidence.written[number] { due[record.event] = written + (record.embargo ?? .zero) }
        }
        return evidence.acceptances.filter { acceptance in
            guard let due = due[acceptance.event] else { return false }
            return (evidence.away[acceptance.hub] ?? []).contains {
                due < $0.upperBound && $0.upperBound <= acceptance.time
            }
        }
    }

    package var figures: String {
        guard let last = lateness.last else { return "no embargo ended" + (excused > 0 ? ", \(excused) excused" : "") }
        let median = lateness[lateness.count / 2]
        return
            "\(lateness.count) embargoes met by p50 \(median.milliseconds), max \(last.milliseconds), \(excused) excused"
    }
}
