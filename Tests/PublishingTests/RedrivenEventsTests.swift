import NewsflashEvents
import NewsflashPublishing
import NewsflashTimestamps
import Testing

/// Failed events that arrive again unchanged, at a later offset of the source.
@Suite(.timeLimit(.minutes(1)))
struct RedrivenEventsTests {
    /// A newsroom in which events without a known category have failed.
    private func harness(after events: [NewsEvent]) -> CoreHarness {
        var harness = CoreHarness()
        harness.receive(events)
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
    func `a failed event is sent when it arrives again, and only once`(hasCrashed: Bool) {
        var harness = harness(after: [broken("a", story: "s")])
        #expect(harness.verdicts == ["a: invalid.unmapped"])
        if hasCrashed { harness.crash() }
        harness.receive(mended("a", story: "s"))
        harness.finishAll()
        // A second copy, as if two people redrive at once.
        harness.receive(mended("a", story: "s"))
        harness.finishAll()
        #expect(harness.verdicts.suffix(2) == ["a: sent", "a: duplicate.id"])
    }

    @Test func `only the latest of several failed revisions is sent`() {
        var harness = harness(after: [broken("a1", story: "s"), broken("a2", story: "s", revision: 2)])
        harness.receive(mended("a1", story: "s"), mended("a2", story: "s", revision: 2))
        harness.finishAll()
        #expect(harness.verdicts.suffix(2) == ["a1: superseded.revision", "a2: sent"])
    }

    @Test func `a failed revision is not sent after a newer one`() {
        var harness = harness(after: [broken("a1", story: "s"), mended("a2", story: "s", revision: 2)])
        harness.receive(mended("a1", story: "s"))
        harness.finishAll()
        #expect(harness.verdicts.last == "a1: superseded.revision")
    }

    @Test func `only one of two failed events of one revision is sent when they arrive again`() {
        var harness = harness(after: [broken("a", story: "s"), broken("b", story: "s")])
        harness.receive(mended("a", story: "s"))
        harness.finishAll()
        harness.receive(mended("b", story: "s"))
        harness.finishAll()
        #expect(harness.verdicts.suffix(2).first == "a: sent")
        #expect(harness.verdicts.last == "b: invalid.revision_conflict")
    }

    @Test func `a failed withdrawal is sent when it arrives again`() {
        var harness = harness(after: [mended("a", story: "s")])
        let kill = mended("k", story: "s", revision: 2, kind: .kill)
        harness.receive(kill)
        harness.answer(.refused)
        harness.confirmAll()
        harness.receive(kill)
        harness.finishAll()
        #expect(harness.verdicts == ["a: sent", "k: failed.refused", "k: sent"])
    }
}
