import NewsflashEvents
import NewsflashPublishing
import NewsflashTimestamps
import NotificationHubs
import Testing

@Suite(.timeLimit(.minutes(1)))
struct StoryOrderTests {
    @Test func `a newer revision waits for the one in flight`() {
        var harness = CoreHarness()
        harness.receive(.sample("a1", story: "a"))
        harness.receive(.sample("a2", story: "a", revision: 2))
        #expect(harness.sending == ["a1"])
        harness.answer(.accepted)
        #expect(harness.sending == ["a2"])
    }

    @Test func `stories do not wait for each other`() {
        var harness = CoreHarness()
        harness.receive(.sample("a"), .sample("b"), .sample("c"))
        #expect(harness.sending == ["a", "b", "c"])
    }

    @Test func `a newer revision replaces a queued one`() {
        var harness = CoreHarness()
        harness.receive(.sample("a1", story: "a"))
        harness.receive(.sample("a2", story: "a", revision: 2))
        harness.receive(.sample("a3", story: "a", revision: 3))
        #expect(harness.verdicts == ["a2: superseded.revision"])
        harness.confirmAll()
        harness.answer(.accepted)
        #expect(harness.sending == ["a3"])
    }

    @Test func `a revision that replaces an unsent one waits for the ledger's confirmation`() {
        var harness = CoreHarness()
        harness.receive(.sample("a1", story: "a"), .sample("a2", story: "a", revision: 2), .sample("b"))
        #expect(harness.sending == ["b"])
        harness.failWrite()
        #expect(harness.sending == ["b"])
        harness.pass(.seconds(10))
        #expect(harness.sending == ["b"])
        harness.confirmLedger()
        #expect(harness.sending == ["b", "a2"])
        harness.confirmAll()
        #expect(harness.sending == ["b", "a2"])
    }

    @Test func `a replaced revision is not sent after a crash`() {
        var harness = CoreHarness()
        harness.receive(.sample("a1", story: "a"), .sample("a2", story: "a", revision: 2))
        #expect(
            harness.sending == [],
            "otherwise the hub would have the second, and the next owner would send the first"
        )
        harness.rememberAndCrash()
        #expect(harness.sending == ["a2"])
    }

    @Test func `a flash waits at most half a second for the ledger to confirm the revisions it replaces`() {
        var harness = CoreHarness()
        harness.receive(
            .sample("f1", story: "f", kind: .flash),
            .sample("f2", story: "f", revision: 2, kind: .flash)
        )
        #expect(harness.sending == [])
        harness.pass(.milliseconds(499))
        #expect(harness.sending == [])
        harness.pass(.milliseconds(1))
        #expect(harness.sending == ["f2"])
        harness.confirmAll()
        #expect(harness.sending == ["f2"])
    }

    @Test func `a newer revision ends the retries of an older one`() {
        var harness = CoreHarness()
        harness.receive(.sample("a1", story: "a"))
        harness.answer(.unavailable)
        harness.receive(.sample("a2", story: "a", revision: 2))
        #expect(harness.verdicts == ["a1: superseded.revision"])
        harness.confirmAll()
        #expect(harness.sending == ["a2"])
    }

    @Test func `an update of a waiting flash keeps the flash's priority`() {
        let limits = SendLimiter.Limits(concurrency: 1, expressReserve: 0)
        var harness = CoreHarness(PublishingConfiguration(limits: limits, commitInterval: .zero))
        harness.receive(.sample("busy"), .sample("news"))
        harness.receive(
            .sample("flash", story: "f", kind: .flash),
            .sample("update", story: "f", revision: 2, kind: .update)
        )
        harness.confirmAll()
        harness.answer(.accepted)
        #expect(harness.sending == ["update"])
    }

    @Test func `a hold stops queued events, and the next revision ends it`() {
        var harness = CoreHarness()
        harness.receive(.sample("a1", story: "a", embargo: "2026-03-02T09:00:00Z"))
        harness.receive(.sample("a2", story: "a", revision: 2, kind: .hold, categories: []))
        #expect(harness.verdicts == ["a1: suppressed.hold", "a2: suppressed.hold"])
        harness.confirmAll()
        harness.receive(.sample("a3", story: "a", revision: 3, embargo: "2026-03-02T08:00:00Z"))
        #expect(harness.sending == ["a3"])
    }

    @Test func `a kill goes to the audience of sent events, and closes the story`() {
        var harness = CoreHarness()
        harness.receive(.sample("a1", story: "a", categories: ["politics"]))
        harness.answer(.accepted)
        harness.receive(.sample("a2", story: "a", revision: 2, kind: .kill, categories: []))
        #expect(harness.sends.map(\.expression.description) == ["politics"])
        harness.answer(.accepted)
        harness.receive(.sample("a3", story: "a", revision: 3))
        #expect(harness.verdicts == ["a1: sent", "a2: sent", "a3: suppressed.killed"])
    }

    @Test func `a kill of news that was never sent stops it and notifies nobody`() {
        var harness = CoreHarness()
        harness.receive(.sample("a1", story: "a", embargo: "2026-03-02T09:00:00Z"))
        harness.receive(.sample("a2", story: "a", revision: 2, kind: .kill, categories: []))
        harness.confirmAll()
        #expect(harness.verdicts == ["a1: superseded.killed", "a2: suppressed.never_sent"])
        #expect(harness.sends.isEmpty)
    }

    @Test func `a kill waits for requests in flight to get their audiences`() {
        var harness = CoreHarness()
        harness.receive(.sample("a1", story: "a"))
        harness.receive(.sample("a2", story: "a", revision: 2, kind: .kill, categories: []))
        #expect(harness.sending == ["a1"])
        harness.answer(.accepted)
        #expect(harness.sending == ["a2"])
    }

    @Test func `an embargoed event is sent exactly when the embargo ends`() {
        var harness = CoreHarness()
        harness.receive(.sample("a", embargo: "2026-03-02T08:10:00Z"))
        #expect(harness.announced.map(\.verdict.reason) == ["held.embargo"])
        harness.pass(.seconds(599))
        #expect(harness.sends.isEmpty)
        #expect(harness.core.nextTimer(now: harness.now) == harness.now.instant + .seconds(1))
        harness.pass(.seconds(1))
        #expect(harness.sending == ["a"])
    }

    @Test func `an event whose embargo ends is sent before the backlog of its lane`() {
        let limits = SendLimiter.Limits(concurrency: 1, expressReserve: 0)
        var harness = CoreHarness(PublishingConfiguration(limits: limits, commitInterval: .zero))
        harness.receive(.sample("later", embargo: "2026-03-02T08:10:00Z"))
        harness.receive((0..<5).map { .sample("n\($0)") })
        harness.pass(.seconds(600))
        #expect(harness.sending == ["n0"])
        harness.answer(.accepted)
        #expect(harness.sending == ["later"])
    }
}
