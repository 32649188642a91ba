import NewsflashEvents
import NewsflashPublishing
import NewsflashRendering
import NewsflashTestSupport
import NewsflashTimestamps
import NotificationHubs
import Testing

/// Caps, volume limits and quiet hours in the core.
@Suite(.timeLimit(.minutes(1)))
struct AudibilityTests {
    private static func harness(_ change: (inout AdmissionPolicy) -> Void) -> CoreHarness {
        var configuration = PublishingConfiguration(commitInterval: .zero)
        change(&configuration.policy)
        return CoreHarness(configuration, planner: LoudPlanner())
    }

    // MARK: - Caps

    private static let perStory = AudibleLimit(category: nil, rate: Rate(2, per: .seconds(600)), scope: .story)
    private static let sports = AudibleLimit(category: "sports", rate: Rate(2, per: .seconds(600)))

    /// Sends a revision to its end, and lets a minute pass.
    private static func tell(_ number: Int, story: String, kind: EventKind = .alert, to harness: inout CoreHarness) {
        let id = "\(story)\(number)"
        harness.receive(.sample(id, story: story, revision: Int64(number), kind: kind, categories: ["sports"]))
        harness.finishAll()
        harness.pass(.seconds(60))
    }

    @Test func `the third loud push of a story in ten minutes is silent, also after a crash`() {
        var harness = Self.harness { $0.caps = [Self.perStory] }
        Self.tell(1, story: "a", to: &harness)
        Self.tell(2, story: "a", to: &harness)
        harness.crash()
        Self.tell(3, story: "a", to: &harness)
        Self.tell(1, story: "b", to: &harness)
        #expect(harness.ended.map(\.isLoud) == [true, true, false, true])
        #expect(harness.ended[2].warnings == ["cap.silent"])
    }

    @Test func `a silent push does not count, and after ten minutes a push is loud again`() {
        var harness = Self.harness { $0.caps = [Self.perStory] }
        for number in 1...4 { Self.tell(number, story: "a", to: &harness) }
        harness.pass(.seconds(420))
        Self.tell(5, story: "a", to: &harness)
        #expect(harness.ended.map(\.isLoud) == [true, true, false, false, true])
    }

    @Test func `each of two caps on a category keeps its counts after a reload`() {
        let daily = AudibleLimit(category: "sports", rate: Rate(3, per: .seconds(86_400)))
        var harness = Self.harness { $0.caps = [daily, Self.sports] }
        for number in 1...3 {
            Self.tell(number, story: "a", to: &harness)
            harness.pass(.seconds(600))
        }
        harness.core.adopt(RuleSet(harness.core.configuration, planner: LoudPlanner()))
        Self.tell(4, story: "a", to: &harness)
        #expect(harness.ended.map(\.isLoud) == [true, true, true, false])
    }

    @Test func `a flash is never capped`() {
        var harness = Self.harness { $0.caps = [Self.perStory] }
        for number in 1...3 { Self.tell(number, story: "a", kind: .flash, to: &harness) }
        #expect(harness.ended.map(\.isLoud) == [true, true, true])
    }

    @Test func `a cap on a category counts all its stories, also in flight and from before a restart`() {
        var harness = Self.harness { $0.caps = [Self.sports] }
        Self.tell(1, story: "a", to: &harness)
        harness.crash()
        harness.receive(.sample("b", categories: ["sports"]), .sample("c", categories: ["sports"]))
        harness.receive(.sample("d", categories: ["world"]))
        harness.finishAll()
        #expect(harness.ended.map { "\($0.event): \($0.isLoud)" } == ["a1: true", "b: true", "c: false", "d: true"])
    }

    // MARK: - Volume limits

    @Test func `a source that sends too much is paused on every worker`() {
        var harness = Self.harness { $0.volumeLimits.perSource = Rate(2, per: .seconds(600)) }
        for id in ["a", "b", "c", "d"] { harness.receive(.sample(id)) }
        #expect(harness.sending == ["a", "b"])
        #expect(harness.orders.map(\.author) == [.volumeLimit])
        #expect(harness.orders.first?.act == .pause)
        #expect(harness.announced.map(\.verdict.reason) == ["held.volume_limit", "held.volume_limit"])
    }

