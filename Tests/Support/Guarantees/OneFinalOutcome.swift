import NewsflashEvents
import NewsflashTimestamps

/// Whether each record has exactly one final outcome, and a permitted one.
///
/// The same outcome may be written a second time only for a record that was not committed when its partition lost its owner;
/// see ``RepeatedOutcomes``. A different outcome is a fault. An event that ended early after some hubs had accepted it
/// is partial, and the reason names the cause of its end.
package struct OneFinalOutcome: Guarantee {
    package let faults: [String]
    /// The number of outcomes that were written again.
    package let repeats: Int
    /// The number of records by outcome.
    package let counts: [String: Int]

    /// Checks all outcomes.
    package init(_ evidence: Evidence) {
        var faults: [String] = []
        var repeats = 0
        var counts: [String: Int] = [:]
        let repeated = RepeatedOutcomes(evidence)
        // A repeat does not count if the desk could not write the first record.
        let first = Set(evidence.places.keys.lazy.map { evidence.records[$0] }.filter { !$0.isRepeat }.map(\.event))
        for (number, record) in evidence.records.enumerated() where !record.isRepeat || first.contains(record.event) {
            guard let place = evidence.places[number], let outcomes = evidence.outcomes[place],
                let first = outcomes.first
            else { continue }
            counts[first.word, default: 0] += 1
            if outcomes.count > 1 {
                repeats += outcomes.count - 1
                if repeated.explained(outcomes, of: number, at: place) < outcomes.count - 1 {
                    let times = outcomes.map { $0.at.rfc3339 }.joined(separator: " and ")
                    faults.append("\(record.event) is \(first.word) \(outcomes.count) times, at \(times)")
                }
            }
            if let other = outcomes.first(where: { $0.word != first.word }) {
                faults.append("\(record.event) is \(first.word), and then \(other.word)")
            }
            if let other = outcomes.first(where: { !Self.mayEnd(record, $0) }) {
                let reason = other.reason.isEmpty ? other.word : other.reason
                faults.append("\(record.event) is \(reason) (\(record.kind.rawValue), revision \(record.revision))")
            }
        }
        self.faults = faults
        self.repeats = repeats
        self.counts = counts
    }

    private static func mayEnd(_ record: PlannedRecord, _ outcome: SeenOutcome) -> Bool {
        if record.permitted.contains(outcome.word) { return true }
        guard outcome.word == "partial" else { return false }
        return record.mayBeSent && record.permitted.contains(String(outcome.reason.prefix { $0 != "." }))
    }

    package var figures: String { "\(faults.count) wrong outcomes, \(repeats) outcomes twice" }
}
