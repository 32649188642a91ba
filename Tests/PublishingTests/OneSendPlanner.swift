import NewsflashEvents
import NewsflashPublishing
import NewsflashRendering
import NewsflashRouting
import NewsflashTimestamps
import NotificationHubs

/// Plans one request for each event, with the event's id as the body. Categories become tags.
struct OneSendPlanner: EventPlanning {
    /// Receives each call to plan.
    var note: @Sendable (NewsEvent, StoryFacts?) -> Void = { _, _ in }

    func plan(
        _ event: NewsEvent,
        for addressees: Addressees,
        story: StoryFacts?,
        deadline: Timestamp,
        loudness: Audibility,
        now: Timestamp
    ) -> EventPlan {
        note(event, story)
        guard event.categories != ["unknown"] else {
            return .end(EventVerdict(.invalid, "invalid.unmapped"), stage: .map)
        }
        return .send(addressees.tags(of: event).compactMap { Self.send(event.id, tag: $0) }, warnings: [])
    }

    static func send(
        _ id: String,
        tag: String,
        hub: String = "main",
        locale: String? = nil,
        interruption: InterruptionLevel = .active
    ) -> PlannedSend? {
        guard let tag = try? Tag(tag), let expression = try? TagExpression.any(of: [tag]),
            let message = try? HubMessage(rendered: Array(id.utf8))
        else { return nil }
        return PlannedSend(
            message,
            to: Audience(
                hub: hub,
                format: "template",
                planned: PlannedAudience(expression: expression, locale: locale, categories: [tag.description])
            ),
            template: "alert",
            interruption: interruption
        )
    }
}

extension Addressees {
    /// The tags of the addressed audiences, or the event's categories.
    func tags(of event: NewsEvent) -> [String] {
        switch self {
        case .categories: event.categories
        case .notified(let facts, let owed): (facts + owed).flatMap(\.expression.tags).map(\.description)
        case .nobody: []
        }
    }
}