    /// A person resumes the source of the samples, with a clock that may be wrong.
    private static func resume(clock skew: Duration = .zero, _ harness: inout CoreHarness) {
        harness.order(resume(at: harness.now.wall + skew))
    }

    private static func resume(at: Timestamp) -> ControlRecord {
        let source = NewsEvent.sample("a").source
        return ControlRecord(.resume, .source(source), by: .person("novak"), reason: "a test", at: at)
    }

    @Test
    func `a volume limit survives a restart, and a resume sends waiting news without another pause`() {
        var harness = Self.harness { $0.volumeLimits.perSource = Rate(2, per: .seconds(600)) }
        for id in ["a", "b", "c"] { harness.receive(.sample(id)) }
        harness.finishAll()
        harness.crash(after: .seconds(60))
        #expect(harness.sends.isEmpty)
        Self.resume(&harness)
        #expect(harness.sending == ["c"])
        harness.finishAll()
        harness.receive(.sample("d"))
        #expect(harness.sending == ["d"])
    }

    @Test(arguments: [-600, 0, 600])
    func `a resume sends all news stopped by a limit, with any clock, and counts from zero`(skew: Int) {
        var harness = Self.harness { $0.volumeLimits.perSource = Rate(2, per: .seconds(600)) }
        for id in ["a", "b", "c", "d", "e", "f"] { harness.receive(.sample(id)) }
        harness.finishAll()
        Self.resume(clock: .seconds(skew), &harness)
        #expect(harness.sending == ["c", "d", "e", "f"])
        harness.finishAll()
        for id in ["g", "h", "i"] { harness.receive(.sample(id)) }
        #expect(harness.sending == ["g", "h"])
    }

    @Test(arguments: [-600, 0, 600])
    func `a resume sends all news with the same words, with any clock`(skew: Int) {
        var harness = Self.harness { $0.volumeLimits.sameText = Rate(1, per: .seconds(600)) }
        for id in ["a", "b", "c"] { harness.receive(.sample(id, headline: "The same")) }
        harness.finishAll()
        #expect(harness.sending.isEmpty)
        Self.resume(clock: .seconds(skew), &harness)
        #expect(harness.sending == ["b", "c"])
        harness.finishAll()
        harness.receive(.sample("d", headline: "The same"))
        #expect(harness.sending == ["d"])
        harness.receive(.sample("e", headline: "The same"))
        #expect(harness.sending == ["d"])
    }

    @Test func `sends before a resume do not count at a worker that starts after it`() {
        var harness = Self.harness { $0.volumeLimits.perSource = Rate(2, per: .seconds(600)) }
        for id in ["a", "b", "c"] { harness.receive(.sample(id)) }
        harness.finishAll()
        harness.pass(.seconds(10))
        Self.resume(&harness)
        harness.finishAll()
        harness.crash(after: .seconds(10))
        harness.receive(.sample("d"))
        #expect(harness.sending == ["d"])
    }

    @Test func `resumed news is not stopped again by a flash sent before it`() {
        var harness = Self.harness { $0.volumeLimits.perSource = Rate(1, per: .seconds(600)) }
        for id in ["a", "b"] { harness.receive(.sample(id)) }
        harness.finishAll()
        harness.orders.append(Self.resume(at: harness.now.wall))
        harness.core.controlled(.order(harness.orders[1], at: 1), now: harness.now)
        harness.receive(.sample("flash", kind: .flash))
        #expect(harness.sending == ["flash", "b"])
    }

    @Test func `a resume by a fast clock does not hide later sends of another worker`() {
        let limit = Rate(2, per: .seconds(600))
        var harness = Self.harness { $0.volumeLimits.perSource = limit }
        Self.resume(clock: .seconds(600), &harness)
        harness.crash()
        harness.pass(.seconds(60))
        var other = Self.harness { $0.volumeLimits.perSource = limit }
        other.now = harness.now
        for id in ["a", "b"] { other.receive(.sample(id)) }
        other.finishAll()
        harness.pass(.seconds(10))
        harness.ledger = other.ledger
        harness.own()
        harness.receive(.sample("c"))
        #expect(harness.sends.isEmpty)
    }

