import Guarantees
import Publishing
import Testing

/// How often something may be repeated, and after which death.
@Suite(.timeLimit(.minutes(1)))
struct RepeatTests {
    @Test
    func `the bounds are those of the worker`() {
        #expect(Evidence.Limits().atRisk == ExposureLimit().total)
        #expect(Evidence.Limits().unknownAttempts == AttemptLimits().unknown)
    }

    @Test
    func `a cut connection explains repeats of its own event, as many as a worker tries`() {
        var cut = record("a", 1)
        cut.fault = .cutAfter
        let records = [cut, record("a", 2)]
        let five = (0..<5).map { ("a-1", "one", $0 * 400) }
        let check = NoNeedlessDoubles(evidence(records, five))
        #expect(check.isMet)
        #expect(check.unknownAnswers == 4)
        let six = NoNeedlessDoubles(evidence(records, five + [("a-1", "one", 2000)]))
        #expect(six.faults == ["a-1 by one, and 400 ms later by one"])
        #expect(six.unknownAnswers == 4)
        let other = NoNeedlessDoubles(evidence(records, five + [("a-2", "one", 2000), ("a-2", "one", 2400)]))
        #expect(other.faults == ["a-2 by one, and 400 ms later by one"], "its own connection was not cut")
    }

    /// What is found if events are accepted just before workers die, and again afterwards.
    private func doubles(_ count: Int, by workers: [String] = ["one"], outage: Range<Int>? = nil) -> NoNeedlessDoubles {
        let records = (0..<count).map { record("s\($0)", 1) }
        let before = records.enumerated().map { ($1.event, workers[$0 % workers.count], 0) }
        return NoNeedlessDoubles(
            evidence(
                records,
                before + records.map { ($0.event, "next", 9000) },
                disturbances: workers.map { (.killed, $0, 500) },
                outage: outage
            )
        )
    }

    @Test
    func `one death explains a hundred repeated requests, two deaths a hundred each`() {
        #expect(doubles(100).isMet)
        #expect(doubles(101).faults == ["101 requests repeated after one was killed, 100 is the bound"])
        #expect(doubles(101).explained.count == 101, "they are out of order for no other reason")
        #expect(doubles(200, by: ["one", "two"]).isMet)
        #expect(doubles(202, by: ["one", "two"]).faults.count == 2)
    }

    @Test
    func `a death beside a dead broker explains twice as many`() {
        #expect(doubles(200, outage: -1000..<400).isMet)
        #expect(
            doubles(201, outage: -1000..<400).faults == ["201 requests repeated after one was killed, 200 is the bound"]
        )
        #expect(!doubles(101, outage: -9000 ..< -6000).isMet, "leaders were chosen long ago")
        #expect(!doubles(101, outage: 600..<900).isMet, "the broker died later")
    }

    /// What is found if the second of two records has several outcomes, one every 20 s from the start.
    ///
    /// - Parameters:
    ///   - disturbances: Kind, worker, and milliseconds from the start.
    ///   - committed: The next offset to read at the death; `nil` if nobody could be asked.
    ///   - count: How many outcomes.
    /// - Returns: The guarantee.
    private func outcomes(
        _ disturbances: [(Disturbance.Kind, String, Int)],
        committed: Int64? = nil,
        count: Int = 2
    ) -> OneFinalOutcome {
        OneFinalOutcome(
            evidence(
                [record("a", 1), record("b", 1)],
                [("a-1", "one", 0), ("b-1", "one", 0)],
                outcomes: [1: Array(repeating: "sent", count: count)],
                again: 20_000,
                disturbances: disturbances,
                committed: committed
            )
        )
    }

    @Test
    func `a death explains the outcomes that its worker had not committed`() {
        #expect(outcomes([]).faults == ["b-1 is sent 2 times"])
        let killed = outcomes([(.killed, "one", 5000)], committed: 1)
        #expect(killed.isMet)
        #expect(killed.repeats == 1)
        #expect(killed.explained.values.reduce(0, +) == 1)
        #expect(outcomes([(.killed, "one", 5000)], committed: 2).faults == ["b-1 is sent 2 times"])
        #expect(outcomes([(.frozen, "one", 5000)], committed: 1).isMet)
        #expect(!outcomes([(.ended, "one", 5000)], committed: 1).isMet)
        #expect(!outcomes([(.killed, "two", 5000)], committed: 1).isMet, "another worker's partition")
        #expect(!outcomes([(.killed, "one", -800)], committed: 1).isMet, "written and decided after the death")
        #expect(!outcomes([(.killed, "one", 30_000)], committed: 1).isMet, "repeated before the death")
    }

    @Test
    func `if nobody can say what was committed, a death explains the outcomes of the moments before it`() {
        #expect(outcomes([(.killed, "one", 800)]).isMet)
        #expect(!outcomes([(.killed, "one", 1200)]).isMet)
    }

    @Test
    func `each death explains one repeat of a record`() {
        let death: (Disturbance.Kind, String, Int) = (.killed, "one", 800)
        #expect(outcomes([death], committed: 1, count: 3).faults == ["b-1 is sent 3 times"])
        #expect(outcomes([death, (.killed, "one", 30_000)], committed: 1, count: 3).isMet)
    }
}
