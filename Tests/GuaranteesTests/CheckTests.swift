import NewsflashEvents
import NewsflashGuarantees
import Testing

/// The guarantees; each of them must be able to fail.
@Suite(.timeLimit(.minutes(1)))
struct CheckTests {
    @Test
    func `an event without an end is lost, and so is one that is only reported as sent`() {
        let records = [record("a", 1), record("b", 1), record("c", 1)]
        let check = NothingLost(evidence(records, [("a-1", "w", 0)], outcomes: [1: []]))
        #expect(check.missing == 1)
        #expect(check.faults.count == 2)
        #expect(check.description.contains("b-1 at news[0]@1 ended nowhere"))
        #expect(check.description.contains("c-1 is said to be sent"))
        #expect(NothingLost(evidence([record("a", 1)], [("a-1", "w", 0)])).isMet)
    }

    @Test
    func `a broken record must be a dead letter`() {
        var broken = record("a", 1, ["invalid"])
        broken.form = .unreadable
        #expect(!NothingLost(evidence([broken], [], outcomes: [0: ["invalid"]])).isMet)
        #expect(NothingLost(evidence([broken], [], outcomes: [0: ["invalid"]], dead: [0])).isMet)
        #expect(NothingLost(evidence([broken], [], outcomes: [0: []], dead: [0])).isMet)
    }

    @Test
    func `a second acceptance without a reason is a fault`() {
        let check = NoNeedlessDoubles(evidence([record("a", 1)], [("a-1", "one", 0), ("a-1", "two", 40)]))
        #expect(check.faults == ["a-1 by one, and 40 ms later by two"])
        #expect(check.explained.isEmpty)
    }

    @Test
    func `a request in flight at its worker's death may be repeated, once for each death`() {
        let records = [record("a", 1), record("b", 1)]
        func doubles(_ acceptances: [(String, String, Int)], death: Disturbance.Kind = .killed) -> NoNeedlessDoubles {
            NoNeedlessDoubles(evidence(records, acceptances, disturbances: [(death, "one", 500)]))
        }
        let flying = doubles([("a-1", "one", 200), ("a-1", "two", 9000)])
        #expect(flying.isMet)
        #expect(flying.inFlight.map { [$0.key.worker: $0.value] } == [["one": 1]])
        #expect(flying.longestFlight == .milliseconds(300))
        #expect(flying.explained == [1])
        #expect(doubles([("a-1", "one", 200), ("a-1", "two", 9000)], death: .frozen).isMet)
        #expect(doubles([("a-1", "one", 200), ("a-1", "one", 9000)], death: .lost).isMet, "it got the partition again")
        #expect(!doubles([("a-1", "one", 200), ("a-1", "two", 9000)], death: .ended).isMet)
        #expect(!doubles([("a-1", "one", 200), ("a-1", "two", 9000), ("a-1", "two", 9050)]).isMet)
        #expect(!doubles([("a-1", "one", -600), ("a-1", "two", 9000)]).isMet, "its record was confirmed long ago")
        #expect(!doubles([("a-1", "three", 200), ("a-1", "two", 9000)]).isMet, "another worker died")
        #expect(!doubles([("a-1", "one", 200), ("a-1", "one", 300)]).isMet, "before the death")
        #expect(!doubles([("a-1", "one", 200), ("b-1", "two", 300), ("a-1", "two", 9000)]).isMet, "it did not own it")
    }

    @Test
    func `a connection cut after acceptance explains a repeat, one cut before does not`() {
        func doubles(_ fault: HubFault) -> NoNeedlessDoubles {
            var cut = record("a", 1)
            cut.fault = fault
            return NoNeedlessDoubles(evidence([cut], [("a-1", "one", 0), ("a-1", "one", 400)]))
        }
        #expect(doubles(.cutAfter).isMet)
        #expect(doubles(.cutAfter).unknownAnswers == 1)
        #expect(!doubles(.cutBefore).isMet)
        #expect(!doubles(.unavailable).isMet)
    }

