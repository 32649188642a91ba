import NewsflashEvents
import NewsflashPublishing
import NewsflashTestSupport
import NewsflashWorker
import NotificationHubs
import Testing

/// The choice of hubs for an event.
@Suite(.timeLimit(.minutes(1)))
struct HubPlanningTests {
    private static let hubs = """
        hubs:
          main: { name: newsroom }
          south: { name: newsroom-south, tags: "{category}.{locale}" }
          test: { name: newsroom-test, tags: "test" }
        """

    @Test func `a live event goes to each live hub, and a test goes to the test hub alone`() throws {
        let desk = try PlanningHarness(Self.hubs)
        #expect(
            desk.sends(PlanningHarness.event()).map(\.place) == [
                "main template World", "south template World.en", "south template World.fr",
                "south template World.hi",
            ]
        )
        #expect(desk.sends(PlanningHarness.event(mode: .test)).map(\.place) == ["test template test"])
    }

    @Test func `a test without a test hub reaches nobody, and neither does a backfill`() throws {
        let desk = try PlanningHarness("hub: newsroom")
        for (mode, reason) in [(EventMode.test, "suppressed.no_test_hub"), (.backfill, "shadow.backfill")] {
            guard case .end(let verdict, _) = desk.plan(PlanningHarness.event(mode: mode)) else {
                Issue.record("the event of mode \(mode) would be sent")
                continue
            }
            #expect(verdict.reason == reason)
        }
    }

    @Test func `a withdrawal goes to the notified audiences, by hub and format`() throws {
        let desk = try PlanningHarness(Self.hubs)
        let notified = [
            try PlanningHarness.notified("south", "World.fr", locale: "fr"),
            try PlanningHarness.notified("main", "Old"),
        ]
        for kind in [EventKind.kill, .correction] {
            #expect(
                desk.sends(PlanningHarness.event(kind), notified: notified).map(\.place) == [
                    "south template World.fr", "main template Old",
                ]
            )
        }
    }

    @Test func `a kill of a test reaches testers only, and a live kill reaches subscribers only`() throws {
        let desk = try PlanningHarness(Self.hubs)
        let notified = [
            try PlanningHarness.notified("test", "test"), try PlanningHarness.notified("main", "World"),
        ]
        let live = desk.sends(PlanningHarness.event(.kill), notified: notified)
        let test = desk.sends(PlanningHarness.event(.kill, mode: .test), notified: notified)
        #expect(live.map(\.place) == ["main template World"])
        #expect(test.map(\.place) == ["test template test"])
    }

    @Test(arguments: [EventKind.kill, .correction])
    func `a removed hub is named, and audiences of other hubs are reached`(_ kind: EventKind) throws {
        let desk = try PlanningHarness(Self.hubs)
        var notified = [try PlanningHarness.notified("closed", "World")]
        guard case .end(let verdict, let stage) = desk.plan(PlanningHarness.event(kind), notified: notified) else {
            Issue.record("the event is sent to others than the notified audiences")
            return
        }
        #expect(verdict.outcome == .failed && verdict.reason == "failed.hub_removed" && stage == .map)
        #expect(verdict.detail?.contains("sent to closed,") == true)
        notified.append(try PlanningHarness.notified("main", "World"))
        guard case .send(let sends, let warnings) = desk.plan(PlanningHarness.event(kind), notified: notified) else {
            Issue.record("the event is not sent")
            return
        }
        #expect(warnings == ["hub.removed"])
        #expect(sends.map(\.place) == ["main template World"])
    }

    @Test func `no categories, facts or tags let an event reach a hub of the other mode`() throws {
        var random = SeededGenerator(seed: 7)
        let desk = try PlanningHarness(
            """
            hubs:
              test: { name: a-test, tags: "{category}" }
              main: { name: a, tags: "{category}" }
              drill: { name: b, mode: test, tags: "{category}.{locale}" }
              more: { name: c, tags: "test" }
            """
        )
        let places = ["main", "test", "drill", "more", "a", "gone"]
        var counts: [EventMode: Int] = [:]
        for _ in 0..<500 {
            let notified = try (0..<Int.random(in: 0...4, using: &random)).map { _ in
                try PlanningHarness.notified(
                    places.randomElement(using: &random) ?? "",
                    ["World", "test", "World.en"].randomElement(using: &random) ?? ""
                )
            }
            let event = PlanningHarness.event(
                [.alert, .kill, .correction, .flash, .update].randomElement(using: &random) ?? .alert,
                categories: [["world"], ["sport", "world"], ["test"], []].randomElement(using: &random) ?? [],
                mode: [.live, .test, .backfill].randomElement(using: &random) ?? .live
            )
            for send in desk.sends(event, notified: notified) {
                let hub = try #require(desk.configuration.hubs.first { $0.label == send.hub })
                #expect(hub.mode.events == event.mode)
                counts[event.mode, default: 0] += 1
            }
        }
        #expect((counts[.live] ?? 0) > 100 && (counts[.test] ?? 0) > 100 && counts[.backfill] == nil)
    }
}
