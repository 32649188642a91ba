import NewsflashPublishing
import NewsflashTimestamps
import Testing

@Suite(.timeLimit(.minutes(1)))
struct CanaryTallyTests {
    @Test func `a worker judges by at most the events that it keeps, whatever a command requests`() {
        let order = ReloadOrder(events: 500, by: "a", reason: "b", at: Timestamp(seconds: 0))
        #expect(order.terms(over: CanaryTerms(events: 3)).events == CanaryTerms.mostEvents)
    }

    @Test func `a judgement that shows no difference ends with its last event`() {
        var tally = CanaryTally(terms: CanaryTerms(events: 3))
        #expect(tally.count(.same, of: "1") == nil)
        #expect(tally.count(.same, of: "2") == nil)
        #expect(tally.count(.same, of: "3") == .promoted)
        #expect(tally.differing.isEmpty)
    }

    @Test(arguments: CanaryTerms.kinds)
    func `one unannounced difference drops the rules, and its event is named`(kind: PlanDifference.Kind) {
        var tally = CanaryTally(terms: CanaryTerms(events: 3))
        #expect(tally.count(.same, of: "1") == nil)
        #expect(tally.count(kind, of: "2") == .dropped(kind))
        #expect(tally.differing.map(\.event) == ["2"])
        #expect(tally.differing.map(\.kind) == [kind])
    }

    @Test func `an announced difference may occur any number of times, and no other`() {
        var tally = CanaryTally(terms: CanaryTerms(events: 100, announced: [.words]))
        for number in 1...60 { #expect(tally.count(.words, of: "\(number)") == nil) }
        #expect(tally.count(.lost, of: "last") == .dropped(.lost))
        #expect(tally.counts == [.words: 60, .lost: 1])
    }

    @Test func `a limit allows exactly its number of differences`() {
        var tally = CanaryTally(terms: CanaryTerms(events: 100, limits: [.gained: 2]))
        #expect(tally.count(.gained, of: "1") == nil)
        #expect(tally.count(.gained, of: "2") == nil)
        #expect(tally.count(.gained, of: "3") == .dropped(.gained))
    }

    @Test func `the named events are as many as fit in a log line`() {
        var tally = CanaryTally(terms: CanaryTerms(events: 1000, announced: [.words]))
        for number in 1...200 { _ = tally.count(.words, of: "\(number)") }
        #expect(tally.differing.map(\.event) == (1...CanaryTally.mostNamed).map { "\($0)" })
        #expect(tally.counts[.words] == 200)
    }

    @Test func `a command overrides only the terms that it contains`() {
        let configured = CanaryTerms(
            events: 50,
            announced: [.gained],
            limits: [.words: 3, .lost: 1]
        )
        let now = Timestamp(seconds: 0)
        let order = ReloadOrder(events: 9, announced: [.words], limits: [.lost: 0], by: "a", reason: "b", at: now)
        let terms = order.terms(over: configured)
        #expect(
            terms
                == CanaryTerms(
                    events: 9,
                    announced: [.gained, .words],
                    limits: [.words: 3, .lost: 0]
                )
        )
    }
}
