import NewsflashEvents
import NewsflashPlanning
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashWorker
import NotificationHubs
import Testing

/// Digests of the contents of real plans. They must not depend on the time of planning.
@Suite(.timeLimit(.minutes(1)))
struct PlannedDigestTests {
    private static let hubs = """
        hubs:
          main: { name: newsroom }
          south: { name: newsroom-south, as: [apns, fcmv1, wns, adm, browser] }
        """

    private static let otherWords = """

        text: { alert: "News: {headline}", kill: "Withdrawn: {headline}" }
        """

    private static func plan(_ desk: PlanningHarness, _ event: NewsEvent, after delay: Duration) -> [OutcomeRecord
        .Request]
    {
        let plan = desk.planner.plan(
            event,
            for: .categories,
            story: nil,
            deadline: event.published + .seconds(3600) + delay,
            loudness: .usual,
            now: PlanningHarness.now + delay
        )
        guard case .send(let sends, _) = plan else { return [] }
        return sends.map { send in
            var request = OutcomeRecord.Request(send)
            // The clock changes the length.
            request.bytes = nil
            return request
        }
    }

    @Test func `plans of one event at different times have the same content, in every format`() throws {
        let desk = try PlanningHarness(Self.hubs)
        let event = PlanningHarness.event()
        let first = Self.plan(desk, event, after: .zero)
        #expect(Set(first.map(\.platform)) == ["template", "apns", "fcmv1", "wns", "adm", "browser"])
        #expect(Self.plan(desk, event, after: .seconds(1799)) == first)
        #expect(Self.plan(desk, event, after: .seconds(86_400 * 30)) == first)
    }

    @Test func `plans of a secure event have the same content at any time`() throws {
        let desk = try PlanningHarness(
            #"""
            hub: newsroom
            text: { secure: "You have news", kill: "Withdrawn: {headline}" }
            secure: { keyFile: no-such-file }
            """#,
            text: false
        )
        var event = PlanningHarness.event()
        event.delivery = .secure
        let first = Self.plan(desk, event, after: .zero)
        #expect(first.map(\.template) == ["secure"])
        #expect(Self.plan(desk, event, after: .seconds(1000)) == first)
    }

    @Test func `a change of the words around the headline is a change of words in every format`() throws {
        let old = try PlanningHarness(Self.hubs)
        let new = try PlanningHarness(Self.hubs + Self.otherWords, text: false)
        let difference = PlanDifference(
            before: Self.plan(old, PlanningHarness.event(), after: .zero),
            after: Self.plan(new, PlanningHarness.event(), after: .zero)
        )
        #expect(difference.kind == .words)
        #expect(difference.reworded.count == 6)
    }
}
