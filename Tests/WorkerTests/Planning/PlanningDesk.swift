import NewsEvents
import NotificationHubs
import Publishing
import StrictJSON
import Testing
import Timestamps

@testable import Worker

/// A planner by a configuration, and events for it.
struct PlanningDesk {
    static let now = Timestamp(seconds: 1_772_438_401)

    let configuration: WorkerConfiguration
    let planner: EventPlanner

    /// Reads a configuration: what it lacks is a newsroom of three languages and two categories, and its words unless it
    /// brings its own.
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

    func plan(_ event: NewsEvent, told: [StoryFacts.Sent] = [], _ loudness: Loudness = .usual) -> EventPlan {
        var story: StoryFacts?
        if !told.isEmpty {
            var record = StoryFacts(awaiting: event, digest: ContentDigest(of: event), now: Self.now)
            for sent in told { record.recordSent(sent) }
            story = record
        }
        let deadline = event.published + .seconds(3600)
        return planner.plan(event, story: story, deadline: deadline, loudness: loudness, now: Self.now)
    }

    /// The requests of an event; none where it is not sent.
    func sends(
        _ event: NewsEvent,
        told: [StoryFacts.Sent] = [],
        _ loudness: Loudness = .usual
    ) -> [PlannedSend] {
        guard case .send(let sends, _) = plan(event, told: told, loudness) else { return [] }
        return sends
    }

    /// What was accepted of an earlier revision.
    static func sent(_ hub: String, _ tags: String, as form: String = "template", locale: String? = nil) throws
        -> StoryFacts.Sent
    {
        StoryFacts.Sent(
            hub: hub,
            format: form,
            expression: try TagExpression(parsing: tags),
            locale: locale,
            revision: 2,
            at: now
        )
    }
}

extension PlannedSend {
    /// Hub, form and tags on one line.
    var place: String { "\(hub) \(platform) \(expression)" }
    /// The body as JSON.
    var json: JSONValue { get throws { try JSONReader.read(message.body) } }
}
