import NewsflashEvents

/// Whether each produced event has a final outcome or a dead letter, and each event reported as sent was accepted.
///
/// All hubs must accept news, and at least one must accept a kill; ``WithdrawalReachesAll`` checks which.
package struct NothingLost: Guarantee {
    package let faults: [String]
    /// The number of records without an outcome or a dead letter.
    package let missing: Int
    /// The number of records that Kafka never confirmed, which cannot be lost.
    package let unwritten: Int

    /// Compares the written records with their outcomes.
    package init(_ evidence: Evidence) {
        let accepted = Set(evidence.acceptances.map(\.eventAtHub))
        var faults: [String] = []
        var missing = 0
        for (number, record) in evidence.records.enumerated() {
            guard let place = evidence.places[number] else { continue }
            let outcomes = evidence.outcomes[place] ?? []
            let isDead = evidence.deadLetters.contains(place)
            if outcomes.isEmpty, !isDead {
                missing += 1
                faults.append("\(record.event) at \(place.partition)@\(place.offset) ended nowhere")
            }
            if outcomes.contains(where: { $0.word == "sent" }) {
                let missing = evidence.hubs.filter { !accepted.contains(AtHub(hub: $0, name: record.event)) }
                if record.kind == .kill ? missing.count == evidence.hubs.count : !missing.isEmpty {
                    let hubs = missing.joined(separator: " and ")
                    faults.append("\(record.event) is said to be sent, and \(hubs) never accepted it")
                }
            }
            if record.isPoison, !isDead {
                faults.append("\(record.event) is broken, and no dead letter")
            }
        }
        self.faults = faults
        self.missing = missing
        unwritten = evidence.written.count - evidence.places.count
    }

    package var figures: String {
        "\(missing) lost" + (unwritten > 0 ? " (\(unwritten) never written)" : "")
    }
}
