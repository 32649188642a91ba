import NewsflashStrictJSON
import Testing

@testable import NewsflashEvents

@Suite(.timeLimit(.minutes(1)))
struct StoryRuleTests {
    @Test(
        arguments: [
            ("altids.storyid", #""altids":{"storyid":"s"}"#),
            ("altids.storyid", #""altids":[{"role":"storyid","value":"s"}]"#),
            ("altids.storyid", #""altIds":[{"role":"storyid","value":"s"}]"#),
            ("associations.translationOf", #""associations":{"translationOf":{"type":"text","uri":"s"}}"#),
            ("associations.translationOf", #""associations":[{"name":"translationOf","uri":"s"}]"#),
            ("associations.translationOf", #""associations":[{"name":"x","rel":"translationOf","uri":"s"}]"#),
            ("associations.root", #""associations":{"root":{"guid":"s"}}"#), ("/extra/root", #""extra":{"root":"s"}"#),
            ("/family_id", #""family_id":"s""#),
        ]
    )
    func `an item names the story that it shares`(_ text: String, _ members: String) throws {
        let rule = try #require(StoryRule(text))
        #expect(rule.story(of: try JSONReader.read(Array("{\(members)}".utf8)), named: nil) == "s")
        for other in ["", #""altids":7"#, #""associations":[7,{"name":"translationOf"}]"#, #""extra":{"root":""}"#] {
            #expect(rule.story(of: try JSONReader.read(Array("{\(other)}".utf8)), named: nil) == nil, "\(other)")
        }
    }

    @Test(arguments: ["", "altids", "altids.", "storyid", "extra.root", "/a/*/*", "/~2"])
    func `a malformed path is refused`(_ text: String) {
        #expect(StoryRule(text) == nil)
    }

    @Test func `the items of one story in several languages are joined`() throws {
        var rules = SourceRules()
        rules.story = [
            try #require(StoryRule("altids.storyid")), try #require(StoryRule("associations.translationOf")),
        ]
        rules.revision = .versionCreated
        let translation = #""associations":{"translationOf":{"uri":"en1"}}"#
        let original = event(#""uri":"en1","language":"en""#, rules)
        let french = event(#""uri":"fr1","language":"fr",\#(translation)"#, rules)
        let both = event(#""uri":"de1","altids":{"storyid":"s"},\#(translation)"#, rules)
        #expect([original?.story, french?.story, both?.story] == ["en1", "en1", "s"])
        #expect([original?.id, french?.id] == ["en1#1772453400000", "fr1#1772453400000"])
        #expect(french?.revision == 1_772_453_400_000)
        let kill = event(#""uri":"fr1","pubstatus":"canceled",\#(translation)"#, rules)
        #expect(kill?.kind == .kill)
        #expect(kill?.story == "en1")
    }

    @Test func `the rewrites of a chain are on the story of its first item`() throws {
        var rules = SourceRules()
        rules.revision = .versionCreated
        let second = #""guid":"c","evolvedfrom":"b""#
        #expect(event(#""guid":"b","evolvedfrom":"a""#, rules)?.story == "a")
        #expect(event(#""guid":"b","rewrite_of":"a""#, rules)?.story == "a")
        #expect(event(second, rules)?.story == "b")
        rules.story = [try #require(StoryRule("/family_id"))]
        #expect(event(#"\#(second),"family_id":"a""#, rules)?.story == "a")
        #expect(event(second, rules)?.story == "b")
    }

    @Test func `the first path with a value counts`() throws {
        var rules = SourceRules()
        rules.story = ["/extra/root", "{story}?*"].compactMap(StoryRule.init)
        #expect(event(#""uri":"u?v=1","extra":{"root":"r"}"#, rules)?.story == "r")
        #expect(event(#""uri":"u?v=1","extra":{"root":null}"#, rules)?.story == "u")
        #expect(event(#""uri":"u""#, rules)?.story == "u")
        #expect(rules.story.map(\.joinsItems) == [true, false])
    }

    @Test func `a withdrawal that is too large is on the story that it shares`() throws {
        var rules = SourceRules()
        rules.story = ["associations.translationOf", "altids.storyid", "/family/id"].compactMap(StoryRule.init)
        for members in [
            #""associations":[{"name":"translationOf","uri":"s"}]"#, #""altids":{"storyid":"s"}"#,
            #""family":{"id":"s"}"#,
        ] {
            let body = String(repeating: "a", count: 2000)
            let text = #"{"uri":"u","pubstatus":"canceled",\#(members),"body_text":"\#(body)"}"#
            let outcome = EventDecoder(defaultSource: "urn:wire", format: .ninjs, rules: rules, maximumBytes: 1024)
                .decode(bytes: Array(text.utf8))
            guard case .event(let event, _) = outcome else {
                Issue.record("\(outcome)")
                continue
            }
            #expect(event.kind == .kill)
            #expect(event.story == "s")
        }
    }

    private func event(_ members: String, _ rules: SourceRules) -> NewsEvent? {
        let text = #"{"headline":"W","subject":["a"],"versioncreated":"2026-03-02T12:10:00Z",\#(members)}"#
        let outcome = EventDecoder(defaultSource: "urn:wire", format: .ninjs, rules: rules)
            .decode(bytes: Array(text.utf8))
        guard case .event(let event, warnings: []) = outcome else { return nil }
        return event
    }
}
