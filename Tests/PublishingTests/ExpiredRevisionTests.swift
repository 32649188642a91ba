import NewsflashEvents
import NewsflashPublishing
import Testing

/// A newer version of news whose times end the story.
@Suite(.timeLimit(.minutes(1)))
struct ExpiredRevisionTests {
    private static let embargo = "2026-03-02T09:00:00Z"

    /// The times of the newer version, with its outcome.
    enum Times: CaseIterable {
        case overBeforePublished, overBeforeEmbargo, overAlready

        var event: NewsEvent {
            switch self {
            case .overBeforePublished: .sample("a2", story: "a", revision: 2, expires: "2026-03-02T07:00:00Z")
            case .overBeforeEmbargo:
                .sample("a2", story: "a", revision: 2, embargo: embargo, expires: "2026-03-02T08:30:00Z")
            case .overAlready:
                .sample(
                    "a2",
                    story: "a",
                    revision: 2,
                    published: "2026-03-02T06:00:00Z",
                    expires: "2026-03-02T07:00:00Z"
                )
            }
        }

        var reasons: [String] {
            self == .overAlready
                ? ["a1: superseded.revision", "a2: expired.explicit"] : ["a1: suppressed.hold", "a2: invalid.times"]
        }
    }

    @Test(arguments: Times.allCases, [false, true])
    func `a waiting event of the story is stopped, and is not sent later`(_ times: Times, crashes: Bool) {
        var harness = CoreHarness()
        let first = NewsEvent.sample("a1", story: "a", embargo: Self.embargo)
        harness.receive(first)
        harness.confirmAll()
        harness.receive(times.event)
        #expect(harness.verdicts == times.reasons)
        harness.confirmAll()
        if crashes { harness.crash() }
        harness.receive(first)
        harness.confirmAll()
        harness.pass(.seconds(3700))
        #expect(harness.sends.isEmpty)
        harness.receive(.sample("a3", story: "a", revision: 3))
        #expect(harness.sending == ["a3"])
    }

    @Test(arguments: [false, true])
    func `an expired version is sent after its times are corrected`(crashes: Bool) {
        var harness = CoreHarness()
        harness.receive(Times.overBeforePublished.event)
        harness.confirmAll()
        if crashes { harness.crash() }
        harness.receive(.sample("a2", story: "a", revision: 2))
        #expect(harness.sending == ["a2"])
    }

    @Test func `an older version and one that would not be sent do not stop waiting news`() {
        var harness = CoreHarness()
        harness.receive(.sample("a3", story: "a", revision: 3, embargo: Self.embargo))
        harness.receive(Times.overBeforePublished.event)
        var later = Times.overBeforePublished.event
        later.revision = 4
        later.mode = .backfill
        harness.receive(later)
        harness.confirmAll()
        harness.pass(.seconds(3700))
        #expect(harness.sending == ["a3"])
    }

    @Test func `a withdrawn story stays withdrawn`() {
        var harness = CoreHarness()
        harness.receive(.sample("k", story: "a", kind: .kill))
        harness.answer(.accepted)
        harness.confirmAll()
        harness.receive(Times.overBeforePublished.event)
        harness.confirmAll()
        #expect(harness.ledger["a"]?.record.phase == .killed)
        harness.receive(.sample("a3", story: "a", revision: 3))
        #expect(harness.verdicts.suffix(2) == ["a2: invalid.times", "a3: suppressed.killed"])
    }
}
