import Testing

@testable import Kafka

struct LogRepeatsTests {
    private let start = ContinuousClock.now

    @Test func `what is said again at once is told once a second`() {
        var repeats = LogRepeats()
        let told = (0..<250).filter { repeats.isNew("GETPID", "retrying", now: start + .milliseconds($0 * 10)) }
        #expect(told == [0, 100, 200])
    }

    @Test func `another facility or another message is told`() {
        var repeats = LogRepeats()
        #expect(repeats.isNew("FAIL", "a", now: start))
        #expect(repeats.isNew("FAIL", "b", now: start))
        #expect(repeats.isNew("TOKEN", "b", now: start))
        #expect(!repeats.isNew("TOKEN", "b", now: start))
        #expect(repeats.isNew("FAIL", "a", now: start))
    }
}
