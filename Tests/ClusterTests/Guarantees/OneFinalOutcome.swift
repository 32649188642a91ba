import NewsEvents
import Timestamps

/// Whether each record has one final outcome, one that it may have.
///
/// After a crash the same outcome may be written a second time, which is counted. Another outcome is a fault. So is a kill
/// that nobody was told of though its story had been heard, unless that was in flight when its worker died.
struct OneFinalOutcome: Guarantee {
    let faults: [String]
    /// How many outcomes were written again.
    let repeats: Int
    /// How many records ended in which word.
    let counts: [String: Int]

    /// Looks at all outcomes.
    init(_ evidence: Evidence) {
        var faults: [String] = []
        var repeats = 0
        var counts: [String: Int] = [:]
        var heard: [String: [Acceptance]] = [:]
        for acceptance in evidence.acceptances { heard[acceptance.story, default: []].append(acceptance) }
        // What repeats a record that the desk could not write is no repetition.
        let first = Set(evidence.places.keys.lazy.map { evidence.records[$0] }.filter { !$0.isRepeat }.map(\.event))
        for (number, record) in evidence.records.enumerated() where !record.isRepeat || first.contains(record.event) {
            guard let place = evidence.places[number], let outcomes = evidence.outcomes[place],
                let first = outcomes.first
            else { continue }
            counts[first.word, default: 0] += 1
            repeats += outcomes.count - 1
            if let other = outcomes.first(where: { $0.word != first.word }) {
                faults.append("\(record.event) is \(first.word), and then \(other.word)")
            }
            if let other = outcomes.first(where: { !record.permitted.contains($0.word) }) {
                faults.append("\(record.event) is \(other.word) (\(record.kind.rawValue), revision \(record.revision))")
            }
            if record.kind == .kill, first.word == "suppressed",
                let told = heard[record.story]?.first(where: {
                    $0.revision < record.revision && $0.time < first.at && evidence.deathInFlight(of: $0) == nil
                })
            {
                faults.append("\(record.event) was told to nobody, though \(told.event) had been accepted")
            }
        }
        self.faults = faults
        self.repeats = repeats
        self.counts = counts
    }

    var figures: String { "\(faults.count) wrong outcomes, \(repeats) outcomes twice" }
}
