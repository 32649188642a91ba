import NewsflashTimestamps
import Testing

@testable import NewsflashPublishing

@Suite(.timeLimit(.minutes(1)))
struct OutcomeBatcherTests {
    private let start = Instant.now

    private func shouldFlush(
        _ pace: inout OutcomeBatcher,
        _ count: Int,
        now: Instant,
        isLast: Bool
    ) -> Bool {
        pace.shouldFlush(count, now: now, isLast: isLast)
    }

    @Test func `outcomes that arrive within a moment are written together`() {
        var pace = OutcomeBatcher()
        #expect(pace.due == nil)
        #expect(!shouldFlush(&pace, 0, now: start, isLast: false))
        #expect(pace.due == nil)
        #expect(!shouldFlush(&pace, 1, now: start, isLast: false))
        #expect(pace.due == start + OutcomeBatcher.moment)
        #expect(!shouldFlush(&pace, 5, now: start + OutcomeBatcher.moment / 2, isLast: false))
        #expect(pace.due == start + OutcomeBatcher.moment, "the first outcome decides")
        #expect(shouldFlush(&pace, 5, now: start + OutcomeBatcher.moment, isLast: false))
        #expect(pace.due == nil)
    }

    @Test func `later outcomes wait until all earlier ones are reported`() {
        var pace = OutcomeBatcher()
        #expect(shouldFlush(&pace, 3, now: start, isLast: true))
        #expect(!shouldFlush(&pace, 1, now: start, isLast: false))
        let later = start + OutcomeBatcher.moment * 2
        #expect(!shouldFlush(&pace, 1, now: later, isLast: false))
        for _ in 1...2 { pace.reported() }
        #expect(!shouldFlush(&pace, 1, now: later, isLast: false))
        pace.reported()
        #expect(pace.due == start + OutcomeBatcher.moment)
        #expect(shouldFlush(&pace, 1, now: later, isLast: false))
    }

    @Test func `a leader that does not answer delays the records of others for a limited time only`() {
        var pace = OutcomeBatcher()
        #expect(shouldFlush(&pace, 3, now: start, isLast: true))
        #expect(!shouldFlush(&pace, 1, now: start, isLast: false))
        #expect(pace.due == start + OutcomeBatcher.patience)
        #expect(shouldFlush(&pace, 1, now: start + OutcomeBatcher.patience, isLast: false))
    }

    @Test func `all outcomes are written at the end`() {
        var pace = OutcomeBatcher()
        #expect(!shouldFlush(&pace, 1, now: start, isLast: false))
        #expect(shouldFlush(&pace, 1, now: start, isLast: true))
        #expect(!shouldFlush(&pace, 0, now: start, isLast: true))
    }
}
