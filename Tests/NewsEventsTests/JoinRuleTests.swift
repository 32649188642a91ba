import StrictJSON
import Testing

@testable import NewsEvents

@Suite(.timeLimit(.minutes(1)))
struct JoinRuleTests {
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
        let rule = try #require(JoinRule(text))
        #expect(rule.story(of: try JSONReader.read(Array("{\(members)}".utf8))) == "s")
        for other in ["", #""altids":7"#, #""associations":[7,{"name":"translationOf"}]"#, #""extra":{"root":""}"#] {
            #expect(rule.story(of: try JSONReader.read(Array("{\(other)}".utf8))) == nil, "\(other)")
        }
    }

    @Test(arguments: ["", "altids", "altids.", "storyid", "extra.root", "/a/*/*", "/~2"])
    func `what is not a place is refused`(_ text: String) {
        #expect(JoinRule(text) == nil)
    }

    @Test func `the items of one story in several languages are joined`() throws {
        var rules = SourceRules()
        rules.joinedBy = [
            try #require(JoinRule("altids.storyid")), try #require(JoinRule("associations.translationOf")),
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

    @Test func `the rewrites of a chain are on the story of its root`() throws {
        var rules = SourceRules()
        rules.revision = .versionCreated
        let second = #""guid":"c","evolvedfrom":"b""#
        #expect(event(#""guid":"b","evolvedfrom":"a""#, rules)?.story == "a")
        #expect(event(#""guid":"b","rewrite_of":"a""#, rules)?.story == "a")
        #expect(event(second, rules)?.story == "b")
        rules.joinedBy = [try #require(JoinRule("/family_id"))]
        #expect(event(#"\#(second),"family_id":"a""#, rules)?.story == "a")
        #expect(event(second, rules)?.story == "b")
    }

    private func event(_ members: String, _ rules: SourceRules) -> NewsEvent? {
        let text = #"{"headline":"W","subject":["a"],"versioncreated":"2026-03-02T12:10:00Z",\#(members)}"#
        let outcome = EventDecoder(defaultSource: "urn:wire", format: .ninjs, rules: rules)
            .decode(bytes: Array(text.utf8))
        guard case .event(let event, warnings: []) = outcome else { return nil }
        return event
    }
}
