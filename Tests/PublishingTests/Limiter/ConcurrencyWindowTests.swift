import NewsflashPublishing
import NewsflashTimestamps
import Testing

/// The latencies that keep the limiter from allowing more concurrent requests.
@Suite(.timeLimit(.minutes(1)))
struct ConcurrencyWindowTests {
    /// Answers as many requests as the window allows, round by round.
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
        // The hub takes 20 ms, and this process sees the answer after three times that, except in the first rounds.
        #expect(limit(took: .milliseconds(20), rounds: 200) { $0 < 20 ? .milliseconds(20) : .milliseconds(60) } == 256)
    }

    @Test func `the observed latency counts if the transfer was not measured`() {
        #expect(limit(took: nil, rounds: 24) { $0 < 20 ? .milliseconds(20) : .milliseconds(60) } < 128)
    }
}
