import NewsEvents
import Publishing
import Testing
import Timestamps

/// A revision without an embargo comes while that of an earlier revision is ahead.
@Suite(.timeLimit(.minutes(1)))
struct EmbargoDroppedTests {
    private var harness = CoreHarness()

    private static func news(_ revision: Int64, embargo: String? = nil, kind: EventKind = .alert) -> NewsEvent {
        .sample("a\(revision)", story: "a", revision: revision, kind: kind, embargo: embargo)
    }

    private mutating func release(_ scope: HoldScope) {
        harness.order(ControlRecord(.release, scope, by: .person("novak"), reason: "a test", at: harness.now.wall))
    }

    /// Revision 1 has an embargo of half an hour, and revision 2 has none.
    private mutating func drop() {
        harness.take(Self.news(1, embargo: "2026-03-02T08:30:00Z"))
        harness.confirmAll()
        harness.pass(.seconds(60))
        harness.take(Self.news(2))
        harness.confirmAll()
    }

    @Test(arguments: [false, true])
    mutating func `it waits, also after a crash and when the time has passed`(crashes: Bool) {
        drop()
        #expect(harness.announced.map(\.verdict.reason) == ["held.embargo", "held.embargo_dropped"])
        #expect(harness.verdicts == ["a1: superseded.revision"])
        if crashes { harness.crash() }
        harness.pass(.seconds(3600))
        #expect(harness.sends.isEmpty)
        // Its life of two hours counts from the embargo.
        harness.pass(.seconds(5000))
        #expect(harness.verdicts.last != "a2: expired.ttl")
        harness.pass(.seconds(1000))
        #expect(harness.verdicts.suffix(1) == ["a2: expired.ttl"])
    }

    @Test(arguments: [nil, "2026-03-02T08:00:30Z", "2026-03-02T08:45:00Z"] as [String?])
    mutating func `a revision that names an embargo decides, and one without waits as well`(_ embargo: String?) {
        drop()
        harness.take(Self.news(3, embargo: embargo))
        harness.confirmAll()
        #expect(harness.sending == (embargo == "2026-03-02T08:00:30Z" ? ["a3"] : []))
        harness.pass(.seconds(3000))
        #expect(harness.sending == (embargo == nil ? [] : ["a3"]))
    }

    @Test mutating func `a revision that comes when the embargo is over goes at once`() {
        drop()
        harness.pass(.seconds(1800))
        harness.take(Self.news(3))
        harness.confirmAll()
        #expect(harness.sending == ["a3"])
    }

    @Test mutating func `a person resumes the story, and not its source or everything`() {
        drop()
        release(.all)
        release(.source("https://cms.example.org/desk"))
        release(.story("b"))
        #expect(harness.sends.isEmpty)
        release(.story("a"))
        #expect(harness.sending == ["a2"])
        harness.finishAll()
        #expect(harness.verdicts.suffix(1) == ["a2: sent"])
    }

    @Test(arguments: [true, false])
    mutating func `a story that is resumed while no worker runs goes on, and an older release does not count`(
        isResumed: Bool
    ) {
        release(.story("a"))
        harness.pass(.seconds(1))
        drop()
        if isResumed {
            harness.orders.append(
                ControlRecord(.release, .story("a"), by: .person("novak"), reason: "", at: harness.now.wall)
            )
        }
        harness.crash()
        // Everything that waits for a person is looked at.
        release(.all)
        harness.answerRecalls()
        harness.pass(.seconds(60))
        #expect(harness.sending == (isResumed ? ["a2"] : []))
    }

    @Test mutating func `the embargo is known after a crash`() {
        harness.take(Self.news(1, embargo: "2026-03-02T08:30:00Z"))
        harness.confirmAll()
        harness.crash()
        harness.take(Self.news(2))
        harness.confirmAll()
        #expect(harness.announced.suffix(1).map(\.verdict.reason) == ["held.embargo_dropped"])
    }

    @Test mutating func `it waits although its source was paused when the revision with the embargo came`() {
        let desk = HoldScope.source("https://cms.example.org/desk")
        harness.order(ControlRecord(.hold, desk, by: .person("novak"), reason: "a test", at: harness.now.wall))
        drop()
        release(desk)
        #expect(harness.sends.isEmpty)
        #expect(harness.announced.suffix(1).map(\.verdict.reason) == ["held.embargo_dropped"])
    }

    @Test(arguments: [false, true])
    mutating func `a kill of it goes to nobody, also after a crash`(crashes: Bool) {
        drop()
        if crashes { harness.crash() }
        harness.take(Self.news(3, kind: .kill))
        harness.confirmAll()
        #expect(harness.sends.isEmpty)
        #expect(harness.verdicts.suffix(2) == ["a2: superseded.killed", "a3: suppressed.never_sent"])
    }

    @Test func `a newsroom may have it sent at once`() {
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.policy.embargoDropped = .send
        var harness = CoreHarness(configuration)
        harness.take(Self.news(1, embargo: "2026-03-02T08:30:00Z"))
        harness.confirmAll()
        harness.take(Self.news(2))
        harness.confirmAll()
        #expect(harness.sending == ["a2"])
    }
}
