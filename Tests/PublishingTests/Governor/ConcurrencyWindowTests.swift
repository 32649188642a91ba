import Publishing
import Testing
import Timestamps

/// Which latencies speak against more requests at once.
@Suite(.timeLimit(.minutes(1)))
struct ConcurrencyWindowTests {
    /// Answers a window's requests, all it allows at a time.
    private func limit(took: Duration?, rounds: Int, noticedAfter: (Int) -> Duration) -> Int {
        var window = ConcurrencyWindow(maximum: 256)
        var now = Instant.now
        for round in 0..<rounds {
            let began = now
            let count = window.limit
            for number in 1...count { window.began(inFlight: number, now: began) }
            now += noticedAfter(round)
            for _ in 0..<count { window.answered(began: began, took: took, now: now) }
        }
        return window.limit
    }

    @Test func `a busy process does not count as a slow hub`() {
        // The hub takes 20 ms, and this process notices after three times that, but for the first rounds.
        #expect(limit(took: .milliseconds(20), rounds: 200) { $0 < 20 ? .milliseconds(20) : .milliseconds(60) } == 256)
    }

    @Test func `where nobody measured, what was noticed counts`() {
        #expect(limit(took: nil, rounds: 24) { $0 < 20 ? .milliseconds(20) : .milliseconds(60) } < 128)
    }
}
