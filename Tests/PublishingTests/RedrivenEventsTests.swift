import NewsEvents
import Publishing
import Testing
import Timestamps

/// Events that failed and come again as they were, at a later place of the source.
@Suite(.timeLimit(.minutes(1)))
struct RedrivenEventsTests {
    /// A newsroom in which events without a known category have failed.
    private func harness(after events: [NewsEvent]) -> CoreHarness {
        var harness = CoreHarness()
        harness.take(events)
        harness.finishAll()
        return harness
    }

    private func broken(_ id: String, story: String, revision: Int64 = 1, kind: EventKind = .alert) -> NewsEvent {
        .sample(id, story: story, revision: revision, kind: kind, categories: ["unknown"])
    }

    private func mended(_ id: String, story: String, revision: Int64 = 1, kind: EventKind = .alert) -> NewsEvent {
        .sample(id, story: story, revision: revision, kind: kind)
    }

    @Test(arguments: [false, true])
    func `an event that failed is told when it comes again, and once only`(hasCrashed: Bool) {
        var harness = harness(after: [broken("a", story: "s")])
        #expect(harness.verdicts == ["a: invalid.unmapped"])
        if hasCrashed { harness.crash() }
        harness.take(mended("a", story: "s"))
        harness.finishAll()
        // A second copy, as of two people who redrive at once.
        harness.take(mended("a", story: "s"))
        harness.finishAll()
        #expect(harness.verdicts.suffix(2) == ["a: sent", "a: duplicate.id"])
    }

    @Test func `of revisions that all failed the latest is told`() {
        var harness = harness(after: [broken("a1", story: "s"), broken("a2", story: "s", revision: 2)])
        harness.take(mended("a1", story: "s"), mended("a2", story: "s", revision: 2))
        harness.finishAll()
        #expect(harness.verdicts.suffix(2) == ["a1: superseded.revision", "a2: sent"])
    }

    @Test func `what the story has left behind is not told late`() {
        var harness = harness(after: [broken("a1", story: "s"), mended("a2", story: "s", revision: 2)])
        harness.take(mended("a1", story: "s"))
        harness.finishAll()
        #expect(harness.verdicts.last == "a1: superseded.revision")
    }

    @Test func `two events of one revision that failed are one when they come again`() {
        var harness = harness(after: [broken("a", story: "s"), broken("b", story: "s")])
        harness.take(mended("a", story: "s"))
        harness.finishAll()
        harness.take(mended("b", story: "s"))
        harness.finishAll()
        #expect(harness.verdicts.suffix(2).first == "a: sent")
        #expect(harness.verdicts.last == "b: invalid.revision_conflict")
    }

    @Test func `a withdrawal that failed is told when it comes again`() {
        var harness = harness(after: [mended("a", story: "s")])
        let kill = mended("k", story: "s", revision: 2, kind: .kill)
        harness.take(kill)
        harness.answer(.refused)
        harness.confirmAll()
        harness.take(kill)
        harness.finishAll()
        #expect(harness.verdicts == ["a: sent", "k: failed.refused", "k: sent"])
    }
}
