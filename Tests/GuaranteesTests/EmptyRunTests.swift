import NewsflashGuarantees
import NewsflashTimestamps
import Testing

/// Runs that prove nothing, and runs in which everything happens too often: each breaks its guarantee.
@Suite(.timeLimit(.minutes(1)))
struct EmptyRunTests {
    private func records(_ count: Int) -> [PlannedRecord] {
        (0..<count).map { PlannedRecord(event: "e\($0)", story: "s\($0)", revision: 1, permitted: ["sent"]) }
    }

    private func places(_ records: [PlannedRecord]) -> [Int: RecordPosition] {
        Dictionary(
            uniqueKeysWithValues: records.indices.map { ($0, RecordPosition(partition: partition, offset: Int64($0))) }
        )
    }

    private func accepted(_ records: [PlannedRecord], by worker: String, at time: Timestamp) -> [Acceptance] {
        records.map { Acceptance(event: $0.event, story: $0.story, revision: 1, worker: worker, time: time) }
    }

    private func outcomes(_ places: [Int: RecordPosition], each count: Int) -> [RecordPosition: [SeenOutcome]] {
        Dictionary(
            uniqueKeysWithValues: places.values.map {
                ($0, Array(repeating: SeenOutcome(word: "sent", at: start), count: count))
            }
        )
    }

    @Test
    func `a run without confirmed, accepted or ended events breaks the guarantees`() {
        let records = records(1000)
        let written = Dictionary(uniqueKeysWithValues: records.indices.map { ($0, start) })
        let findings = Findings(Evidence(records: records, written: written))
        #expect(!findings.enough.isMet)
        #expect(findings.enough.faults == ["only 0 of 1000 written records were confirmed"])
    }

    @Test
    func `five hundred events accepted twice after one death break the guarantee`() {
        let records = records(500)
        let places = places(records)
        let again = accepted(records, by: "two", at: start + .seconds(9))
        let findings = Findings(
            Evidence(
                records: records,
                places: places,
                acceptances: accepted(records, by: "one", at: start) + again,
                outcomes: outcomes(places, each: 1),
                disturbances: [Disturbance(kind: .killed, worker: "one", time: start + .milliseconds(500))]
            )
        )
        #expect(!findings.doubles.isMet)
        #expect(findings.doubles.faults == ["500 requests repeated after one was killed, 100 is the bound"])
    }

    @Test
    func `every outcome written ten times without a death breaks the guarantee`() {
        let records = records(500)
        let places = places(records)
        let findings = Findings(
            Evidence(
                records: records,
                places: places,
                acceptances: accepted(records, by: "one", at: start),
                outcomes: outcomes(places, each: 10)
            )
        )
        #expect(!findings.outcomes.isMet)
        #expect(findings.outcomes.repeats == 4500)
        #expect(findings.outcomes.faults.count == 500)
    }
}