    @Test
    func `a slow answer keeps a request in flight for longer`() {
        var slow = record("a", 1)
        slow.fault = .slow
        let sends = [("a-1", "one", 0), ("a-1", "two", 20_000)]
        #expect(NoNeedlessDoubles(evidence([slow], sends, disturbances: [(.killed, "one", 4000)])).isMet)
        #expect(!NoNeedlessDoubles(evidence([record("a", 1)], sends, disturbances: [(.killed, "one", 4000)])).isMet)
    }

    @Test
    func `an older revision after a newer one is out of order, unless it is a repeat with a reason`() {
        let records = [record("a", 1), record("a", 2), record("b", 1)]
        let seen = evidence(records, [("a-2", "w", 0), ("b-1", "w", 1), ("a-1", "w", 2)])
        #expect(OrderedPerStory(seen, explained: []).faults == ["a-1 by w after revision 2 by w"])
        #expect(OrderedPerStory(seen, explained: [2]).isMet)
        let told = evidence(records, [("a-1", "w", 0), ("b-1", "w", 1), ("a-2", "w", 2)])
        #expect(OrderedPerStory(told, explained: []).isMet)
    }

    @Test
    func `a second outcome is wrong if nobody died, and so is another one`() {
        let again = OneFinalOutcome(evidence([record("a", 1)], [("a-1", "w", 0)], outcomes: [0: ["sent", "sent"]]))
        #expect(again.faults == ["a-1 is sent 2 times, at 1970-01-12T13:46:40.000Z and 1970-01-12T13:46:40.000Z"])
        #expect(again.repeats == 1)
        let both: Set = ["sent", "superseded"]
        let other = OneFinalOutcome(
            evidence([record("a", 1, both)], [("a-1", "w", 0)], outcomes: [0: ["sent", "superseded"]])
        )
        #expect(other.faults.last == "a-1 is sent, and then superseded")
        let wrong = OneFinalOutcome(evidence([record("a", 1)], [], outcomes: [0: ["expired"]]))
        #expect(wrong.faults == ["a-1 is expired (alert, revision 1)"])
    }

    @Test
    func `sends of an expired, held, withdrawn or superseded event are forbidden`() {
        func faults(_ records: [PlannedRecord], _ sends: [(String, String, Int)]) -> [String] {
            NothingForbiddenSent(evidence(records, sends), explained: []).faults
        }
        var brief = record("a", 1, ["sent", "expired"])
        brief.expires = .seconds(1)
        #expect(faults([brief], [("a-1", "w", 1100)]).isEmpty)
        #expect(faults([brief], [("a-1", "w", 1400)]) == ["a-1 400 ms after it had expired"])

        #expect(
            faults([record("b", 2), record("b", 1, ["superseded"])], [("b-2", "w", 0), ("b-1", "w", 1)]).count == 1
        )

        var hold = record("c", 2, ["suppressed"])
        hold.kind = .hold
        let held = [record("c", 1), hold, record("c", 3)]
        #expect(faults(held, [("c-1", "w", 100), ("c-3", "w", 5000)]).isEmpty)
        #expect(faults(held, [("c-1", "w", 900), ("c-3", "w", 5000)]) == ["c-1 900 ms after the story was held"])

        var kill = record("d", 2)
        kill.kind = .kill
        let killed = [record("d", 1), kill, record("d", 3)]
        #expect(faults(killed, [("d-1", "w", 0), ("d-2", "w", 1)]).isEmpty)
        #expect(faults(killed, [("d-2", "w", 0), ("d-1", "w", 1), ("d-3", "w", 2)]).count == 2)
    }

    @Test
    func `a repeat with a reason is not forbidden`() {
        var kill = record("d", 2)
        kill.kind = .kill
        let seen = evidence([record("d", 1), kill], [("d-1", "w", 0), ("d-2", "w", 1), ("d-1", "w", 2)])
        #expect(NothingForbiddenSent(seen, explained: [2]).isMet)
        #expect(!NothingForbiddenSent(seen, explained: []).isMet)
    }
}
