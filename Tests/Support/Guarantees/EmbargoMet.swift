import NewsflashTimestamps
import NewsflashTopicPartitions

/// Whether each hub first accepts an event soon after the end of its embargo, and never before.
///
/// It may be late in these cases:
///
/// - Nobody owned its partition, because a worker had just died, joined or left, or the group was forming.
/// - A broker was dead, so its record could not be written or read.
/// - The hub asked for a pause, until its worker sent it something again.
/// - The hub refused the event at first.
/// - The hub was unavailable, which must delay no other hub. After its return a probe comes, and then its worker sends
///   what has waited, without a gap of more than the tolerance of an embargo. News that came meanwhile may be among it.
///
/// Time for which the whole machine was suspended does not count.
package struct EmbargoMet: Guarantee {
    /// How many newer events, which are in memory, may go before the next event of a backlog, which is read from the ledger.
    /// The workers have no bound for it; 397 were seen.
    package static let mostNewer = 500

    package let faults: [String]
    /// The delays that no reason excuses, in order.
    package let lateness: [Duration]
    /// The number of excused delays.
    package let excused: Int

    /// Checks the first acceptance of each event under embargo at each hub.
    ///
    /// - Parameter evidence: The evidence of the run.
    package init(_ evidence: Evidence) {
        let first = evidence.firstAcceptances
        var faults: [String] = []
        var lateness: [Duration] = []
        var excused = 0
        let excuses = Excuses(evidence)
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
                if mayBeRefused || excuses.cover(acceptance, from: instant) {
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

    package var figures: String {
        guard let last = lateness.last else { return "no embargo ended" + (excused > 0 ? ", \(excused) excused" : "") }
        let median = lateness[lateness.count / 2]
        return
            "\(lateness.count) embargoes met by p50 \(median.milliseconds), max \(last.milliseconds), \(excused) excused"
    }
}

/// The reasons for which hubs may accept events late.
private struct Excuses {
    private let evidence: Evidence
    /// The acceptances with which workers were busy after their hub's return from an outage, as long as a part of the
    /// backlog was still to come, in the order of time.
    private let backlog: [Acceptance]
    /// The times of the acceptances of each worker at each hub.
    private let times: [AtHub: [Timestamp]]

    init(_ evidence: Evidence) {
        self.evidence = evidence
        backlog = Self.backlog(evidence)
        times = Dictionary(grouping: evidence.acceptances) { AtHub(hub: $0.hub, name: $0.worker) }
            .mapValues { $0.map(\.time) }
    }

    /// Whether reasons to be late cover the time from the instant to the acceptance without a gap.
    ///
    /// One may follow another, for example if the worker that waits for a hub dies before the hub is back.
    func cover(_ acceptance: Acceptance, from instant: Timestamp) -> Bool {
        guard let partition = evidence.partitions[acceptance.event] else { return false }
        var covered = instant + evidence.patience.embargo
        for reason in reasons(acceptance, of: partition, from: instant).sorted(by: { $0.lowerBound < $1.lowerBound })
        where reason.lowerBound <= covered && instant <= reason.upperBound {
            covered = max(covered, reason.upperBound)
        }
        return acceptance.time <= covered
    }

    /// Each reason lasts from its beginning until the hub must have accepted the events that waited for its end.
    private func reasons(
        _ acceptance: Acceptance,
        of partition: TopicPartition,
        from instant: Timestamp
    ) -> [Range<Timestamp>] {
        let patience = evidence.patience
        var reasons = evidence.outages.map { $0.lowerBound..<($0.upperBound + patience.election + patience.embargo) }
        reasons += (evidence.away[acceptance.hub] ?? []).map {
            $0.lowerBound..<($0.upperBound + patience.probe + patience.embargo)
        }
        if let forming = evidence.forming, instant <= forming.upperBound {
            reasons.append(forming.lowerBound..<(forming.upperBound + patience.handover))
        }
        for disturbance in evidence.disturbances {
            let hits =
                disturbance.losesMemory
                && evidence.owner(of: partition, at: disturbance.time) == disturbance.worker
            let gap = hits ? max(patience.takeover, patience.handover) : patience.handover
            reasons.append(disturbance.time..<(disturbance.time + gap + patience.embargo))
        }
        // The partitions of a worker take turns, so the backlog of its others counts as well.
        for other in backlog
        where other.hub == acceptance.hub && other.time < acceptance.time
            && other.worker == evidence.owner(of: partition, at: other.time)
        {
            reasons.append(other.time..<(other.time + patience.embargo))
        }
        return reasons + pauses(of: acceptance.hub, partition, in: instant..<acceptance.time)
    }

    /// The pauses that a hub asked for, as far as the worker of a partition kept them.
    private func pauses(
        of hub: String,
        _ partition: TopicPartition,
        in time: Range<Timestamp>
    ) -> [Range<Timestamp>] {
        let longest = HubFault.pause + evidence.patience.request
        let throttled = evidence.throttled[hub] ?? []
        let first = throttled.partitioningIndex(where: { $0 > time.lowerBound - longest - evidence.patience.embargo })
        return throttled[first...].prefix { $0 < time.upperBound }.compactMap { start in
            guard let worker = evidence.owner(of: partition, at: start) else { return nil }
            let sends = times[AtHub(hub: hub, name: worker)] ?? []
            // Requests in flight are accepted after the response.
            let next = sends.partitioningIndex(where: { $0 > start + evidence.patience.embargo })
            let end = next < sends.endIndex ? min(sends[next], start + longest) : start + longest
            return start..<(end + evidence.patience.embargo)
        }
    }

    private static func backlog(_ evidence: Evidence) -> [Acceptance] {
        guard evidence.away.values.contains(where: { !$0.isEmpty }) else { return [] }
        var due: [String: Timestamp] = [:]
        for (number, record) in evidence.records.enumerated() where !record.isRepeat {
            if let written = evidence.written[number] { due[record.event] = written + (record.embargo ?? .zero) }
        }
        /// A worker's latest acceptance of a hub's backlog, and its acceptances of newer events since.
        struct Turn {
            var outage: Range<Timestamp>
            var newer: [Acceptance] = []
        }
        var turns: [AtHub: Turn] = [:]
        var backlog: [Acceptance] = []
        for acceptance in evidence.acceptances {
            let worker = AtHub(hub: acceptance.hub, name: acceptance.worker)
            let outage = due[acceptance.event].flatMap { due in
                evidence.away[acceptance.hub]?.last { due < $0.upperBound && $0.upperBound <= acceptance.time }
            }
            guard let outage else {
                turns[worker]?.newer.append(acceptance)
                continue
            }
            if let turn = turns[worker], turn.outage == outage, turn.newer.count <= EmbargoMet.mostNewer {
                backlog += turn.newer
            }
            turns[worker] = Turn(outage: outage)
            backlog.append(acceptance)
        }
        return backlog
    }
}