    @Test func `only a resume after the worker's own pause in the topic has an effect`() {
        var harness = Self.harness { $0.volumeLimits.perSource = Rate(2, per: .seconds(600)) }
        harness.writesOrders = false
        for id in ["a", "b", "c"] { harness.receive(.sample(id)) }
        harness.finishAll()
        Self.resume(&harness)
        #expect(harness.sends.isEmpty)
        harness.writeOwnOrder()
        #expect(harness.sends.isEmpty)
        Self.resume(&harness)
        #expect(harness.sending == ["c"])
    }

    @Test func `a pause that the topic refused ends with the next resume`() {
        var harness = Self.harness { $0.volumeLimits.perSource = Rate(2, per: .seconds(600)) }
        harness.writesOrders = false
        for id in ["a", "b", "c"] { harness.receive(.sample(id)) }
        harness.finishAll()
        harness.writeOwnOrder(isRefused: true)
        #expect(harness.sends.isEmpty)
        Self.resume(&harness)
        #expect(harness.sending == ["c"])
    }

    // MARK: - Clocks

    /// Sets the civil clock, while the monotonic one goes on.
    private static func set(clock change: Duration, of harness: inout CoreHarness) {
        harness.now.wall = harness.now.wall + change
        harness.perform()
    }

    @Test(arguments: [true, false])
    func `after a resume, pushes dated in the future by a wrong clock do not exhaust a limit`(isRestarted: Bool) {
        var harness = Self.harness { $0.volumeLimits.perSource = Rate(2, per: .seconds(600)) }
        Self.set(clock: .seconds(3600), of: &harness)
        for id in ["a", "b", "c"] { harness.receive(.sample(id)) }
        harness.finishAll()
        Self.set(clock: .seconds(-3600), of: &harness)
        if isRestarted { harness.crash(after: .seconds(1)) }
        harness.pass(.seconds(60))
        #expect(harness.sends.isEmpty)
        Self.resume(&harness)
        #expect(harness.sending == ["c"])
        harness.finishAll()
        harness.pass(.seconds(1))
        for id in ["d", "e"] {
            harness.receive(.sample(id))
            #expect(harness.sending == [id])
            harness.finishAll()
        }
        harness.crash(after: .seconds(1))
        harness.receive(.sample("f"))
        #expect(harness.sending.isEmpty, "two pushes since the resume are counted after a restart too")
    }

    @Test func `a limit keeps its counts when the clock is set`() {
        for change in [Duration.seconds(3600), .seconds(-3600)] {
            var harness = Self.harness { $0.volumeLimits.all = Rate(2, per: .seconds(600)) }
            for id in ["a", "b"] { harness.receive(.sample(id)) }
            harness.finishAll()
            harness.pass(.seconds(60))
            Self.set(clock: change, of: &harness)
            harness.receive(.sample("c", published: harness.now.wall.rfc3339))
            #expect(harness.sends.isEmpty, "\(change)")
        }
    }

    @Test(arguments: [true, false])
    func `pushes dated in the future by a wrong clock do not exhaust a cap`(isPerStory: Bool) {
        var harness = Self.harness { $0.caps = [isPerStory ? Self.perStory : Self.sports] }
        Self.set(clock: .seconds(3600), of: &harness)
        for number in 1...2 { Self.tell(number, story: "a", to: &harness) }
        Self.set(clock: .seconds(-3600), of: &harness)
        harness.crash(after: .seconds(1))
        Self.tell(3, story: "a", to: &harness)
        #expect(harness.ended.map(\.isLoud) == [true, true, true])
    }

