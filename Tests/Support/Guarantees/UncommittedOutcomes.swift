import Kafka
import Timestamps

/// The deaths that explain that outcomes were written again.
///
/// The successor of a worker that died reads on from the committed offset, and writes the outcomes of records above it once
/// more if it cannot know that they were confirmed. So a death explains a repeated outcome if its worker owned the record's
/// partition, had been able to read the record, and had not committed it. If nobody could say what was committed, the
/// outcome must have been decided moments before the death.
struct UncommittedOutcomes {
    private let evidence: Evidence

    init(_ evidence: Evidence) {
        self.evidence = evidence
    }

    /// The deaths that explain a record's repeated outcomes, one a repeat.
    ///
    /// - Parameters:
    ///   - outcomes: All of the record, at least two.
    ///   - number: The record's number in the plan.
    ///   - place: Where the record lies.
    /// - Returns: Fewer than there are repeats if something else repeated it.
    func deaths(repeating outcomes: [SeenOutcome], of number: Int, at place: RecordPlace) -> [Disturbance] {
        let times = outcomes.map(\.at).sorted()
        var deaths: [Disturbance] = []
        for (first, again) in zip(times, times.dropFirst()) {
            let death = evidence.disturbances.first { death in
                death.losesMemory && death.time <= again && !deaths.contains(death)
                    && explains(death, decided: first, number, place)
            }
            if let death { deaths.append(death) }
        }
        return deaths
    }

    private func explains(_ death: Disturbance, decided time: Timestamp, _ number: Int, _ place: RecordPlace) -> Bool {
        let owner = evidence.owner(of: place.partition, at: death.time)
        guard owner == nil || owner == death.worker, evidence.written[number].map({ $0 <= death.time }) ?? true,
            // A worker that stood still writes down afterwards what had been in flight.
            death.kind == .frozen || time <= death.time + evidence.patience.request
        else { return false }
        guard let committed = evidence.committed[death] else { return time + evidence.patience.record >= death.time }
        return place.offset >= committed[place.partition] ?? 0
    }
}
