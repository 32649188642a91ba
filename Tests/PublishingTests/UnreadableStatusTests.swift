import NewsEvents
import Publishing
import Testing
import Timestamps

/// A status that nobody knows may be a withdrawal, and a feed carries more than news to push.
@Suite(.timeLimit(.minutes(1)))
struct UnreadableStatusTests {
    private static let rejection = EventRejection(
        .status,
        "/pubstatus: 'cancelled' is none of usable, withheld, canceled",
        id: "a2",
        source: "wire",
        story: "a",
        revision: 2,
        holdsStory: true
    )

    @Test func `what waits of its story is stopped, and the record goes to the dead letters`() {
        var harness = CoreHarness()
        harness.take(.sample("a1", story: "a", embargo: "2026-03-02T09:00:00Z"))
        harness.confirmAll()
        harness.takeContents([.rejected(Self.rejection)])
        #expect(harness.verdicts == ["a1: suppressed.hold", "a2: invalid.pubstatus"])
        harness.rememberAll()
        #expect(harness.writes.compactMap(\.deadLetter) == [.decode])
        harness.confirmAll()
        #expect(harness.ledger["a"]?.record.phase == .held)
        harness.pass(.seconds(3600))
        #expect(harness.sends.isEmpty)
        #expect(harness.committed == 2)
    }

    @Test func `the next revision that can be read releases the story`() {
        var harness = CoreHarness()
        harness.takeContents([.rejected(Self.rejection)])
        harness.confirmAll()
        harness.crash()
        harness.take(.sample("a3", story: "a", revision: 3))
        #expect(harness.sending == ["a3"])
    }

    @Test func `what is not for push ends quietly and leaves its story as it is`() {
        var harness = CoreHarness()
        var video = NewsEvent.sample("a1", story: "a")
        video.withheld = "suppressed.not_for_push"
        harness.take(video)
        #expect(harness.verdicts == ["a1: suppressed.not_for_push"])
        harness.rememberAll()
        #expect(harness.writes.compactMap(\.deadLetter).isEmpty)
        harness.confirmAll()
        harness.take(.sample("a2", story: "a", revision: 1))
        #expect(harness.sending == ["a2"])
    }
}
