import NewsflashEvents
import NewsflashPlanning
import NewsflashPublishing
import NewsflashRouting
import NewsflashStrictJSON
import NewsflashTimestamps
import NewsflashWorker
import NotificationHubs
import Testing

/// A planner with a configuration, and events for it.
struct PlanningHarness {
    static let now = Timestamp(seconds: 1_772_438_401)

    let configuration: WorkerConfiguration
    let planner: EventPlanner

    /// Reads a configuration. Three languages and two categories are added, and texts unless it has its own.
    init(_ lines: String, text hasWords: Bool = true) throws {
        let words =
            #"text: { flash: "Breaking: {headline}", kill: "Withdrawn: {headline}", correction: "Correction: {headline}" }"#
        let text = """
            version: 1
            locales: { offered: [en, fr, hi], default: en }
            categories: { World: [world], Sports: [sport] }
            \(hasWords ? words : "")
            \(lines)
            """
        configuration = try ConfigurationReader(environment: [:]).read(text: text, source: "test.yaml").configuration
        planner = EventPlanner(configuration)
    }

    static func event(
        _ kind: EventKind = .alert,
        urgency: Int? = nil,
        categories: [String] = ["world"],
        text: [EventText] = [
            EventText(language: "en", headline: "Bridge closed", summary: "Cracks were found."),
            EventText(language: "fr", headline: "Pont fermé"),
        ],
        mode: EventMode = .live
    ) -> NewsEvent {
        NewsEvent(
            id: "e-1",
            source: "https://desk.example",
            story: "urn:story:1",
            revision: 3,
            kind: kind,
            urgency: urgency,
            published: Timestamp(seconds: 1_772_438_400),
            categories: categories,
            text: text,
            url: "https://news.example.org/1?a=b&c=\"d\"",
            image: "https://news.example.org/1.jpg",
            mode: mode
        )
    }

    func plan(_ event: NewsEvent, notified: [AudienceFact] = [], _ loudness: Audibility = .usual) -> EventPlan {
        var story: StoryFacts?
        if !notified.isEmpty {
            var facts = StoryFacts(awaiting: event, digest: ContentDigest(of: event), now: Self.now)
            for fact in notified { facts.recordAccepted(fact.audience, fact.act) }
            story = facts
        }
        return planner.plan(
            event,
            for: Addressees(of: event, facts: story),
            story: story,
            deadline: event.published + .seconds(3600),
            loudness: loudness,
            now: Self.now
        )
    }

    /// The requests of an event; empty if it is not sent.
    func sends(
        _ event: NewsEvent,
        notified: [AudienceFact] = [],
        _ loudness: Audibility = .usual
    ) -> [PlannedSend] {
        guard case .send(let sends, _) = plan(event, notified: notified, loudness) else { return [] }
        return sends
    }

    /// An audience for which a hub accepted an earlier revision.
    static func notified(
        _ hub: String,
        _ tags: String,
        as form: String = "template",
        locale: String? = nil,
        isForUsers: Bool = false,
        revision: Int64 = 2
    ) throws -> AudienceFact {
        let audience = PlannedAudience(
            expression: try TagExpression(parsing: tags),
            locale: locale,
            categories: [],
            isForUsers: isForUsers
        )
        let recipients = Audience(hub: hub, format: form, planned: audience)
        return AudienceFact(recipients, act(revision: revision), .accepted)
    }

    /// An earlier act of the story.
    static func act(revision: Int64) -> AudienceFact.Act {
        AudienceFact.Act(id: UInt64(revision), kind: .alert, revision: revision, at: now)
    }
}

extension PlannedSend {
    /// Hub, format and tags on one line.
    var place: String { "\(hub) \(platform) \(expression)" }
    /// The body as JSON.
    var json: JSONValue { get throws { try JSONReader.read(message.body) } }
}
