import FoundationEssentials
import NewsflashEvents
import NewsflashPlanning
import NewsflashPublishing
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashWorker
import Testing

/// Feeds whose items each have one language and are only for subscribers of that language.
@Suite(.timeLimit(.minutes(1)))
struct ReadersPlanningTests {
    private static let lines = "send: { tags: \"{category}.{locale}\" }\nhub: newsroom"

    private static func item(_ language: String, _ kind: EventKind = .alert) -> NewsEvent {
        var event = PlanningHarness.event(kind, text: [EventText(language: language, headline: "Words")])
        event.readers = .own
        return event
    }

    @Test(arguments: [
        ("en", ["main template World.en"]), ("fr-CA", ["main template World.fr"]), ("hi", ["main template World.hi"]),
    ])
    func `an item reaches only the subscribers of its language`(_ language: String, _ places: [String]) throws {
        let desk = try PlanningHarness(Self.lines)
        #expect(desk.sends(Self.item(language)).map(\.place) == places)
        var forAll = Self.item(language)
        forAll.readers = .all
        #expect(desk.sends(forAll).count == 3)
    }

    @Test(arguments: [
        ("de", "suppressed.not_offered", "no offered locale matches a language of the item: de"),
        (
            "und", "invalid.unmapped",
            "/language: is missing, and items of the source are only for subscribers of their language"
        ),
    ])
    func `an item in a language that is not offered reaches nobody`(
        _ language: String,
        _ reason: String,
        _ detail: String
    ) throws {
        let desk = try PlanningHarness(Self.lines)
        guard case .end(let verdict, _) = desk.plan(Self.item(language)) else {
            Issue.record("the item would be sent")
            return
        }
        #expect(verdict.reason == reason)
        #expect(verdict.detail == detail)
    }

    @Test func `a correction goes to the notified audiences of its language`() throws {
        let desk = try PlanningHarness(Self.lines)
        let notified = [
            try PlanningHarness.notified("main", "World.en", locale: "en"),
            try PlanningHarness.notified("main", "Old.fr", locale: "fr"),
        ]
        #expect(desk.sends(Self.item("fr", .correction), notified: notified).map(\.place) == ["main template Old.fr"])
        // Nobody of that language was notified, so it is a first notification for them.
        let first = desk.sends(Self.item("hi", .correction), notified: notified)
        #expect(first.map(\.place) == ["main template World.hi"])
        #expect(first.map(\.template) == ["alert"])
    }

    @Test func `a withdrawal reaches all notified audiences`() throws {
        let desk = try PlanningHarness(Self.lines)
        let notified = [
            try PlanningHarness.notified("main", "World.en", locale: "en"),
            try PlanningHarness.notified("main", "World.fr", locale: "fr"),
        ]
        for event in [Self.item("fr", .kill), Self.item("de", .kill)] {
            #expect(
                desk.sends(event, notified: notified).map(\.place) == [
                    "main template World.en", "main template World.fr",
                ]
            )
        }
    }

    /// The agency example, with nine languages and an item for each.
    @Test func `a Hindi subscriber does not get the English item of the agency`() throws {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
        let path = root + "/deploy/examples/agency-languages.yaml"
        let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        let folder = try TimeZoneFolder()
        for zone in ["Europe/Lisbon", "America/Sao_Paulo", "Asia/Shanghai"] {
            try folder.write(zone, ZoneFile.bytes(rule: "GMT0"))
        }
        let configuration = try ConfigurationReader(environment: folder.environment).read(text: text, source: path)
            .configuration
        let wire = try #require(configuration.sources.first { $0.name == "wire" })
        let planner = EventPlanner(configuration)
        for (language, locales) in [("en", ["en"]), ("hi", ["hi"]), ("pt", ["pt-BR", "pt-PT"])] {
            let item =
                #"{"uri":"urn:x:\#(language)","version":"1","type":"text","urgency":2,"language":"\#(language)","#
                + #""versioncreated":"2026-03-02T08:00:00Z","headline":"Words","subject":[{"code":"medtop:16000000"}]}"#
            guard case .event(let event, warnings: []) = wire.decoder.decode(bytes: Array(item.utf8)) else {
                Issue.record("the item in \(language) is not an event")
                continue
            }
            let plan = planner.plan(
                event,
                for: Addressees(of: event, facts: nil),
                story: nil,
                deadline: event.published + .seconds(3600),
                loudness: .usual,
                now: event.published
            )
            guard case .send(let sends, _) = plan else {
                Issue.record("the item in \(language) is not sent")
                continue
            }
            #expect(sends.compactMap(\.locale).sorted() == locales)
        }
    }
}
