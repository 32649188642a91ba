import NewsflashEvents
import NewsflashGuarantees
import Testing

/// The minimum of evidence; it must be able to fail.
@Suite(.timeLimit(.minutes(1)))
struct EnoughSeenTests {
    private func faults(_ evidence: Evidence, givenUp: Double = 0) -> [String] {
        Findings(evidence, givenUp: givenUp).enough.faults
    }

    @Test
    func `a run that saw an event from its writing to its end is enough`() {
        let seen = evidence([record("a", 1)], [("a-1", "w", 0)])
        #expect(faults(seen) == [])
        #expect(Findings(seen).enough.figures == "1 of 1 confirmed, 1 ended, 1 accepted")
    }

    @Test
    func `a run without written records proves nothing`() {
        #expect(faults(Evidence(records: [])) == ["nothing was written"])
        #expect(faults(Evidence(records: [record("a", 1)])) == ["nothing was written"])
    }

    @Test
    func `99 of 100 written records must be confirmed, except those that the desk may give up`() {
        let records = (0..<200).map { record("s\($0)", 1) }
        var seen = evidence(records, [("s9-1", "w", 0)])
        for number in [0, 1] { seen.places[number] = nil }
        #expect(faults(seen) == [])
        seen.places[2] = nil
        #expect(faults(seen) == ["only 197 of 200 written records were confirmed"])
        #expect(faults(seen, givenUp: 0.01) == [])
    }

    @Test
    func `a confirmed event must end, and be accepted if it may be sent`() {
        #expect(faults(evidence([record("a", 1)], [("a-1", "w", 0)], outcomes: [0: []])) == ["no record ended"])
        #expect(faults(evidence([record("a", 1)], [])) == ["the hub main accepted nothing"])
        let broken = record("a", 1, ["invalid"])
        #expect(faults(evidence([broken], [], outcomes: [0: []], dead: [0])) == [])
    }

    @Test
    func `a plan with flashes must measure one`() {
        var flash = record("a", 1)
        flash.kind = .flash
        #expect(faults(evidence([flash], [("a-1", "w", 100)])) == [])
        var seen = evidence([flash], [("a-1", "w", 100)], disturbances: [(.killed, "w", 50)])
        seen.patience.takeover = .seconds(5)
        #expect(faults(seen) == ["none of 1 flashes was measured"])
        flash.fault = .unavailable
        #expect(faults(evidence([flash], [("a-1", "w", 100)])) == [], "the hub refuses it at first")
    }

    @Test
    func `a plan with embargoes must see one end`() {
        var embargoed = record("a", 1)
        embargoed.embargo = .seconds(10)
        let plain = record("b", 1)
        let none = evidence([embargoed, plain], [("b-1", "w", 0)])
        #expect(faults(none) == ["none of 1 embargoes was seen to end"])
        #expect(faults(evidence([embargoed, plain], [("b-1", "w", 0), ("a-1", "w", 10_050)])) == [])
        let late = evidence([embargoed, plain], [("b-1", "w", 0), ("a-1", "w", 15_000)], outage: 9000..<12_000)
        #expect(faults(late) == [], "it ended, and was excused")
        embargoed.permitted = ["sent", "superseded"]
        #expect(faults(evidence([embargoed, plain], [("b-1", "w", 0)])) == [], "a newer revision may replace it")
    }
}
