import NewsEvents
import NotificationHubs
import Publishing
import Testing
import Timestamps

@Suite(.timeLimit(.minutes(1)))
struct RetryTests {
    @Test func `a failed request is tried again after its jittered wait`() {
        var harness = CoreHarness()
        harness.take(.sample("a"))
        harness.answer(.unavailable)
        #expect(harness.sends.isEmpty)
        harness.pass(.seconds(1))
        #expect(harness.sending == ["a"])
        harness.answer(.accepted)
        #expect(harness.verdicts == ["a: sent"])
        #expect(harness.ended.first?.targets.first?.attempts == 2)
    }

    @Test func `an answer that was lost ends as unknown when the event's life is over`() {
        var harness = CoreHarness()
        harness.take(.sample("a", kind: .flash, expires: "2026-03-02T08:00:10Z"))
        harness.answer(.unknown)
        harness.pass(.seconds(11))
        #expect(harness.sends.isEmpty)
        #expect(harness.verdicts == ["a: expired.explicit"])
        #expect(harness.ended.first?.targets.first?.status == .unknown)
        #expect(harness.writes.first?.deadLetter == nil)
    }

    @Test func `Retry-After stops the whole hub for as long as it says`() {
        var harness = CoreHarness()
        harness.take(.sample("a"))
        harness.answer(.throttled(after: .seconds(7)))
        harness.take(.sample("b", kind: .flash))
        harness.pass(.seconds(6))
        #expect(harness.sends.isEmpty)
        harness.pass(.seconds(1))
        #expect(harness.sending == ["b", "a"])
    }

    @Test func `a flash goes before news that waits, and news before retries`() {
        let limits = Governor.Limits(concurrency: 1, expressReserve: 0)
        var harness = CoreHarness(PublishingConfiguration(limits: limits, commitInterval: .zero))
        harness.take(.sample("first"))
        harness.answer(.unavailable)
        harness.take(.sample("busy"))
        harness.pass(.seconds(1))
        harness.take(.sample("news"), .sample("flash", kind: .flash))
        #expect(harness.sending == ["busy"])
        for expected in ["flash", "news", "first"] {
            harness.answer(.accepted)
            #expect(harness.sending == [expected])
        }
    }

    @Test func `slots kept for express are not taken by others`() {
        let limits = Governor.Limits(concurrency: 3, expressReserve: 1)
        var harness = CoreHarness(PublishingConfiguration(limits: limits, commitInterval: .zero))
        harness.take((0..<5).map { .sample("n\($0)") })
        #expect(harness.sending == ["n0", "n1"])
        harness.take(.sample("flash", kind: .flash))
        #expect(harness.sending == ["n0", "n1", "flash"])
    }

    @Test func `a retry gets its turn under a steady stream of news`() {
        let limits = Governor.Limits(concurrency: 1, expressReserve: 0)
        var harness = CoreHarness(PublishingConfiguration(limits: limits, commitInterval: .zero))
        harness.take(.sample("again"))
        harness.answer(.unavailable)
        harness.take((0..<20).map { .sample("n\($0)") })
        harness.pass(.seconds(1))
        var order: [String] = []
        for _ in 0..<8 {
            order += harness.sending
            harness.answer(.accepted)
        }
        #expect(order.contains("again"))
    }
}
