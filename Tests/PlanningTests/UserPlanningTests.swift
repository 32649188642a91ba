import NewsflashEvents
import NewsflashPublishing
import NewsflashWorker
import NotificationHubs
import Testing

/// Named users: their requests, and the users that a correction reaches.
@Suite(.timeLimit(.minutes(1)))
struct UserPlanningTests {
    private static func event(_ kind: EventKind = .alert, users: [String], categories: [String] = []) -> NewsEvent {
        var event = PlanningHarness.event(kind, categories: categories)
        event.users = users
        return event
    }

    private static func users(_ tags: String, revision: Int64 = 2) throws -> AudienceFact {
        try PlanningHarness.notified("main", tags, isForUsers: true, revision: revision)
    }

    @Test func `users are notified at each hub in each of its formats`() throws {
        let desk = try PlanningHarness(
            """
            hubs:
              main: { name: newsroom }
              south: { name: newsroom-south, as: [apns, wns] }
              test: { name: newsroom-test, tags: "test" }
            """
        )
        let sends = desk.sends(Self.event(users: ["ben", "anna"]))
        let tags = "username:anna || username:ben"
        #expect(
            sends.map(\.place) == [
                "main template \(tags)", "south apns \(tags)", "south wns \(tags)",
            ]
        )
        #expect(sends.allSatisfy { $0.isForUsers })
        var rehearsal = Self.event(users: ["anna"])
        rehearsal.mode = .test
        #expect(desk.sends(rehearsal).map(\.place) == ["test template username:anna"])
    }

    @Test func `categories and users are notified separately, and the outcome says that they may overlap`() throws {
        let desk = try PlanningHarness("hub: newsroom\nsend: { users: \"$UserId:{user}\", maximumTags: 2 }")
        let event = Self.event(users: ["a", "b", "c"], categories: ["world"])
        guard case .send(let sends, let warnings) = desk.plan(event) else {
            Issue.record("the event is not sent")
            return
        }
        #expect(
            sends.map(\.expression.description) == ["World", "$UserId:{a} || $UserId:{b}", "$UserId:{c}"]
        )
        #expect(sends.map(\.isForUsers) == [false, true, true])
        #expect(warnings == ["audience.overlap"])
    }

    @Test func `unmapped codes are an error also in an event with users`() throws {
        let desk = try PlanningHarness("hub: newsroom")
        guard case .end(let verdict, _) = desk.plan(Self.event(users: ["anna"], categories: ["nowhere"])) else {
            Issue.record("the event is sent")
            return
        }
        #expect(verdict.reason == "invalid.unmapped")
    }

    @Test(arguments: [EventKind.kill, .correction])
    func `a correction and a kill go to the notified users, each once, and to nobody else`(
        _ kind: EventKind
    ) throws {
        let desk = try PlanningHarness("hub: newsroom")
        let notified = [
            try Self.users("username:anna || username:ben", revision: 1),
            try PlanningHarness.notified("main", "World"),
            try Self.users("username:clara || username:dora", revision: 2),
        ]
        let sends = desk.sends(Self.event(kind, users: ["eve"], categories: ["sport"]), notified: notified)
        #expect(
            sends.map(\.expression.description) == [
                "World", "username:anna || username:ben || username:clara || username:dora",
            ]
        )
    }

    @Test func `users who were notified under another tag pattern are reached by their earlier tags`() throws {
        let desk = try PlanningHarness("hub: newsroom\nsend: { users: \"$UserId:{user}\" }")
        let notified = [try Self.users("username:anna")]
        #expect(
            desk.sends(Self.event(.kill, users: []), notified: notified).map(\.expression.description) == [
                "username:anna"
            ]
        )
    }

    @Test func `an event with more users than the ledger can record is refused before it is sent`() throws {
        let desk = try PlanningHarness("hub: newsroom\nsend: { as: [template, apns, fcmv1, wns] }")
        let long = String(repeating: "x", count: 60)
        func names(_ first: Int) -> [String] { (first..<first + 1000).map { "\(long)\($0)" } }
        let first = Self.event(users: names(1000))
        let sends = desk.sends(first)
        #expect(sends.count == 200)
        let notified = sends.map { AudienceFact($0.audience, PlanningHarness.act(revision: 1), .accepted) }
        guard case .end(let verdict, let stage) = desk.plan(Self.event(users: names(2000)), notified: notified) else {
            Issue.record("the event is sent")
            return
        }
        #expect(verdict.reason == "invalid.audience_full" && stage == .map)
        #expect(verdict.detail?.contains("another story") == true)
        #expect(desk.sends(Self.event(.kill, users: []), notified: notified).count == 200)
    }
}
