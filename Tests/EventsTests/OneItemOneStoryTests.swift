import NewsflashTimestamps
import Testing

@testable import NewsflashEvents

/// An item, and a withdrawal with fewer members or in another spelling, are on one story.
@Suite(.timeLimit(.minutes(1)))
struct OneItemOneStoryTests {
    private static func story(_ text: String, _ format: SourceFormat = .ninjs, _ rules: SourceRules = SourceRules())
        -> String?
    {
        let outcome = EventDecoder(defaultSource: "urn:s", format: format, rules: rules).decode(bytes: Array(text.utf8))
        guard case .event(let event, _) = outcome else { return nil }
        return event.story
    }

    private static let rest = #""version":"2","versioncreated":"2026-03-02T08:00:00Z","headline":"H","subject":["a"]"#

    @Test(
        arguments: [
            (
                #""uri":"urn:publicid:ap.org:s1","altids":{"itemid":"s1","etag":"e"}"#,
                #""uri":"urn:publicid:ap.org:s1""#
            ),
            (#""uri":"urn:publicid:ap.org:s1","altids":{"itemid":"s1","etag":"e"}"#, #""altids":{"itemid":"s1"}"#),
            (
                #""uri":"https://api.ap.org/media/v/content/s1?x","altids":{"itemid":"s1","etag":"e"}"#,
                #""altids":{"itemid":"s1"}"#
            ),
            (#""uri":"https://api.ap.org/media/v/content/s1?x""#, #""uri":"https://api.ap.org/media/v/content/s1?y""#),
            (#""uri":"x","altids":{"itemid":"i","friendlykey":"f"}"#, #""uri":"x""#),
            (#""guid":"s1-b","evolvedfrom":"s1""#, #""uri":"s1-b","guid":"s1-b","evolvedfrom":"s1""#),
            (#""guid":"s1-b","evolvedfrom":"s1""#, #""guid":"s1-b","evolvedFrom":"s1""#),
            (#""uri":"s1","altids":{"web":"w"}"#, #""URI":"s1""#), (#""guid":"s1""#, #""Guid":"s1""#),
        ]
    )
    func `a minimal withdrawal has the story of its item`(_ item: String, _ kill: String) {
        let story = Self.story("{\(item),\(Self.rest)}")
        #expect(story != nil)
        #expect(Self.story(#"{\#(kill),"pubstatus":"canceled"}"#) == story)
    }

    @Test(
        arguments: [
            #""AltIDs":{"storyid":"root"}"#, #""altid":{"storyid":"root"}"#, #""altids":{"storyID":"root"}"#,
            #""ALTID":[{"Role":"StoryId","Value":"root"}]"#, #""Associations":{"TranslationOf":{"uri":"root"}}"#,
            #""associations":[{"Rel":"translationof","URI":"root"}]"#, #""Extra":{"Root":"root"}"#,
        ]
    )
    func `the members that make the story are found in any case`(_ member: String) {
        var rules = SourceRules()
        rules.story = ["altids.storyid", "associations.translationOf", "/extra/root"].compactMap(StoryRule.init)
        #expect(Self.story(#"{"uri":"u","pubstatus":"canceled",\#(member)}"#, .ninjs, rules) == "root")
        let large = #"{"uri":"u","pubstatus":"canceled",\#(member),"z":"\#(String(repeating: "x", count: 5000))"}"#
        let outcome = EventDecoder(defaultSource: "urn:s", format: .ninjs, rules: rules, maximumBytes: 4096)
            .decode(bytes: Array(large.utf8))
        guard case .event(let event, _) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(event.story == "root")
    }

    @Test func `a version is one act in every spelling, and two versions of one second are two`() {
        func event(_ text: String, _ format: SourceFormat) -> NewsEvent? {
            guard
                case .event(let event, _) = EventDecoder(defaultSource: "urn:s", format: format)
                    .decode(bytes: Array(text.utf8))
            else { return nil }
            return event
        }
        let rest = #""versioncreated":"2026-03-02T08:00:00Z","headline":"H","subject":["a"]"#
        let ids = ["3", #""3""#, "3.0", #""03""#].map { event(#"{"uri":"u","version":\#($0),\#(rest)}"#, .ninjs)?.id }
        #expect(ids == ["u#3", "u#3", "u#3", "u#3"])
        let versions = [1, 2].compactMap { event(#"{"guid":"u","version":"\#($0)",\#(rest)}"#, .superdesk) }
        #expect(versions.map(\.revision) == [1_772_438_400_001, 1_772_438_400_002])
        #expect(versions.map(\.id) == ["u#1772438400001", "u#1772438400002"])
        let exact = rest.replacing("08:00:00Z", with: "08:00:00.250Z")
        #expect(event(#"{"guid":"u","version":"2",\#(exact)}"#, .superdesk)?.revision == 1_772_438_400_250)
    }
}