    @Test func `the same words in another story wait for a person, and other news is sent`() {
        var harness = Self.harness { $0.volumeLimits.sameText = Rate(1, per: .seconds(600)) }
        var again = NewsEvent.sample("b")
        again.text = NewsEvent.sample("a").text
        var other = NewsEvent.sample("c")
        other.text = [EventText(language: "en", headline: "Something else")]
        harness.receive(.sample("a"))
        harness.finishAll()
        harness.receive(again, other)
        #expect(harness.sending == ["c"])
        #expect(harness.announced.map(\.verdict.reason) == ["held.volume_limit"])
        #expect(harness.orders.isEmpty)
    }

    @Test func `the same words wait for a person at both hubs, also at one that has its turn after the limit's time`() {
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.policy.volumeLimits.sameText = Rate(1, per: .seconds(600))
        configuration.hubs = [HubRole("north"), HubRole("south")]
        configuration.limits.concurrency = 1
        var harness = CoreHarness(configuration, planner: EveryHubPlanner())
        harness.receive(.sample("busy", headline: "Something else"))
        harness.answer(.accepted, at: 0)
        for id in ["a", "b"] { harness.receive(.sample(id, headline: "The same")) }
        harness.answer(.accepted, at: 0)
        harness.pass(.seconds(601))
        for _ in ["busy", "a"] { harness.answer(.accepted, at: 1) }
        #expect(harness.sends.isEmpty)
        #expect(harness.verdicts == ["busy: sent", "a: sent"])
        Self.resume(&harness)
        #expect(harness.sending == ["b", "b"])
    }

    @Test func `a kill notifies nobody if the news waits because of its words since before an orderly stop`() {
        var harness = Self.harness { $0.volumeLimits.sameText = Rate(1, per: .seconds(600)) }
        for id in ["a", "b"] { harness.receive(.sample(id, headline: "The same")) }
        harness.finishAll()
        harness.confirmAll()
        harness.handOver()
        harness.receive(.sample("kill", story: "story-of-b", revision: 9, kind: .kill, categories: []))
        harness.rememberAll()
        #expect(harness.sends.isEmpty)
        #expect(harness.verdicts.last == "kill: suppressed.never_sent")
    }

    // MARK: - Quiet hours

