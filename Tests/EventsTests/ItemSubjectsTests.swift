import Testing

@testable import NewsflashEvents

@Suite(.timeLimit(.minutes(1)))
struct ItemSubjectsTests {
    @Test(
        arguments: [
            (
                #"{"literal":"16000000","uri":"http://tt.se/spec/subref/1.0/16000000"}"#,
                "http://tt.se/spec/subref/1.0/16000000|medtop:16000000"
            ),
            (
                #"{"code":"war","qcode":"medtop:16000000","uri":"http://cv.iptc.org/newscodes/mediatopic/16000000"}"#,
                "war|medtop:16000000"
            ),
            (#"{"code":"16000000","qcode":"medtop:16000000"}"#, "medtop:16000000"),
            (#"{"code":"two words","literal":"war"}"#, "war"),
            (#"{"code":"16000000","scheme":"IPTC Media Topics"}"#, "medtop:16000000"),
            (#"{"code":"15000000","scheme":"iptc_subject_code"}"#, "subj:15000000"),
            (#"{"code":"15000000","scheme":"House Codes"}"#, "House-Codes:15000000"),
            (#"{"uri":"http://cv.iptc.org/newscodes/mediatopic/16000000/"}"#, "medtop:16000000"),
            (#"{"uri":"http://cv.iptc.org/newscodes/mediatopic/16000000?lang=en"}"#, "medtop:16000000"),
            (#"{"uri":"https://cv.example.org/42?lang=en"}"#, "https://cv.example.org/42"),
            (#"{"name":"sport","rel":"about"}"#, "sport"), (#"{"name":"Business & Finance"}"#, "Business-Finance"),
            (#"{"name":"conflict, war and peace"}"#, "conflict-war-and-peace"), (#"{"name":"sport","code":"s"}"#, "s"),
        ]
    )
    func `each code of a subject counts`(_ subject: String, _ category: String) {
        var rules = SourceRules()
        rules.categories = ["world"]
        #expect(categories(of: #""subject":[\#(subject)]"#, rules) == [category])
    }

    @Test(
        arguments: [
            (#"{"code":"15000000","scheme":"subject_custom"}"#, "subj:15000000"),
            (#"{"code":"15000000","scheme":"Subject_Custom"}"#, "subj:15000000"),
            (#"{"code":"16000000","scheme":"http://tt.se/"}"#, "medtop:16000000"),
            (#"{"code":"house:42"}"#, "desk:42"), (#"{"code":"42","scheme":"house"}"#, "desk:42"),
            (#"{"code":"42","scheme":"other"}"#, "other:42"), (#"{"code":"42"}"#, "42"),
        ]
    )
    func `a scheme has the prefix that the newsroom gives it`(_ subject: String, _ category: String) {
        var rules = SourceRules()
        rules.schemes = ["subject_custom": "subj", "http://tt.se/": "medtop", "house": "desk"]
        #expect(categories(of: #""subject":[\#(subject)]"#, rules) == [category])
    }

    @Test(arguments: ["", #""subject":[]"#, #""subject":[{}]"#, #""subject":null"#, #""places":[null]"#])
    func `an item without subjects has the categories of its source`(_ members: String) {
        var rules = SourceRules()
        rules.categories = ["world", "medtop:16000000"]
        #expect(categories(of: members, rules) == rules.categories)
        #expect(categories(of: members) == nil)
    }

    @Test(
        arguments: [
            #""place":[{"code":"cz-10"}]"#, #""place":[{"name":"Praha"}]"#, #""place":[{"code":"CZ010"}]"#,
            #""place":[{"uri":"http://www.wikidata.org/entity/Q1085"}]"#, #""place":"Praha""#, #""place":[5]"#,
            #""places":{"code":"Prague"}"#, #""place":{"x":{"name":"Praha"}}"#, #""subject":[5]"#,
            #""subject":[{"code":"two words"}]"#, #""subject":[{"name":7}]"#, #""subject":[{"name":"Économie"}]"#,
            #""subject":[{"code":"|"}]"#, #""subject":[{"uri":"http://cv.iptc.org/newscodes/mediatopic/?lang=en"}]"#,
            #""subjects":[],"subject":[{"code":"two words"}]"#, #""Place":[{"name":"Praha"}]"#,
        ]
    )
    func `an item with unreadable subjects and places is never for everybody`(_ members: String) {
        var rules = SourceRules()
        rules.categories = ["world"]
        #expect(rejection(of: decode(members, rules))?.detail.contains("/categories") == true)
    }

    @Test(
        arguments: [
            (#""subject":"medtop:15000000""#, ["medtop:15000000"]), (#""subjects":[],"subject":["a"]"#, ["a"]),
            (#""subject":{"code":"a","name":"b"}"#, ["a"]), (#""Subject":["a"]"#, ["a"]),
            (#""subject":{"x":{"code":"a"}}"#, ["a"]),
        ]
    )
    func `subjects of other forms are read`(_ members: String, _ found: [String]) {
        var rules = SourceRules()
        rules.categories = ["world"]
        #expect(categories(of: members, rules) == found)
    }

    @Test(
        arguments: [
            (#""subject":["a"]"#, true), (#""subject":["a"],"place":[{"code":"CZ-10"}]"#, false),
            (#""subject":["a"],"place":[{"name":"Praha"}]"#, false), (#""subject":["a",{"code":"two words"}]"#, false),
        ]
    )
    func `the categories of the source do not replace an area`(_ members: String, _ areSpare: Bool) {
        var rules = SourceRules()
        rules.categories = ["world"]
        guard case .event(let event, _) = decode(members, rules) else { return #expect(Bool(false)) }
        #expect(event.spareCategories == (areSpare ? ["world"] : []))
    }

    @Test func `a place with several codes is listed once`() {
        let place = #"{"code":"CZ","uri":"http://cv.iptc.org/newscodes/country/CZ"}"#
        #expect(categories(of: #""subject":["a"],"place":[\#(place)]"#) == ["a", "geo:CZ"])
    }

    @Test func `a list beyond its limit is cut with a warning, keywords first`() {
        let keywords = (0..<64).map { #"{"code":"kw\#($0)"}"# }.joined(separator: ",")
        let more = #""subject":[\#(keywords),{"code":"16000000"}],"place":[{"code":"CZ"}]"#
        guard case .event(let event, let warnings) = decode(more) else {
            Issue.record("no event")
            return
        }
        #expect(warnings == [.categoriesCut])
        #expect(event.categories.count == 64)
        #expect(event.categories.prefix(3) == ["medtop:16000000", "geo:CZ", "kw0"])
        guard case .event(let all, warnings: []) = decode(#""subject":[\#(keywords)]"#) else {
            Issue.record("a warning without need")
            return
        }
        #expect(all.categories.last == "kw63")
    }

    @Test func `events must conform to their schema`() {
        func reason(_ categories: String) -> InvalidReason? {
            let text =
                #"{"v":1,"id":"a","story":"s","revision":1,"kind":"alert","published":"2026-03-02T08:00:00Z","#
                + #""categories":[\#(categories)],"text":{"en":{"headline":"H"}}}"#
            return EventsTests.reason(of: EventDecoder(defaultSource: "d").decode(bytes: Array(text.utf8)))
        }
        #expect(reason(#""a|b""#) == .schema)
        #expect(reason((0..<17).map { #""c\#($0)""# }.joined(separator: ",")) == .schema)
        #expect(reason(#""a""#) == nil)
    }

    private func categories(of members: String, _ rules: SourceRules = SourceRules()) -> [String]? {
        guard case .event(let event, warnings: []) = decode(members, rules) else { return nil }
        return event.categories
    }

    private func decode(_ members: String, _ rules: SourceRules = SourceRules()) -> DecodeOutcome {
        let more = members.isEmpty ? "" : ",\(members)"
        let text = #"{"uri":"u","version":"2","headline":"W","versioncreated":"2026-03-02T12:10:00Z"\#(more)}"#
        return EventDecoder(defaultSource: "urn:wire", format: .ninjs, rules: rules).decode(bytes: Array(text.utf8))
    }
}
