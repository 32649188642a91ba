import Testing
import Timestamps

@testable import Worker

@Suite(.timeLimit(.minutes(1)))
struct OutcomePaceTests {
    private let start = Instant.now

    private func letsGo(
        _ pace: inout OutcomePace,
        _ count: Int,
        now: Instant,
        isLast: Bool
    ) -> Bool {
        pace.letsGo(count, now: now, isLast: isLast)
    }

    @Test func `outcomes that arrive within a moment are written together`() {
        var pace = OutcomePace()
        #expect(pace.due == nil)
        #expect(!letsGo(&pace, 0, now: start, isLast: false))
        #expect(pace.due == nil)
        #expect(!letsGo(&pace, 1, now: start, isLast: false))
        #expect(pace.due == start + OutcomePace.moment)
        #expect(!letsGo(&pace, 5, now: start + OutcomePace.moment / 2, isLast: false))
        #expect(pace.due == start + OutcomePace.moment, "the first outcome decides")
        #expect(letsGo(&pace, 5, now: start + OutcomePace.moment, isLast: false))
        #expect(pace.due == nil)
    }

    @Test func `later outcomes wait until all earlier ones are reported`() {
        var pace = OutcomePace()
        #expect(letsGo(&pace, 3, now: start, isLast: true))
        #expect(!letsGo(&pace, 1, now: start, isLast: false))
        let later = start + OutcomePace.moment * 2
        #expect(!letsGo(&pace, 1, now: later, isLast: false))
        for _ in 1...2 { pace.reported() }
        #expect(!letsGo(&pace, 1, now: later, isLast: false))
        pace.reported()
        #expect(pace.due == start + OutcomePace.moment)
        #expect(letsGo(&pace, 1, now: later, isLast: false))
    }

    @Test func `a leader that does not answer delays the records of others for a limited time only`() {
        var pace = OutcomePace()
        #expect(letsGo(&pace, 3, now: start, isLast: true))
        #expect(!letsGo(&pace, 1, now: start, isLast: false))
        #expect(pace.due == start + OutcomePace.patience)
        #expect(letsGo(&pace, 1, now: start + OutcomePace.patience, isLast: false))
    }

    @Test func `all outcomes are written at the end`() {
        var pace = OutcomePace()
        #expect(!letsGo(&pace, 1, now: start, isLast: false))
        #expect(letsGo(&pace, 1, now: start, isLast: true))
        #expect(!letsGo(&pace, 0, now: start, isLast: true))
    }
}
