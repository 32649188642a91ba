import NewsflashEvents
import NewsflashGuarantees
import NewsflashTimestamps
import Testing

/// The guarantees over two hubs; each of them must be able to fail at one hub.
@Suite(.timeLimit(.minutes(1)))
struct SeveralHubsTests {
    private static let hubs = ["main", "south"]

    @Test
    func `each hub accepts an event once`() {
        func doubles(_ sends: [(String, String, Int)]) -> NoNeedlessDoubles {
            NoNeedlessDoubles(evidence([record("a", 1)], sends, hubs: Self.hubs))
        }
        #expect(doubles([("a-1", "w", 0), ("a-1@south", "w", 40)]).isMet)
        #expect(
            doubles([("a-1@south", "w", 0), ("a-1", "w", 20), ("a-1@south", "x", 40)]).faults
                == ["a-1 by w, and 40 ms later by x, at south"]
        )
    }

    @Test
    func `one death explains a hundred repeated requests of both hubs together`() {
        func doubles(_ count: Int) -> NoNeedlessDoubles {
            let records = (0..<count).map { record("s\($0)", 1) }
            func sends(by worker: String, _ time: Int) -> [(String, String, Int)] {
                records.flatMap { [($0.event, worker, time), ($0.event + "@south", worker, time)] }
            }
            return NoNeedlessDoubles(
                evidence(
                    records,
                    sends(by: "one", 0) + sends(by: "next", 9000),
                    hubs: Self.hubs,
                    disturbances: [(.killed, "one", 500)]
                )
            )
        }
        #expect(doubles(50).isMet)
        #expect(doubles(51).faults == ["102 requests repeated after one was killed, 100 is the bound"])
    }

    @Test
    func `news that is reported as sent must be accepted by all hubs, a kill by one`() {
        let records = [record("a", 1), kill("b", 1)]
        func lost(_ sends: [(String, String, Int)]) -> [String] {
            NothingLost(evidence(records, sends, hubs: Self.hubs)).faults
        }
        #expect(lost([("a-1", "w", 0), ("a-1@south", "w", 0), ("b-1-kill@south", "w", 0)]) == [])
        #expect(
            lost([("a-1", "w", 0)]) == [
                "a-1 is said to be sent, and south never accepted it",
                "b-1-kill is said to be sent, and main and south never accepted it",
            ]
        )
    }

    @Test
    func `an event that ended early is partial if a hub had accepted it, and its reason names the end`() {
        func outcomes(_ reason: String, _ permitted: Set<String> = ["sent", "superseded"]) -> OneFinalOutcome {
            var seen = evidence([record("a", 1, permitted)], [("a-1", "w", 0)], hubs: Self.hubs)
            seen.outcomes = [
                RecordPosition(partition: partition, offset: 0): [
                    SeenOutcome(word: "partial", at: start, reason: reason)
                ]
            ]
            return OneFinalOutcome(seen)
        }
        #expect(outcomes("superseded.killed").isMet)
        #expect(!outcomes("suppressed.hold").isMet, "nobody held it")
        #expect(outcomes("partial.refused").faults == ["a-1 is partial.refused (alert, revision 1)"])
        #expect(!outcomes("superseded.revision", ["superseded"]).isMet, "it must not be sent at all")
    }

    @Test
    func `news at one hub after a kill at the other is forbidden, and a kill is never out of order`() {
        let records = [record("a", 2), kill("a", 1)]
        func seen(_ sends: [(String, String, Int)]) -> Evidence { evidence(records, sends, hubs: Self.hubs) }
        let after = seen([("a-2", "w", 0), ("a-1-kill", "w", 1), ("a-2@south", "w", 2)])
        #expect(
            NothingForbiddenSent(after, explained: []).faults == ["a-2 after a-1-kill had withdrawn the story"]
        )
        let before = seen([("a-2", "w", 0), ("a-2@south", "w", 1), ("a-1-kill", "w", 2), ("a-1-kill@south", "w", 3)])
        #expect(NothingForbiddenSent(before, explained: []).isMet)
        #expect(OrderedPerStory(before, explained: []).isMet)
    }

    @Test
    func `an unreachable hub explains a late embargo there, and not at the other hub`() {
        var embargoed = record("a", 1)
        embargoed.embargo = .seconds(10)
        func met(_ sends: [(String, String, Int)], away: Range<Int> = 8000..<14_000) -> EmbargoMet {
            var seen = evidence([embargoed], sends, hubs: Self.hubs)
            seen.away = [
                "south": [(start + .milliseconds(away.lowerBound))..<(start + .milliseconds(away.upperBound))]
            ]
            return EmbargoMet(seen)
        }
        let late = met([("a-1", "w", 10_010), ("a-1@south", "w", 17_000)])
        #expect(late.isMet)
        #expect(late.lateness == [.milliseconds(10)])
        #expect(late.excused == 1)
        #expect(!met([("a-1", "w", 10_010), ("a-1@south", "w", 17_200)]).isMet, "it was back long before")
        #expect(!met([("a-1", "w", 10_200), ("a-1@south", "w", 17_000)]).isMet, "the other hub must not wait")
        #expect(!met([("a-1@south", "w", 10_200)], away: 10_150..<10_180).isMet, "it was late before")
        #expect(!met([("a-1@south", "w", 10_200)], away: 1000..<6800).isMet, "it ended long before")
        #expect(!met([("a-1", "w", 10_010), ("a-1@south", "w", 9_999)]).isMet, "never too early")
    }

    @Test
    func `the offset of a record that waited for a hub or for long proves nothing, like that of an embargoed one`() {
        func twice(death: Int, away: Range<Int>? = nil, writtenAt: Int? = nil) -> OneFinalOutcome {
            var seen = evidence(
                [record("a", 1), record("b", 1)],
                [("a-1", "one", 0), ("b-1", "one", 0)],
                outcomes: [1: ["sent", "sent"]],
                again: 20_000,
                disturbances: [(.killed, "one", death)],
                committed: 2
            )
            if let away {
                let time = (start + .milliseconds(away.lowerBound))..<(start + .milliseconds(away.upperBound))
                seen.away = ["main": [time]]
            }
            if let writtenAt { seen.written[1] = start + .milliseconds(writtenAt) }
            return OneFinalOutcome(seen)
        }
        #expect(twice(death: 800, away: -9000 ..< -100).isMet)
        #expect(!twice(death: 800).isMet, "it was committed")
        #expect(!twice(death: 5000, away: -9000 ..< -100).isMet, "its outcome was confirmed long ago")
        #expect(!twice(death: 800, away: -30_000 ..< -3100).isMet, "it did not wait any more")
        #expect(twice(death: 800, writtenAt: -10_001).isMet, "the ledger may have kept it")
        #expect(!twice(death: 800, writtenAt: -10_000).isMet, "the ledger did not keep it yet")
        #expect(!twice(death: 5000, writtenAt: -30_000).isMet, "its outcome was confirmed long ago")
    }

    @Test
    func `a flash is measured at each hub unless the hub is unreachable, and can be overtaken at each`() {
        var flash = record("a", 1)
        flash.kind = .flash
        let records = [flash, record("b", 1)]
        func express(_ sends: [(String, String, Int)], away: Range<Int>? = nil) -> ExpressFirst {
            var seen = evidence(records, sends, hubs: Self.hubs)
            if let away {
                let time = (start + .milliseconds(away.lowerBound))..<(start + .milliseconds(away.upperBound))
                seen.away = ["south": [time]]
            }
            return ExpressFirst(seen)
        }
        let sends = [("a-1", "w", 30), ("b-1", "w", 40), ("a-1@south", "w", 900), ("b-1@south", "w", 990)]
        #expect(express(sends).isMet)
        #expect(express(sends).waits == [.milliseconds(30), .milliseconds(900)])
        #expect(express(sends, away: 0..<800).waits == [.milliseconds(30)])
        let overtaken = [("a-1", "w", 30), ("b-1@south", "w", 300), ("a-1@south", "w", 900)]
        #expect(express(overtaken).faults == ["a-1 600 ms after b-1"])
        #expect(!express(overtaken, away: 0..<200).isMet, "it goes first when the hub is back")
    }

    @Test
    func `each hub must accept something, and each has its own silences`() {
        let sends = [("a-1", "w", 1000), ("b-1", "w", 2000), ("a-1@south", "w", 4000)]
        let records = [record("a", 1), record("b", 1)]
        let seen = evidence(records, sends, hubs: Self.hubs)
        #expect(Findings(seen).enough.isMet)
        func gap(at hub: String) -> Duration {
            Silence(seen, of: [partition], at: hub, from: start, to: start + .seconds(5)).longest()
        }
        #expect(gap(at: "main") == .seconds(3))
        #expect(gap(at: "south") == .seconds(4))
        let half = evidence(records, Array(sends.prefix(2)), hubs: Self.hubs)
        #expect(Findings(half).enough.faults == ["the hub south accepted nothing"])
    }
}
