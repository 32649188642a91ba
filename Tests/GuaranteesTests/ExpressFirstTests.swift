import NewsflashEvents
import NewsflashGuarantees
import NewsflashTimestamps
import NewsflashTopicPartitions
import Testing

/// The check of flashes; it must be able to fail.
@Suite(.timeLimit(.minutes(1)))
struct ExpressFirstTests {
    private let start = Timestamp(seconds: 1_000_000)

    /// Returns the evidence of an alert, a flash and two alerts, written one after the other in one partition, and one
    /// in another.
    ///
    /// - Parameters:
    ///   - sends: The events, with milliseconds from the writing of the flash.
    ///   - deaths: The deaths of its worker, in milliseconds from the same time.
    ///   - fault: The hub's fault on the flash.
    /// - Returns: The evidence for the check.
    private func evidence(
        _ sends: [(String, Int)],
        deaths: [Int] = [],
        fault: HubFault? = nil
    ) -> Evidence {
        var records = ["before", "flash", "after", "later", "elsewhere"].map {
            PlannedRecord(event: $0, story: $0, revision: 1, permitted: ["sent"])
        }
        records[1].kind = .flash
        records[1].fault = fault
        let places = records.indices.map { number in
            let partition = TopicPartition(topic: "news", partition: number == 4 ? 1 : 0)
            return (number, RecordPosition(partition: partition, offset: Int64(number)))
        }
        var patience = Evidence.Patience()
        patience.takeover = .seconds(5)
        return Evidence(
            records: records,
            written: Dictionary(uniqueKeysWithValues: records.indices.map { ($0, start) }),
            places: Dictionary(uniqueKeysWithValues: places),
            acceptances: sends.map {
                Acceptance(event: $0.0, story: $0.0, revision: 1, worker: "w", time: start + .milliseconds($0.1))
            },
            disturbances: deaths.map { Disturbance(kind: .killed, worker: "w", time: start + .milliseconds($0)) },
            patience: patience
        )
    }

    @Test
    func `a flash is late if an event that was written after it overtakes it`() {
        let late = ExpressFirst(evidence([("before", 1), ("later", 100), ("after", 150), ("flash", 700)]))
        #expect(late.faults == ["flash 600 ms after later"])
        #expect(late.waits == [.milliseconds(700)])
    }

    @Test
    func `an earlier event, one of another partition and one sent in parallel do not overtake a flash`() {
        let sends = [("before", 1), ("elsewhere", 2), ("after", 300), ("flash", 700), ("flash", 900), ("later", 950)]
        #expect(ExpressFirst(evidence(sends)).isMet)
    }

    @Test
    func `a refusal by the hub and a death excuse a flash`() {
        let sends = [("after", 100), ("flash", 4000)]
        #expect(!ExpressFirst(evidence(sends)).isMet)
        #expect(ExpressFirst(evidence(sends, fault: .unavailable)).isMet)
        #expect(ExpressFirst(evidence(sends, deaths: [3000])).isMet)
        #expect(ExpressFirst(evidence(sends, deaths: [-4000])).isMet)
        #expect(!ExpressFirst(evidence(sends, deaths: [-5000])).isMet, "it ended long before")
        #expect(!ExpressFirst(evidence(sends, deaths: [5000])).isMet, "not yet")
        var seen = evidence(sends)
        seen.forming = (start - .seconds(9))..<(start + .milliseconds(1))
        #expect(ExpressFirst(seen).isMet, "the group was forming")
        seen.forming = (start - .seconds(9))..<start
        #expect(!ExpressFirst(seen).isMet, "it had formed")
    }
}
