import NewsflashGuarantees
import NewsflashTimestamps
import Testing

@testable import NewsflashPublishing

/// The allowed number of repeats, and the death that explains them.
@Suite(.timeLimit(.minutes(1)))
struct RepeatTests {
    @Test
    func `the bounds are those of the worker`() {
        #expect(Evidence.Limits().atRisk == RiskLimit().total)
        #expect(Evidence.Limits().unknownAttempts == AttemptLimits().unknown)
        #expect(Evidence.Limits().parkAfter == PublishingConfiguration().parkAfter)
        let probe = CircuitReason.hubUnavailable.probeInterval.longest + HubScheduler.longestExpressOnly
        #expect(Evidence.Patience().probe == probe)
    }

    @Test
    func `a cut connection explains repeats of its own event, as many as a worker's attempts`() {
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

    /// Returns the guarantee over events that are accepted just before workers die, and again afterwards.
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
    func `a death together with a dead broker explains twice as many`() {
        #expect(doubles(200, outage: -1000..<400).isMet)
        #expect(
            doubles(201, outage: -1000..<400).faults == ["201 requests repeated after one was killed, 200 is the bound"]
        )
        #expect(!doubles(101, outage: -9000 ..< -6000).isMet, "leaders were chosen long ago")
        #expect(!doubles(101, outage: 600..<900).isMet, "the broker died later")
    }

    /// Returns the guarantee over two records, the second of which has several outcomes, one every 20 s from the start.
    ///
    /// - Parameters:
    ///   - disturbances: Kind, worker, and milliseconds from the start.
    ///   - committed: The next offset to read at the death; `nil` if it is unknown.
    ///   - embargo: The embargo of the record with several outcomes.
    ///   - outage: Milliseconds from the start between which a broker was dead.
    ///   - committedAtOutage: The next offset to read when it died; `nil` if it is unknown.
    ///   - later: Further acceptances.
    ///   - count: The number of outcomes.
    /// - Returns: The guarantee.
    private func outcomes(
        _ disturbances: [(Disturbance.Kind, String, Int)],
        committed: Int64? = nil,
        embargo: Duration? = nil,
        outage: Range<Int>? = nil,
        committedAtOutage: Int64? = nil,
        later: [(String, String, Int)] = [],
        count: Int = 2
    ) -> OneFinalOutcome {
        var repeated = record("b", 1)
        repeated.embargo = embargo
        return OneFinalOutcome(
            evidence(
                [record("a", 1), repeated],
                [("a-1", "one", 0), ("b-1", "one", 0)] + later,
                outcomes: [1: Array(repeating: "sent", count: count)],
                again: 20_000,
                disturbances: disturbances,
                committed: committed,
                outage: outage,
                committedAtOutage: committedAtOutage
            )
        )
    }

    @Test
    func `a worker that died or ended explains its uncommitted outcomes`() {
        #expect(
            outcomes([]).faults == ["b-1 is sent 2 times, at 1970-01-12T13:46:40.000Z and 1970-01-12T13:47:00.000Z"]
        )
        for kind in [Disturbance.Kind.killed, .frozen, .ended, .lost] {
            let repeated = outcomes([(kind, "one", 5000)], committed: 1)
            #expect(repeated.isMet)
            #expect(repeated.repeats == 1)
            #expect(!outcomes([(kind, "one", 5000)], committed: 2).isMet, "it was committed")
            #expect(!outcomes([(kind, "two", 5000)], committed: 1).isMet, "another worker's partition")
            #expect(!outcomes([(kind, "one", -800)], committed: 1).isMet, "written after it")
            #expect(!outcomes([(kind, "one", 30_000)], committed: 1).isMet, "repeated before it")
        }
        #expect(!outcomes([(.started, "one", 5000)], committed: 1).isMet)
    }

    @Test
    func `if the committed offset is unknown, an end explains the outcomes of the moments before it`() {
        #expect(outcomes([(.killed, "one", 800)]).isMet)
        #expect(!outcomes([(.killed, "one", 1200)]).isMet)
        #expect(!outcomes([(.ended, "one", 1200)]).isMet)
    }

    @Test
    func `an embargoed event is committed before it ends, and repeated if that was moments before the death`() {
        #expect(outcomes([(.killed, "one", 800)], committed: 2, embargo: .zero).isMet)
        #expect(!outcomes([(.killed, "one", 5000)], committed: 1, embargo: .zero).isMet)
        #expect(!outcomes([], embargo: .zero, later: [("a-1", "two", 10_000)]).isMet)
    }

    @Test
    func `the death of a broker explains the outcomes decided meanwhile`() {
        #expect(outcomes([], outage: 800..<3000).isMet, "moments before it")
        #expect(outcomes([], outage: -6000 ..< -4000).isMet, "before the group was back")
        #expect(!outcomes([], outage: 1200..<3000).isMet, "committed long ago")
        #expect(!outcomes([], outage: -9000 ..< -6000).isMet, "the group was back")
        #expect(!outcomes([], outage: 800..<3000, count: 3).isMet)
        #expect(outcomes([], outage: 5000..<8000, committedAtOutage: 1).isMet)
        #expect(!outcomes([], outage: 5000..<8000, committedAtOutage: 2).isMet, "it was committed")
    }

    @Test
    func `a partition with a new owner explains an outcome that the owner repeats`() {
        #expect(outcomes([], later: [("a-1", "two", 10_000)]).isMet)
        #expect(outcomes([], later: [("a-1", "two", 30_000)]).isMet, "outcomes come before sends")
        #expect(!outcomes([], later: [("a-1", "one", 10_000)]).isMet)
        #expect(!outcomes([], later: [("a-1", "one", 30_000), ("a-1", "two", 31_000)]).isMet, "afterwards")
        #expect(!outcomes([], later: [("a-1", "two", 10_000)], count: 3).isMet)
        let stop: (Disturbance.Kind, String, Int) = (.ended, "one", 5000)
        #expect(!outcomes([stop], committed: 2, later: [("a-1", "two", 10_000)]).isMet, "it was committed")
    }

    @Test
    func `an event found by the priority scan may have an outcome again when the consumer reaches its record`() {
        func outcomes(_ areAhead: [Bool]) -> OneFinalOutcome {
            var seen = evidence([record("a", 1)], [("a-1", "one", 0)])
            seen.outcomes = [
                RecordPosition(partition: partition, offset: 0): areAhead.enumerated().map { index, isAhead in
                    SeenOutcome(word: "sent", at: start + .seconds(index), isAhead: isAhead)
                }
            ]
            return OneFinalOutcome(seen)
        }
        #expect(outcomes([true, false]).isMet)
        #expect(!outcomes([false, false]).isMet)
        #expect(!outcomes([true, true]).isMet, "it is found once")
        #expect(!outcomes([true, false, false]).isMet)
    }

    @Test
    func `each death explains one repeat of a record`() {
        let death: (Disturbance.Kind, String, Int) = (.killed, "one", 800)
        #expect(!outcomes([death], committed: 1, count: 3).isMet)
        #expect(outcomes([death, (.killed, "one", 30_000)], committed: 1, count: 3).isMet)
    }
}
