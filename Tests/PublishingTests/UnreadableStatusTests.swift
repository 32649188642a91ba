import NewsflashEvents
import NewsflashPublishing
import NewsflashTimestamps
import Testing

/// An unknown status may be a withdrawal, and a feed contains more than news to push.
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

    @Test func `an unknown status stops waiting events of its story, and the record goes to the dead letters`() {
        var harness = CoreHarness()
        harness.receive(.sample("a1", story: "a", embargo: "2026-03-02T09:00:00Z"))
        harness.confirmAll()
        harness.receiveContents([.rejected(Self.rejection)])
        #expect(harness.verdicts == ["a1: suppressed.hold", "a2: invalid.pubstatus"])
        harness.rememberAll()
        #expect(harness.writes.compactMap(\.deadLetter) == [.decode])
        harness.confirmAll()
        #expect(harness.ledger["a"]?.record.phase == .held)
        harness.pass(.seconds(3600))
        #expect(harness.sends.isEmpty)
        #expect(harness.committed == 2)
    }

    @Test func `the next readable revision of the story is sent`() {
        var harness = CoreHarness()
        harness.receiveContents([.rejected(Self.rejection)])
        harness.confirmAll()
        harness.crash()
        harness.receive(.sample("a3", story: "a", revision: 3))
        #expect(harness.sending == ["a3"])
    }

    @Test(arguments: [EventKind.hold, nil] as [EventKind?], [false, true])
    func `an older revision or the stopped one is not sent`(
        _ valid: EventKind?,
        crashes: Bool
    ) {
        var harness = CoreHarness()
        let stopped = NewsEvent.sample("a1", story: "a", embargo: "2026-03-02T09:00:00Z")
        harness.receive(stopped)
        harness.confirmAll()
        if valid != nil {
            harness.receive(.sample("a2", story: "a", revision: 2, kind: .hold))
        } else {
            harness.receiveContents([.rejected(Self.rejection)])
        }
        harness.confirmAll()
        if crashes { harness.crash() }
        harness.receive(stopped)
        harness.receive(.sample("a0", story: "a", revision: 1))
        harness.confirmAll()
        harness.pass(.seconds(3700))
        #expect(harness.sends.isEmpty)
        harness.receive(.sample("a3", story: "a", revision: 3))
        #expect(harness.sending == ["a3"])
    }

    @Test func `a stopped event is not sent after a hold without a revision`() {
        var harness = CoreHarness()
        let stopped = NewsEvent.sample("a2", story: "a", revision: 2, embargo: "2026-03-02T09:00:00Z")
        harness.receive(stopped)
        harness.confirmAll()
        var rejection = Self.rejection
        rejection.id = "h"
        rejection.revision = nil
        harness.receiveContents([.rejected(rejection)])
        harness.receive(stopped)
        harness.receive(.sample("a1", story: "a", revision: 1))
        harness.confirmAll()
        harness.pass(.seconds(3700))
        #expect(harness.sends.isEmpty)
        #expect(
            harness.verdicts == [
                "a2: suppressed.hold", "h: invalid.pubstatus", "a2: duplicate.id", "a1: superseded.revision",
            ]
        )
    }

    @Test(arguments: [false, true])
    func `a withheld revision may be sent later under the same number`(wasSent: Bool) {
        var harness = CoreHarness()
        if wasSent {
            harness.receive(.sample("a1", story: "a"))
            harness.answer(.accepted)
        }
        harness.receive(.sample("a2!withheld", story: "a", revision: 2, kind: .hold))
        harness.confirmAll()
        harness.receive(.sample("a2", story: "a", revision: 2))
        #expect(harness.sending == ["a2"])
    }

    @Test func `a withdrawal that notifies nobody stops waiting events of its story`() {
        var harness = CoreHarness()
        harness.receive(.sample("a1", story: "a", embargo: "2026-03-02T09:00:00Z"))
        var kill = NewsEvent.sample("k", story: "a", revision: 2, kind: .kill)
        kill.mode = .backfill
        harness.receive(kill)
        harness.confirmAll()
        harness.pass(.seconds(3700))
        #expect(harness.sends.isEmpty)
    }

    @Test func `an event that is not for push ends without a dead letter and does not change its story`() {
        var harness = CoreHarness()
        var video = NewsEvent.sample("a1", story: "a")
        video.withheld = "suppressed.not_for_push"
        harness.receive(video)
        #expect(harness.verdicts == ["a1: suppressed.not_for_push"])
        harness.rememberAll()
        #expect(harness.writes.compactMap(\.deadLetter).isEmpty)
        harness.confirmAll()
        harness.receive(.sample("a2", story: "a", revision: 1))
        #expect(harness.sending == ["a2"])
    }
}
