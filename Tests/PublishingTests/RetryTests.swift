import NewsflashEvents
import NewsflashPublishing
import NewsflashTimestamps
import NotificationHubs
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RetryTests {
    @Test func `a failed request is tried again after its jittered wait`() {
        var harness = CoreHarness()
        harness.receive(.sample("a"))
        harness.answer(.unavailable)
        #expect(harness.sends.isEmpty)
        harness.pass(.seconds(1))
        #expect(harness.sending == ["a"])
        harness.answer(.accepted)
        #expect(harness.verdicts == ["a: sent"])
        #expect(harness.ended.first?.targets.first?.report.attempts == 2)
    }

    @Test func `a request without an answer ends as unknown when the event expires`() {
        var harness = CoreHarness()
        harness.receive(.sample("a", kind: .flash, expires: "2026-03-02T08:00:10Z"))
        harness.answer(.unknown)
        harness.pass(.seconds(11))
        #expect(harness.sends.isEmpty)
        #expect(harness.verdicts == ["a: expired.explicit"])
        #expect(harness.ended.first?.targets.first?.report.status == .unknown)
        harness.rememberAll()
        #expect(harness.writes.first?.deadLetter == nil)
    }

    @Test func `Retry-After pauses all except express events for its time, at most a minute`() {
        var harness = CoreHarness()
        harness.receive(.sample("a"))
        harness.answer(.throttled(after: .seconds(7)))
        harness.receive(.sample("b"))
        harness.pass(.seconds(6))
        #expect(harness.sends.isEmpty)
        #expect(harness.core.status(now: harness.now).pausedUntil == harness.now.wall + .seconds(1))
        harness.pass(.seconds(1))
        #expect(harness.sending == ["a"], "the refused request is the oldest, and the rate is low")
        #expect(harness.core.status(now: harness.now).pausedUntil == nil)
        harness.answer(.accepted)
        harness.pass(.seconds(1))
        #expect(harness.sending == ["b"])

        var other = CoreHarness()
        other.receive(.sample("a"))
        other.answer(.throttled(after: .seconds(86_400)))
        other.pass(.seconds(59))
        #expect(other.sends.isEmpty)
        other.pass(.seconds(1))
        #expect(other.sending == ["a"])
    }

    @Test func `a flash is tried during a pause, less and less often, and ends the pause when it is accepted`() {
        var harness = CoreHarness()
        harness.receive(.sample("a"))
        harness.answer(.throttled(after: .seconds(30)))
        harness.receive(.sample("flash", kind: .flash))
        var knocks = 0
        for _ in 0..<100 {
            harness.drain { harness in
                guard harness.sending.contains("flash") else { return false }
                knocks += 1
                harness.answer(.throttled(after: .seconds(30)))
                return true
            }
            harness.pass(.milliseconds(100))
        }
        #expect((5...12).contains(knocks), "\(knocks) attempts in ten seconds")
        harness.pass(.seconds(5))
        #expect(harness.sending == ["flash"])
        harness.answer(.accepted)
        #expect(harness.core.status(now: harness.now).pausedUntil == nil)
        #expect(harness.sending == ["a"])
    }

    @Test func `a throttled request returns to the queue by its age`() {
        let limits = SendLimiter.Limits(concurrency: 2, expressReserve: 0)
        var harness = CoreHarness(PublishingConfiguration(limits: limits, commitInterval: .zero))
        harness.receive((0..<6).map { .sample("e\($0)") })
        #expect(harness.sending == ["e0", "e1"])
        harness.answerAll(.throttled(after: .seconds(1)))
        var order: [String] = []
        for _ in 0..<10 {
            harness.pass(.seconds(1))
            order += harness.sending
            harness.answerAll(.accepted)
        }
        #expect(order == (0..<6).map { "e\($0)" })
    }

    @Test func `a flash is sent before waiting news, and news before retries`() {
        let limits = SendLimiter.Limits(concurrency: 1, expressReserve: 0)
        var harness = CoreHarness(PublishingConfiguration(limits: limits, commitInterval: .zero))
        harness.receive(.sample("first"))
        harness.answer(.unavailable)
        harness.receive(.sample("busy"))
        harness.pass(.seconds(1))
        harness.receive(.sample("news"), .sample("flash", kind: .flash))
        #expect(harness.sending == ["busy"])
        for expected in ["flash", "news", "first"] {
            harness.answer(.accepted)
            #expect(harness.sending == [expected])
        }
    }

    @Test func `slots reserved for express events are not used by others`() {
        let limits = SendLimiter.Limits(concurrency: 2, expressReserve: 1)
        var harness = CoreHarness(PublishingConfiguration(limits: limits, commitInterval: .zero))
        harness.receive((0..<5).map { .sample("n\($0)") })
        #expect(harness.sending == ["n0", "n1"])
        harness.receive(.sample("flash", kind: .flash))
        #expect(harness.sending == ["n0", "n1", "flash"])
        harness.receive(.sample("second flash", kind: .flash))
        #expect(harness.sending == ["n0", "n1", "flash"], "there is only one such slot")
    }

    @Test func `a retry is sent during a steady stream of news`() {
        let limits = SendLimiter.Limits(concurrency: 1, expressReserve: 0)
        var harness = CoreHarness(PublishingConfiguration(limits: limits, commitInterval: .zero))
        harness.receive(.sample("again"))
        harness.answer(.unavailable)
        harness.receive((0..<20).map { .sample("n\($0)") })
        harness.pass(.seconds(1))
        var order: [String] = []
        for _ in 0..<8 {
            order += harness.sending
            harness.answer(.accepted)
        }
        #expect(order.contains("again"))
    }

    @Test func `a delayed flash does not block other news, and timers are due only when work is possible`() {
        var harness = CoreHarness()
        harness.receive(.sample("a"))
        harness.answer(.accepted)
        harness.receive(.sample("flash", kind: .flash))
        for _ in 0..<6 {
            harness.answer(.throttled(after: nil))
            harness.pass(.seconds(1))
        }
        harness.answer(.throttled(after: nil))
        harness.receive(.sample("b"))
        for _ in 0..<50 {
            guard let due = harness.core.nextTimer(now: harness.now) else { break }
            #expect(due > harness.now.instant, "work that is due has been done")
            harness.pass(due - harness.now.instant)
            if harness.sending.contains("b") { break }
        }
        #expect(harness.sending.contains("b"))
    }

    @Test func `a request that was not sent is not an attempt, and is sent again`() {
        var harness = CoreHarness()
        harness.receive(.sample("a"))
        harness.answer(.notSent)
        #expect(harness.sending == ["a"])
        harness.answer(.accepted)
        #expect(harness.ended.first?.targets.first?.report.attempts == 1)
        #expect(harness.core.status(now: harness.now).inFlight == 0)
    }
}
