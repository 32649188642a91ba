import NewsflashEvents
import NewsflashPublishing
import NewsflashTimestamps
import Testing

/// New rules that replace those at the start, and the samples of decisions.
@Suite(.timeLimit(.minutes(1)))
struct AdoptedRulesTests {
    private static let cap = AudibleLimit(category: "world", rate: Rate(2, per: .seconds(600)))

    private static func rules(
        _ digest: String = "new",
        planner: any EventPlanning = OneSendPlanner(),
        _ change: (inout AdmissionPolicy) -> Void = { _ in }
    ) -> RuleSet {
        var policy = AdmissionPolicy()
        change(&policy)
        return RuleSet(gate: AdmissionRules(policy: policy), planner: planner, digest: digest)
    }

    private static func warnings(of harness: CoreHarness) -> [[String]] { harness.ended.map(\.warnings) }

    @Test func `an event in progress keeps its rules, and the next event gets the new ones`() {
        var harness = CoreHarness()
        harness.receive(.sample("a", story: "a"))
        harness.core.adopt(Self.rules())
        harness.receive(.sample("b", story: "b"))
        harness.finishAll()
        #expect(harness.ended.map { "\($0.event) \($0.config)" } == ["a ", "b new"])
    }

    @Test func `an event that waits for an earlier event of its story keeps its rules`() {
        var harness = CoreHarness()
        harness.receive(.sample("a1", story: "a"))
        harness.receive(.sample("a2", story: "a", revision: 2, headline: "More"))
        harness.core.adopt(Self.rules { $0.life = [.alert: .zero] })
        harness.finishAll()
        #expect(harness.verdicts == ["a1: sent", "a2: sent"])
    }

    @Test func `a cap in both the old and the new rules keeps its counts`() {
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.policy.caps = [Self.cap]
        var harness = CoreHarness(configuration)
        for name in ["a", "b"] {
            harness.receive(.sample(name, story: name))
            harness.finishAll()
        }
        let other = AudibleLimit(category: "sports", rate: Rate(1, per: .seconds(60)))
        harness.core.adopt(Self.rules { $0.caps = [other, Self.cap] })
        harness.receive(.sample("c", story: "c"))
        harness.finishAll()
        harness.core.adopt(Self.rules())
        harness.receive(.sample("d", story: "d"))
        harness.finishAll()
        #expect(Self.warnings(of: harness) == [[], [], ["cap.silent"], []])
    }

    @Test func `a volume limit that is lowered keeps its counts`() {
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.policy.volumeLimits.all = Rate(5, per: .seconds(600))
        var harness = CoreHarness(configuration)
        for name in ["a", "b"] {
            harness.receive(.sample(name, story: name))
            harness.finishAll()
        }
        harness.core.adopt(Self.rules { $0.volumeLimits.all = Rate(2, per: .seconds(600)) })
        harness.receive(.sample("c", story: "c"))
        harness.finishAll()
        #expect(harness.ended.map(\.event) == ["a", "b"])
        #expect(harness.core.pausesInForce.map(\.scope) == [.all])
    }

    @Test func `no samples of decisions are kept unless requested`() {
        var harness = CoreHarness()
        harness.receive(.sample("a", story: "a"))
        #expect(harness.core.dequeueSamples().isEmpty)
        harness.core.keepsSamples = true
        harness.receive(.sample("b", story: "b"))
        #expect(harness.core.dequeueSamples().map(\.event.id) == ["b"])
        #expect(harness.core.dequeueSamples().isEmpty)
        harness.core.keepsSamples = false
        harness.receive(.sample("c", story: "c"))
        #expect(harness.core.dequeueSamples().isEmpty)
    }

    /// The sample of the decision on one event.
    private static func sample(of event: NewsEvent) throws -> DecisionSample {
        var harness = CoreHarness()
        harness.core.keepsSamples = true
        harness.receive(event)
        return try #require(harness.core.dequeueSamples().first)
    }

    @Test func `the same rules lead to the same requests for an event`() throws {
        let sample = try Self.sample(of: .sample("a"))
        let before = Self.rules("old").requests(for: sample)
        #expect(before.count == 1)
        #expect(PlanDifference(before: before, after: Self.rules().requests(for: sample)).kind == .same)
    }

    @Test func `an event that new rules would not map, let expire or keep for approval counts as lost`() throws {
        let sample = try Self.sample(of: .sample("a", published: "2026-03-02T07:59:00Z"))
        let before = Self.rules("old").requests(for: sample)
        let others = [
            Self.rules(planner: NobodyPlanner()), Self.rules { $0.life = [.alert: .seconds(1)] },
            Self.rules { $0.approvals = [.alert: 2] },
        ]
        for rules in others {
            let after = rules.requests(for: sample)
            #expect(PlanDifference(before: before, after: after).kind == .lost)
            #expect(PlanDifference(before: after, after: before).kind == .gained)
        }
    }
}

/// Finds no audience for any event.
private struct NobodyPlanner: EventPlanning {
    func plan(
        _ event: NewsEvent,
        for addressees: Addressees,
        story: StoryFacts?,
        deadline: Timestamp,
        loudness: Audibility,
        now: Timestamp
    ) -> EventPlan {
        .end(EventVerdict(.invalid, "invalid.unmapped"), stage: .map)
    }
}
