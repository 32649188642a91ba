import Testing

@testable import NewsflashKafka

@Suite(.timeLimit(.minutes(1)))
struct LogDeduplicatorTests {
    private let start = ContinuousClock.now

    @Test func `a repeated log line is written once a second`() {
        var repeats = LogDeduplicator()
        let told = (0..<250).filter { repeats.isNew("GETPID", "retrying", now: start + .milliseconds($0 * 10)) }
        #expect(told == [0, 100, 200])
    }

    @Test func `a line with another facility or another message is written`() {
        var repeats = LogDeduplicator()
        let lines = [("FAIL", "a"), ("FAIL", "b"), ("TOKEN", "b"), ("TOKEN", "b"), ("FAIL", "a")]
        let told = lines.map { repeats.isNew($0.0, $0.1, now: start) }
        #expect(told == [true, true, true, false, true])
    }
}
