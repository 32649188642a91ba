import NewsEvents
import NotificationHubs
import Publishing
import Testing
import Timestamps

@Suite(.timeLimit(.minutes(1)))
struct StoryOrderTests {
    @Test func `a newer revision waits for the one in flight`() {
        var harness = CoreHarness()
        harness.take(.sample("a1", story: "a"))
        harness.take(.sample("a2", story: "a", revision: 2))
        #expect(harness.sending == ["a1"])
        harness.answer(.accepted)
        #expect(harness.sending == ["a2"])
    }

    @Test func `stories do not wait for each other`() {
        var harness = CoreHarness()
        harness.take(.sample("a"), .sample("b"), .sample("c"))
        #expect(harness.sending == ["a", "b", "c"])
    }

    @Test func `a newer revision takes the place of one that is queued`() {
        var harness = CoreHarness()
        harness.take(.sample("a1", story: "a"))
        harness.take(.sample("a2", story: "a", revision: 2))
        harness.take(.sample("a3", story: "a", revision: 3))
        #expect(harness.verdicts == ["a2: superseded.revision"])
        harness.confirmAll()
        harness.answer(.accepted)
        #expect(harness.sending == ["a3"])
    }

    @Test func `what takes the place of an unsent revision waits until the ledger knows`() {
        var harness = CoreHarness()
        harness.take(.sample("a1", story: "a"), .sample("a2", story: "a", revision: 2), .sample("b"))
        #expect(harness.sending == ["b"])
        harness.failWrite()
        #expect(harness.sending == ["b"])
        harness.pass(.seconds(10))
        #expect(harness.sending == ["b"])
        harness.remember()
        #expect(harness.sending == ["b", "a2"])
        harness.confirmAll()
        #expect(harness.sending == ["b", "a2"])
    }

    @Test func `after a crash no revision is sent whose place another had taken`() {
        var harness = CoreHarness()
        harness.take(.sample("a1", story: "a"), .sample("a2", story: "a", revision: 2))
        #expect(
            harness.sending == [],
            "the hub would have the second, and the next owner, who knows of none, send the first"
        )
        harness.rememberAndCrash()
        #expect(harness.sending == ["a2"])
    }

    @Test func `a flash waits half a second at most for the ledger to know what it replaces`() {
        var harness = CoreHarness()
        harness.take(
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
        harness.take(.sample("a1", story: "a"))
        harness.answer(.unavailable)
        harness.take(.sample("a2", story: "a", revision: 2))
        #expect(harness.verdicts == ["a1: superseded.revision"])
        harness.confirmAll()
        #expect(harness.sending == ["a2"])
    }

    @Test func `what was to go first does not fall behind because there is more to say`() {
        let limits = Governor.Limits(concurrency: 1, expressReserve: 0)
        var harness = CoreHarness(PublishingConfiguration(limits: limits, commitInterval: .zero))
        harness.take(.sample("busy"), .sample("news"))
        harness.take(
            .sample("flash", story: "f", kind: .flash),
            .sample("update", story: "f", revision: 2, kind: .update)
        )
        harness.confirmAll()
        harness.answer(.accepted)
        #expect(harness.sending == ["update"])
    }

    @Test func `a hold stops what is queued, and the next revision releases`() {
        var harness = CoreHarness()
        harness.take(.sample("a1", story: "a", embargo: "2026-03-02T09:00:00Z"))
        harness.take(.sample("a2", story: "a", revision: 2, kind: .hold, categories: []))
        #expect(harness.verdicts == ["a1: suppressed.hold", "a2: suppressed.hold"])
        harness.confirmAll()
        harness.take(.sample("a3", story: "a", revision: 3, embargo: "2026-03-02T08:00:00Z"))
        #expect(harness.sending == ["a3"])
    }

    @Test func `a kill goes to the audience of what was sent, and closes the story`() {
        var harness = CoreHarness()
        harness.take(.sample("a1", story: "a", categories: ["politics"]))
        harness.answer(.accepted)
        harness.take(.sample("a2", story: "a", revision: 2, kind: .kill, categories: []))
        #expect(harness.sends.map(\.expression.description) == ["politics"])
        harness.answer(.accepted)
        harness.take(.sample("a3", story: "a", revision: 3))
        #expect(harness.verdicts == ["a1: sent", "a2: sent", "a3: suppressed.killed"])
    }

    @Test func `a kill of what was never sent stops it and tells nobody`() {
        var harness = CoreHarness()
        harness.take(.sample("a1", story: "a", embargo: "2026-03-02T09:00:00Z"))
        harness.take(.sample("a2", story: "a", revision: 2, kind: .kill, categories: []))
        harness.confirmAll()
        #expect(harness.verdicts == ["a1: superseded.killed", "a2: suppressed.never_sent"])
        #expect(harness.sends.isEmpty)
    }

    @Test func `a kill waits for what is in flight, so that it knows whom to tell`() {
        var harness = CoreHarness()
        harness.take(.sample("a1", story: "a"))
        harness.take(.sample("a2", story: "a", revision: 2, kind: .kill, categories: []))
        #expect(harness.sending == ["a1"])
        harness.answer(.accepted)
        #expect(harness.sending == ["a2"])
    }

    @Test func `an embargoed event goes at its instant`() {
        var harness = CoreHarness()
        harness.take(.sample("a", embargo: "2026-03-02T08:10:00Z"))
        #expect(harness.announced.map(\.verdict.reason) == ["held.embargo"])
        harness.pass(.seconds(599))
        #expect(harness.sends.isEmpty)
        #expect(harness.core.nextTimer(now: harness.now) == harness.now.instant + .seconds(1))
        harness.pass(.seconds(1))
        #expect(harness.sending == ["a"])
    }

    @Test func `an embargo that ends goes before the backlog of its lane`() {
        let limits = Governor.Limits(concurrency: 1, expressReserve: 0)
        var harness = CoreHarness(PublishingConfiguration(limits: limits, commitInterval: .zero))
        harness.take(.sample("later", embargo: "2026-03-02T08:10:00Z"))
        harness.take((0..<5).map { .sample("n\($0)") })
        harness.pass(.seconds(600))
        #expect(harness.sending == ["n0"])
        harness.answer(.accepted)
        #expect(harness.sending == ["later"])
    }
}
