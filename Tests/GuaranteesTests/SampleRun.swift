import NewsflashEvents
import NewsflashGuarantees
import NewsflashTimestamps
import NewsflashTopicPartitions

/// The only partition of a sample run, and the time when all of its records were written.
let partition = TopicPartition(topic: "news", partition: 0)
let start = Timestamp(seconds: 1_000_000)

/// Creates a record of an event whose name has story and revision, such as `a-1`.
func record(_ story: String, _ revision: Int64, _ permitted: Set<String> = ["sent"]) -> PlannedRecord {
    PlannedRecord(event: "\(story)-\(revision)", story: story, revision: revision, permitted: permitted)
}

/// Creates a kill whose name has story and revision, such as `a-1-kill`.
func kill(_ story: String, _ revision: Int64, _ permitted: Set<String> = ["sent", "suppressed"]) -> PlannedRecord {
    PlannedRecord(
        event: "\(story)-\(revision)-kill",
        story: story,
        revision: revision,
        kind: .kill,
        permitted: permitted
    )
}

/// Returns the evidence of records that were all written at the start, to one partition.
///
/// - Parameters:
///   - records: The records, each at the offset of its index.
///   - acceptances: Event, worker, and milliseconds from the start; the event ends in `@south` if the second hub
///     accepted it.
///   - hubs: The labels of the hubs.
///   - outcomes: The names of each record's outcomes, by default one `sent`; the first at the start.
///   - again: Milliseconds from one outcome of a record to the next.
///   - dead: The offsets in the dead letters.
///   - disturbances: Kind, worker, and milliseconds from the start.
///   - committed: The next offset to read at each of these, if known.
///   - outage: Milliseconds from the start between which a broker was dead.
///   - committedAtOutage: The next offset to read when it died, if known.
/// - Returns: The evidence for a guarantee.
func evidence(
    _ records: [PlannedRecord],
    _ acceptances: [(String, String, Int)],
    hubs: [String] = ["main"],
    outcomes: [Int: [String]] = [:],
    again: Int = 0,
    dead: Set<Int64> = [],
    disturbances: [(Disturbance.Kind, String, Int)] = [],
    committed: Int64? = nil,
    outage: Range<Int>? = nil,
    committedAtOutage: Int64? = nil
) -> Evidence {
    var places: [Int: RecordPosition] = [:]
    var seen: [RecordPosition: [SeenOutcome]] = [:]
    for number in records.indices {
        let place = RecordPosition(partition: partition, offset: Int64(number))
        places[number] = place
        let words = outcomes[number] ?? ["sent"]
        if !words.isEmpty {
            seen[place] = words.enumerated().map { index, word in
                SeenOutcome(word: word, at: start + .milliseconds(index * again))
            }
        }
    }
    let disturbances = disturbances.map {
        Disturbance(kind: $0.0, worker: $0.1, time: start + .milliseconds($0.2))
    }
    let outages =
        outage.map {
            [(start + .milliseconds($0.lowerBound))..<(start + .milliseconds($0.upperBound))]
        } ?? []
    return Evidence(
        records: records,
        written: Dictionary(uniqueKeysWithValues: records.indices.map { ($0, start) }),
        places: places,
        hubs: hubs,
        acceptances: acceptances.map { acceptance($0, by: $1, $2) },
        outcomes: seen,
        deadLetters: Set(dead.map { RecordPosition(partition: partition, offset: $0) }),
        disturbances: disturbances,
        committed: committed.map { offset in
            Dictionary(uniqueKeysWithValues: disturbances.map { ($0, [partition: offset]) })
        } ?? [:],
        outages: outages,
        committedAtOutages: committedAtOutage.map { offset in
            Dictionary(uniqueKeysWithValues: outages.map { ($0, [partition: offset]) })
        } ?? [:]
    )
}

/// Returns an acceptance of an event such as `a-1`, `a-1@south` or `a-1-kill`.
private func acceptance(_ name: String, by worker: String, _ milliseconds: Int) -> Acceptance {
    let event = name.prefix { $0 != "@" }
    let parts = event.split(separator: "-")
    return Acceptance(
        event: String(event),
        story: String(parts[0]),
        revision: Int64(parts[1]) ?? 0,
        worker: worker,
        time: start + .milliseconds(milliseconds),
        hub: name.hasSuffix("@south") ? "south" : "main"
    )
}
