import NewsflashTimestamps
import NewsflashTopicPartitions

/// The reasons for which outcomes are written again.
///
/// A partition's next owner continues at the committed offset and writes the outcomes of later records again, because
/// it cannot know which of them were confirmed. A worker also repeats the outcome of an event that it found ahead of
/// the consumer and has forgotten since. Any other repeat requires
///
/// - that the partition lost its owner: the worker died or ended, another life took over, or a broker died and all
///   workers lost their group; and
/// - that the record was not committed then. The committed offsets are known if a worker or a broker died and if a
///   worker ended; otherwise the outcome must have been decided moments before, unless another life took over without
///   any of these. The offset of a record that waited under an embargo or for a hub proves nothing, because the ledger
///   keeps the record and its offset is committed early; so its outcome must have been decided moments before the end.
struct RepeatedOutcomes {
    private let evidence: Evidence
    /// The number of changes to another life, up to each entry of a partition's timeline.
    private let handovers: [TopicPartition: [Int]]

    init(_ evidence: Evidence) {
        self.evidence = evidence
        handovers = evidence.timeline.mapValues { numbers in
            var count = 0
            return numbers.indices.map { index in
                let isOther =
                    index > 0
                    && evidence.acceptances[numbers[index]].worker != evidence.acceptances[numbers[index - 1]].worker
                if isOther { count += 1 }
                return count
            }
        }
    }

    /// The number of a record's repeated outcomes that have a reason; each reason explains one of them.
    ///
    /// - Parameters:
    ///   - outcomes: All outcomes of the record, at least two.
    ///   - number: The record's number in the plan.
    ///   - place: The record's position.
    /// - Returns: At most the number of outcomes minus one.
    func explained(_ outcomes: [SeenOutcome], of number: Int, at place: RecordPosition) -> Int {
        let outcomes = outcomes.sorted { $0.at < $1.at }
        // Both values if unknown: while a hub was unavailable, or requests failed, only some records waited in the ledger
        // and were committed early.
        let mayHaveWaited = waitedForHub(number, until: outcomes[0].at) || waitedLong(number, until: outcomes[0].at)
        let rules = hasEmbargo(number) ? [true] : mayHaveWaited ? [false, true] : [false]
        var ends = evidence.disturbances.filter { $0.kind != .started && mayHide($0, number, place.partition) }
        var outages = evidence.outages
        var explained = 0
        for (before, after) in zip(outcomes, outcomes.dropFirst()) {
            let (first, again) = (before.at, after.at)
            let isCommitted = wasCommitted(place, before: again)
            let rules = rules.filter { isEarly in isEarly || !isCommitted }
            guard !rules.isEmpty else { continue }
            let end = ends.firstIndex { end in
                end.time <= again && rules.contains { explains(end, decided: first, isEarly: $0) }
            }
            let outage = outages.firstIndex { outage in
                outage.lowerBound <= again && rules.contains { explains(outage, place, decided: first, isEarly: $0) }
            }
            if before.isAhead, !after.isAhead {
                explained += 1
            } else if let end {
                ends.remove(at: end)
                explained += 1
            } else if let outage {
                outages.remove(at: outage)
                explained += 1
            } else if rules.contains(false), first < again, changedHands(place.partition, from: first, to: again) {
                explained += 1
            }
        }
        return explained
    }

    private func hasEmbargo(_ number: Int) -> Bool { evidence.records[number].embargo != nil }

    /// Whether a hub was unavailable while a record waited for its outcome.
    private func waitedForHub(_ number: Int, until end: Timestamp) -> Bool {
        guard let written = evidence.written[number], written <= end else { return false }
        return evidence.away.keys.contains { evidence.isAway($0, in: written...end) }
    }

    /// Whether the ledger may have kept a record because it waited long for its outcome.
    private func waitedLong(_ number: Int, until end: Timestamp) -> Bool {
        guard let written = evidence.written[number] else { return false }
        return end - written > evidence.limits.parkAfter
    }

    /// Whether the group had committed a record before its outcome was decided again.
    private func wasCommitted(_ place: RecordPosition, before again: Timestamp) -> Bool {
        evidence.committed.contains { end, offsets in
            end.time < again && place.offset < offsets[place.partition] ?? 0
                && evidence.owner(of: place.partition, at: end.time) == end.worker
        }
    }

    /// Whether a worker that died or ended may have had a record.
    private func mayHide(_ end: Disturbance, _ number: Int, _ partition: TopicPartition) -> Bool {
        let owner = evidence.owner(of: partition, at: end.time)
        return (owner == nil || owner == end.worker) && evidence.written[number].map { $0 <= end.time } ?? true
    }

    private func explains(_ end: Disturbance, decided time: Timestamp, isEarly: Bool) -> Bool {
        // A frozen worker still writes outcomes of requests in flight when it continues, and an ending worker does so
        // at once.
        guard end.kind != .killed || time <= end.time + evidence.patience.request else { return false }
        return !isEarly && evidence.committed[end] != nil || time + evidence.patience.record >= end.time
    }

    private func explains(
        _ outage: Range<Timestamp>,
        _ place: RecordPosition,
        decided time: Timestamp,
        isEarly: Bool
    ) -> Bool {
        guard time <= outage.upperBound + evidence.patience.election else { return false }
        guard !isEarly, let committed = evidence.committedAtOutages[outage] else {
            return time + evidence.patience.record >= outage.lowerBound
        }
        return place.offset >= committed[place.partition] ?? 0
    }

    /// Whether two lives of workers had a partition in a time.
    ///
    /// The acceptances before and after the time count as well, because a new owner writes outcomes before it sends
    /// anything.
    private func changedHands(_ partition: TopicPartition, from start: Timestamp, to end: Timestamp) -> Bool {
        guard let handovers = handovers[partition], !handovers.isEmpty else { return false }
        let before = max(0, evidence.countOfAcceptances(of: partition, until: start) - 1)
        let after = min(handovers.count - 1, evidence.countOfAcceptances(of: partition, until: end))
        return handovers[before] < handovers[after]
    }
}
