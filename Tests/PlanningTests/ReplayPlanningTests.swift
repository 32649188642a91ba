import NewsflashEvents
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashWorker
import NotificationHubs
import Testing

/// The audience of a replay to one tag.
@Suite(.timeLimit(.minutes(1)))
struct ReplayPlanningTests {
    private static let hubs = """
        hubs:
          main: { name: newsroom, tags: "{category}.{locale}" }
          south: { name: newsroom-south, as: [apns, wns] }
          drill: { name: newsroom-test, tags: "test", mode: test }
        """

    private static func event(
        _ kind: EventKind = .alert,
        tag: String = "test",
        categories: [String] = ["world"]
    ) -> NewsEvent {
        var event = PlanningHarness.event(kind, categories: categories)
        event.replay = ReplayMark(id: "fix-1", partition: 0, offset: 7, onlyTag: tag, at: PlanningHarness.now)
        return event
    }

    @Test func `a replay reaches only its tag, at every hub in each format`() throws {
        let desk = try PlanningHarness(Self.hubs)
        #expect(
            desk.sends(Self.event()).map(\.place) == [
                "main template test", "south apns test", "south wns test",
                "drill template test",
            ]
        )
    }

    @Test func `a replay does not reach the users of the event`() throws {
        let desk = try PlanningHarness("hub: newsroom")
        var event = Self.event()
        event.users = ["anna"]
        #expect(desk.sends(event).map(\.place) == ["main template test"])
        event.categories = []
        #expect(desk.sends(event).map(\.place) == ["main template test"])
    }

    @Test(arguments: [EventKind.correction, .kill])
    func `a replay does not reach the audiences that were notified before`(_ kind: EventKind) throws {
        let desk = try PlanningHarness("hub: newsroom")
        let notified = [try PlanningHarness.notified("main", "World || Sports")]
        let sends = desk.sends(Self.event(kind), notified: notified)
        #expect(sends.map(\.place) == ["main template test"])
        #expect(sends.map(\.template) == [kind.rawValue])
    }

    @Test(arguments: ["World", "world", "sports"])
    func `a replay to a tag of a category is refused`(_ tag: String) throws {
        let desk = try PlanningHarness("hub: newsroom")
        guard case .end(let verdict, let stage) = desk.plan(Self.event(tag: tag)) else {
            Issue.record("subscribers would be notified")
            return
        }
        #expect(verdict.reason == "invalid.replay")
        #expect(verdict.detail?.contains("is a tag of subscribers") == true)
        #expect(stage == .map)
    }

    @Test func `a tag with a language of its own is a tag of subscribers too`() throws {
        let desk = try PlanningHarness(Self.hubs)
        #expect(desk.sends(Self.event(tag: "World.fr")).isEmpty)
        #expect(!desk.sends(Self.event(tag: "World.de")).isEmpty)
    }

    @Test func `an event without a mapped category is not replayed to a tag`() throws {
        let desk = try PlanningHarness("hub: newsroom")
        guard case .end(let verdict, _) = desk.plan(Self.event(categories: ["weather"])) else {
            Issue.record("the event is sent")
            return
        }
        #expect(verdict.reason == "invalid.unmapped")
    }

    @Test func `a replay has the words that subscribers would get`() throws {
        let desk = try PlanningHarness("hub: newsroom")
        let own = try #require(desk.sends(PlanningHarness.event(.flash)).first)
        let replayed = try #require(desk.sends(Self.event(.flash)).first)
        #expect(RequestDigest(of: own) == RequestDigest(of: replayed))
    }
}