    /// Quiet hours from 7 to 9; it is 8 o'clock in UTC.
    private static func sleepy() throws -> QuietHours {
        let zone = try TimeZoneRules(name: "UTC", tzif: ZoneFile.bytes(rule: "UTC0").span)
        return QuietHours(hours: try #require(HoursOfDay("07:00-09:00")), zone: zone)
    }

    @Test func `news of low urgency waits in the ledger until quiet hours end`() throws {
        let quiet = try Self.sleepy()
        var harness = Self.harness { $0.quiet = quiet }
        harness.receive(.sample("a", urgency: 4), .sample("b", urgency: 3))
        #expect(harness.sending == ["b"])
        #expect(harness.announced.map(\.verdict.reason) == ["deferred.quiet_hours"])
        harness.finishAll()
        #expect(harness.committed == 2)
        harness.crash(after: .seconds(3000))
        #expect(harness.sends.isEmpty)
        harness.pass(.seconds(600))
        #expect(harness.sending == ["a"])
        #expect(harness.announced.count == 1)
    }

    @Test func `an unconfirmed outcome of a deferred event is written by the next owner before quiet hours end`() throws
    {
        let quiet = try Self.sleepy()
        var harness = Self.harness { $0.quiet = quiet }
        harness.receive(.sample("a1", story: "a"))
        harness.finishAll()
        harness.receive(.sample("a2", story: "a", revision: 2, urgency: 4))
        harness.confirmAll()
        harness.receive(.sample("a3", story: "a", revision: 3, kind: .kill))
        harness.rememberAll()
        #expect(harness.writes.map(\.outcome?.outcome.event) == ["a2"])
        harness.failWrite()
        harness.answerAll(.accepted)
        harness.confirmAll()
        #expect(harness.committed == 3)
        harness.crash()
        harness.answerRecalls()
        harness.rememberAll()
        #expect(harness.writes.map(\.outcome?.outcome.event) == ["a2"])
    }

    @Test func `news that would expire before quiet hours end is sent silently`() throws {
        let quiet = try Self.sleepy()
        var harness = Self.harness { $0.quiet = quiet }
        var news = NewsEvent.sample("a", urgency: 4)
        news.expires = Timestamp(rfc3339: "2026-03-02T08:30:00Z")
        harness.receive(news)
        harness.finishAll()
        #expect(harness.ended.map(\.isLoud) == [false])
        #expect(harness.ended.first?.warnings == ["quiet.silent"])
    }

    @Test func `only subscribers in quiet hours wait, and others are notified at once, also across a crash`() throws {
        var quiet = try Self.sleepy()
        quiet.zonesByLocale = ["cs": try #require(quiet.zone)]
        quiet.zone = nil
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.policy.quiet = quiet
        var harness = CoreHarness(configuration, planner: LocalePlanner())
        harness.receive(.sample("a", urgency: 4, categories: ["cs", "en", "fr"]))
        #expect(harness.sends.map(\.expression.description) == ["en", "fr"])
        harness.answerAll(.accepted)
        #expect(harness.announced.map(\.verdict.reason) == ["deferred.quiet_hours"])
        #expect(harness.core.status(now: harness.now).events["waiting"] == 1)
        harness.confirmAll()
        harness.crash(after: .seconds(60))
        #expect(harness.sends.isEmpty)
        harness.pass(.seconds(3540))
        #expect(harness.sends.map(\.expression.description) == ["cs"])
        harness.finishAll()
        #expect(harness.verdicts == ["a: sent"])
        #expect(harness.ended.first?.targets.count == 3)
    }

    @Test func `a kill ends deferred requests, and goes to notified subscribers`() throws {
        var quiet = try Self.sleepy()
        quiet.zonesByLocale = ["cs": try #require(quiet.zone)]
        quiet.zone = nil
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.policy.quiet = quiet
        var harness = CoreHarness(configuration, planner: LocalePlanner())
        harness.receive(.sample("a1", story: "a", urgency: 4, categories: ["cs", "en"]))
        harness.answerAll(.accepted)
        harness.receive(.sample("a2", story: "a", revision: 2, kind: .kill, categories: []))
        harness.confirmAll()
        #expect(harness.verdicts == ["a1: superseded.killed"])
        #expect(harness.ended.first?.verdict.outcome == .partial)
        #expect(harness.sends.map(\.expression.description) == ["en"])
    }

    @Test func `a newer revision replaces a deferred one`() throws {
        let quiet = try Self.sleepy()
        var harness = Self.harness { $0.quiet = quiet }
        harness.receive(.sample("a1", story: "a", urgency: 4))
        harness.receive(.sample("a2", story: "a", revision: 2, urgency: 1))
        harness.confirmAll()
        #expect(harness.sending == ["a2"])
        #expect(harness.verdicts == ["a1: superseded.revision"])
    }
}

/// A planner like ``OneSendPlanner``, with a request for each category that is a language.
private struct LocalePlanner: EventPlanning {
    func plan(
        _ event: NewsEvent,
        for addressees: Addressees,
        story: StoryFacts?,
        deadline: Timestamp,
        loudness: Audibility,
        now: Timestamp
    ) -> EventPlan {
        let tags = addressees.tags(of: event)
        return .send(tags.compactMap { OneSendPlanner.send(event.id, tag: $0, locale: $0) }, warnings: [])
    }
}

extension OutcomeRecord {
    /// Whether it was sent with sound.
    fileprivate var isLoud: Bool { self.targets.contains { $0.request.interruption != .passive } }
}

/// A planner like ``OneSendPlanner``, with the interruption level from the event's urgency or its loudness.
struct LoudPlanner: EventPlanning {
    func plan(
        _ event: NewsEvent,
        for addressees: Addressees,
        story: StoryFacts?,
        deadline: Timestamp,
        loudness: Audibility,
        now: Timestamp
    ) -> EventPlan {
        let level = loudness == .silent ? .passive : InterruptionLevel(urgency: event.urgency)
        let sends = event.categories.compactMap { OneSendPlanner.send(event.id, tag: $0, interruption: level) }
        return .send(sends, warnings: [])
    }
}
