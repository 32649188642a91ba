import NewsflashEvents
import NewsflashTimestamps
import NotificationHubs
import Testing

@testable import NewsflashPublishing

/// News that a volume limit keeps until a person resumes it, in memory or in the ledger.
@Suite(.timeLimit(.minutes(1)))
struct KeptByLimitTests {
    /// A worker whose ledger keeps an event with the same words as an earlier one. The time of the limit is over.
    private var harness: CoreHarness = {
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.policy.volumeLimits.sameText = Rate(1, per: .seconds(600))
        var harness = CoreHarness(configuration, planner: LoudPlanner())
        for id in ["a", "b"] { harness.receive(.sample(id, headline: "The same")) }
        harness.finishAll()
        harness.confirmAll()
        harness.pass(.seconds(601))
        return harness
    }()

    private static func resume(_ scope: PauseScope, at now: Timestamp) -> ControlRecord {
        ControlRecord(.resume, scope, by: .person("novak"), reason: "a test", at: now)
    }

    private static let source = PauseScope.source(NewsEvent.sample("a").source)

    private mutating func resume(_ scope: PauseScope = source) {
        harness.order(Self.resume(scope, at: harness.now.wall))
        harness.answerRecalls()
    }

    @Test mutating func `it waits on when another source is resumed`() {
        resume(.source("urn:other"))
        #expect(harness.sends.isEmpty)
        resume()
        #expect(harness.sending == ["b"])
    }

    @Test(arguments: [true, false])
    mutating func `it waits on after a restart, unless a person resumed it meanwhile`(isResumed: Bool) {
        if isResumed { harness.orders.append(Self.resume(Self.source, at: harness.now.wall)) }
        harness.crash(after: .seconds(1))
        harness.answerRecalls()
        #expect(harness.sending == (isResumed ? ["b"] : []))
        guard !isResumed else { return }
        resume()
        #expect(harness.sending == ["b"])
    }

    @Test mutating func `it goes if it is resumed before the ledger has confirmed a new worker`() {
        harness.confirmsOwner = false
        harness.crash(after: .seconds(1))
        resume()
        #expect(harness.sends.isEmpty)
        harness.rememberAll()
        harness.answerRecalls()
        #expect(harness.sending == ["b"])
    }

    @Test mutating func `it goes if a resume is found when the control topic is read again`() {
        harness.confirmsOwner = false
        harness.crash(after: .seconds(1))
        var read = SourcePauses()
        read.apply(Self.resume(Self.source, at: harness.now.wall), at: 0)
        harness.core.controlled(.read(read), now: harness.now)
        harness.rememberAll()
        harness.answerRecalls()
        #expect(harness.sending == ["b"])
    }

    @Test mutating func `it waits on when its record comes again`() {
        harness.receive(.sample("b", headline: "The same"))
        harness.answerRecalls()
        harness.finishAll()
        #expect(harness.verdicts.filter { $0.hasPrefix("b") } == ["b: duplicate.id"])
        resume()
        #expect(harness.sending == ["b"])
    }

    @Test mutating func `it goes if it is resumed while its story is read from the ledger`() {
        harness.answersWaitingAtOnce = false
        harness.receive(.sample("b", headline: "The same"))
        #expect(!harness.recalls.isEmpty)
        resume()
        #expect(harness.sending == ["b"])
    }

    @Test mutating func `it goes by a resume under rules without limits too`() {
        var configuration = harness.core.configuration
        configuration.policy.volumeLimits = VolumeLimitPolicy()
        harness.core.adopt(RuleSet(configuration, planner: LoudPlanner()))
        harness.answerRecalls()
        #expect(harness.sends.isEmpty)
        resume()
        #expect(harness.sending == ["b"])
    }

    @Test mutating func `after a resume it goes even if it must wait for its hub in the ledger`() {
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.policy.volumeLimits.sameText = Rate(1, per: .seconds(3600))
        configuration.hubs = [HubRole("main"), HubRole("test", mode: .test)]
        configuration.readAheadBytes = 1
        harness = CoreHarness(configuration, planner: LoudPlanner())
        for id in ["a", "b"] { harness.receive(.sample(id, headline: "The same")) }
        harness.finishAll()
        // A hub that has accepted something a moment ago is not paused.
        harness.pass(.seconds(2))
        harness.receive(.sample("c", headline: "Something"))
        harness.answer(.throttled(after: .seconds(600)))
        harness.confirmAll()
        resume(.event(ResumedEvent(id: "b", story: "story-of-b", partition: CoreHarness.partition, offset: 1)))
        harness.confirmAll()
        #expect(harness.ledger["story-of-b"]?.record.waiting.map(\.reason) == [.hub])
        for _ in 0..<700 where harness.ended.count < 3 {
            harness.pass(.seconds(1))
            harness.finishAll()
            harness.answerRecalls()
        }
        #expect(harness.verdicts.sorted() == ["a: sent", "b: sent", "c: sent"])
    }

    @Test mutating func `a pause that never reached the control topic does not let its news go after a restart`() {
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.policy.volumeLimits.perSource = Rate(2, per: .seconds(600))
        harness = CoreHarness(configuration, planner: LoudPlanner())
        harness.writesOrders = false
        for id in ["a", "b", "c", "d"] { harness.receive(.sample(id)) }
        harness.finishAll()
        harness.crash(after: .seconds(1))
        harness.answerRecalls()
        #expect(harness.sends.isEmpty)
    }
}
