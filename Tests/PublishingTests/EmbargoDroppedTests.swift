import NewsflashEvents
import NewsflashPublishing
import NewsflashTimestamps
import Testing

/// A revision without an embargo arrives before the embargo of an earlier revision is over.
@Suite(.timeLimit(.minutes(1)))
struct EmbargoDroppedTests {
    private var harness = CoreHarness()

    private static func news(_ revision: Int64, embargo: String? = nil, kind: EventKind = .alert) -> NewsEvent {
        .sample("a\(revision)", story: "a", revision: revision, kind: kind, embargo: embargo)
    }

    /// The event at an offset.
    private static func event(at offset: Int64) -> PauseScope {
        .event(ResumedEvent(id: "a\(offset + 1)", story: "a", partition: CoreHarness.partition, offset: offset))
    }

    private func release(of scope: PauseScope) -> ControlRecord {
        ControlRecord(.resume, scope, by: .person("novak"), reason: "a test", at: harness.now.wall)
    }

    private mutating func release(_ scope: PauseScope) { harness.order(release(of: scope)) }

    /// Revision 1 has an embargo of half an hour, and revision 2 has none.
    private mutating func drop() {
        harness.receive(Self.news(1, embargo: "2026-03-02T08:30:00Z"))
        harness.confirmAll()
        harness.pass(.seconds(60))
        harness.receive(Self.news(2))
        harness.confirmAll()
    }

    @Test(arguments: [false, true])
    mutating func `a revision without an embargo waits, also after a crash and after the earlier embargo`(crashes: Bool)
    {
        drop()
        #expect(harness.announced.map(\.verdict.reason) == ["held.embargo", "held.embargo_dropped"])
        #expect(harness.verdicts == ["a1: superseded.revision"])
        if crashes { harness.crash() }
        harness.pass(.seconds(3600))
        #expect(harness.sends.isEmpty)
        // Its time to live of two hours counts from the embargo.
        harness.pass(.seconds(5000))
        #expect(harness.verdicts.last != "a2: expired.ttl")
        harness.pass(.seconds(1000))
        #expect(harness.verdicts.suffix(1) == ["a2: expired.ttl"])
    }

    @Test(arguments: [nil, "2026-03-02T08:00:30Z", "2026-03-02T08:45:00Z"] as [String?])
    mutating func `a revision with an embargo replaces the waiting one, and one without waits as well`(
        _ embargo: String?
    ) {
        drop()
        harness.receive(Self.news(3, embargo: embargo))
        harness.confirmAll()
        #expect(harness.sending == (embargo == "2026-03-02T08:00:30Z" ? ["a3"] : []))
        harness.pass(.seconds(3000))
        #expect(harness.sending == (embargo == nil ? [] : ["a3"]))
    }

    @Test mutating func `a revision that arrives after the embargo is sent at once`() {
        drop()
        harness.pass(.seconds(1800))
        harness.receive(Self.news(3))
        harness.confirmAll()
        #expect(harness.sending == ["a3"])
    }

    @Test mutating func `an event is sent if a person resumes it, but not if its source or everything is resumed`() {
        drop()
        release(.all)
        release(.source("https://cms.example.org/desk"))
        release(Self.event(at: 0))
        #expect(harness.sends.isEmpty)
        release(Self.event(at: 1))
        #expect(harness.sending == ["a2"])
        harness.finishAll()
        #expect(harness.verdicts.suffix(1) == ["a2: sent"])
    }

    @Test(arguments: [true, false])
    mutating func `an event resumed while no worker runs is sent`(isResumed: Bool) {
        drop()
        if isResumed { harness.orders.append(release(of: Self.event(at: 1))) }
        harness.crash()
        // All events that wait for a person are examined.
        release(.all)
        harness.answerRecalls()
        harness.pass(.seconds(60))
        #expect(harness.sending == (isResumed ? ["a2"] : []))
    }

    @Test mutating func `the earlier embargo is kept after a crash`() {
        harness.receive(Self.news(1, embargo: "2026-03-02T08:30:00Z"))
        harness.confirmAll()
        harness.crash()
        harness.receive(Self.news(2))
        harness.confirmAll()
        #expect(harness.announced.suffix(1).map(\.verdict.reason) == ["held.embargo_dropped"])
    }

    @Test mutating func `a revision waits although its source was paused when the embargoed one arrived`() {
        let desk = PauseScope.source("https://cms.example.org/desk")
        harness.order(ControlRecord(.pause, desk, by: .person("novak"), reason: "a test", at: harness.now.wall))
        drop()
        release(desk)
        #expect(harness.sends.isEmpty)
        #expect(harness.announced.suffix(1).map(\.verdict.reason) == ["held.embargo_dropped"])
    }

    @Test(arguments: [false, true])
    mutating func `a kill of the waiting revision notifies nobody, also after a crash`(crashes: Bool) {
        drop()
        if crashes { harness.crash() }
        harness.receive(Self.news(3, kind: .kill))
        harness.confirmAll()
        #expect(harness.sends.isEmpty)
        #expect(harness.verdicts.suffix(2) == ["a2: superseded.killed", "a3: suppressed.never_sent"])
    }

    @Test func `a newsroom can configure that a revision without the embargo is sent at once`() {
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.policy.embargoDropped = .send
        var harness = CoreHarness(configuration)
        harness.receive(Self.news(1, embargo: "2026-03-02T08:30:00Z"))
        harness.confirmAll()
        harness.receive(Self.news(2))
        harness.confirmAll()
        #expect(harness.sending == ["a2"])
    }
}
