import NewsflashStrictJSON
import NewsflashTimestamps
import Testing

@testable import NewsflashEvents

@Suite(.timeLimit(.minutes(1)))
struct FieldMappingTests {
    private static let document = """
        {"a/b":{"~c":"slash"},"list":[{"code":"x"},{"code":"y"},{"no":1},{"code":null}],"n":7,"t":true,"s":"","o":{"k":"v"},
        "seconds":1772453400.5,"milliseconds":"1772453400500","date":"2026-03-02T12:10:00+0000"}
        """

    @Test(arguments: [
        ("/a~1b/~0c", ["slash"]), ("/list/*/code", ["x", "y"]), ("/list/1/code", ["y"]), ("/list/01/code", []),
        ("/list/-/code", []),
        ("/n", ["7"]), ("/t", ["true"]), ("/s", []), ("/o/*", ["v"]), ("/missing", []), ("/o", []),
        ("/list/99999999999999999999", []),
    ])
    func `a pointer finds its value`(_ pointer: String, _ expected: [String]) throws {
        let document = try JSONReader.read(Self.document)
        let rule = FieldRule(FieldPointer(pointer))
        #expect(rule.values(in: document).map(\.text) == expected)
    }

    @Test(arguments: ["a", "a/b", "/a~", "/a~2", "/*/a/*", "#/a"]) func `a malformed pointer is refused`(_ text: String)
    {
        #expect(FieldPointer(text) == nil)
    }

    @Test func `a value may be mapped, replaced and prefixed`() throws {
        let document = try JSONReader.read(Self.document)
        let pointer = FieldPointer("/list/*/code")
        func texts(_ rule: FieldRule) -> [String] { rule.values(in: document).map(\.text) }
        #expect(texts(FieldRule(pointer, map: ["x": "z"])) == ["z", "y"])
        #expect(texts(FieldRule(pointer, map: ["x": "z"], default: "d")) == ["z", "y"])
        #expect(texts(FieldRule(pointer, map: ["x": "", "y": ""], default: "d")) == ["d"])
        #expect(texts(FieldRule(pointer, map: ["x": "z"], prefix: "p:")) == ["p:z", "p:y"])
        #expect(texts(FieldRule(FieldPointer("/missing"), default: "d", prefix: "p:")) == ["d"])
        #expect(texts(FieldRule(nil, default: "d")) == ["d"])
    }

    @Test(arguments: [
        ("/seconds", FieldRule.Time.epochSeconds, "2026-03-02T12:10:00.500Z"),
        ("/milliseconds", .epochMilliseconds, "2026-03-02T12:10:00.500Z"),
        ("/date", .rfc3339, "2026-03-02T12:10:00+00:00"),
        ("/o/k", .epochSeconds, "v"),
    ])
    func `times in the configured form are read`(_ pointer: String, _ form: FieldRule.Time, _ expected: String) throws {
        let document = try JSONReader.read(Self.document)
        let rule = FieldRule(FieldPointer(pointer), time: form)
        #expect(rule.values(in: document).first?.time == expected)
    }

    @Test(arguments: ["1e400", "-1e400", "9223372036854775807", "-5", "1e18"]) func `no number of seconds is too large`(
        _ number: String
    ) {
        let value = FieldValue(text: number, form: .epochSeconds)
        #expect(!value.time.isEmpty)
        _ = value.number
    }

    @Test func `a document of any form becomes an event`() {
        let outcome = decode(
            #"{"guid":"g","rev":"4","type":"NEWS","at":1772453400,"title_en":"Words","title_fr":"Mots","tags":["a","two words"]}"#
        )
        let event = NewsEvent(
            id: "g",
            source: "urn:feed",
            story: "g",
            revision: 4,
            kind: .alert,
            published: Timestamp(seconds: 1_772_453_400),
            categories: ["tag:a"],
            text: [EventText(language: "en", headline: "Words"), EventText(language: "fr", headline: "Mots")]
        )
        #expect(outcome == .event(event, warnings: []))
    }

    @Test func `users and delivery may come from the document too`() {
        let text = #"{"guid":"g","rev":4,"at":1772453400,"title_en":"Words","to":["anna","ben","anna"],"private":true}"#
        guard case .event(let event, _) = decode(text) else {
            return #expect(Bool(false))
        }
        #expect(event.users == ["anna", "ben"])
        #expect(event.delivery == .secure)
        #expect(event.categories == [])
    }

    @Test func `a user with an impossible name and an unknown delivery are refused and never left out`() {
        let text = #"{"guid":"g","rev":4,"at":1772453400,"title_en":"Words","to":["anna","b c"],"private":"perhaps"}"#
        let places = rejection(of: decode(text))?.detail.split(separator: "; ").map { $0.prefix { $0 != ":" } }
        #expect(places == ["/audience/users/1", "/delivery", "the story is held until a newer revision"])
    }

    @Test func `a kind that is not configured holds the story`() {
        let rejection = rejection(of: decode(#"{"guid":"g","rev":4,"type":"DELETED!","at":1772453400}"#))
        #expect(rejection?.reason == .status)
        #expect(rejection?.holdsStory == true)
        #expect(rejection?.story == "g")
        #expect(rejection?.revision == 4)
    }

    @Test func `the limits of events apply to mapped members too`() {
        let long = String(repeating: "x", count: 1025)
        let rejection = rejection(
            of: decode(#"{"guid":"g h","rev":"x","type":"NEWS","at":"noon","title_en":"\#(long)","tags":["a"]}"#)
        )
        #expect(rejection?.reason == .schema)
        let places = rejection?.detail.split(separator: "; ").map { $0.prefix { $0 != ":" } }
        #expect(places == ["/id", "/revision", "/published", "/text/en/headline"])
        #expect(rejection?.detail.contains("(read from /guid); /revision: ") == true)
        #expect(rejection?.detail.hasSuffix("(read from /title_en or /title_fr)") == true)
    }

    @Test func `the filter of pushes applies to mapped documents`() {
        var rules = SourceRules()
        rules.push.urgency = 1...2
        guard case .event(let event, _) = decode(#"{"guid":"g","rev":4,"at":1772453400,"prio":5}"#, rules) else {
            return #expect(Bool(false))
        }
        #expect(event.withheld == "suppressed.not_for_push")
    }

    private func decode(_ text: String, _ rules: SourceRules = SourceRules()) -> DecodeOutcome {
        func rule(
            _ pointer: String,
            map: [String: String] = [:],
            default standard: String? = nil,
            prefix: String = "",
            time: FieldRule.Time? = nil
        ) -> [FieldRule] {
            [FieldRule(FieldPointer(pointer), map: map, default: standard, prefix: prefix, time: time)]
        }
        let mapping = FieldMapping(
            members: [
                .id: rule("/guid"), .story: rule("/guid"), .revision: rule("/rev"), .urgency: rule("/prio"),
                .kind: [FieldRule(FieldPointer("/type"), map: ["NEWS": "alert"]), FieldRule(nil, default: "update")],
                .users: rule("/to/*"), .delivery: rule("/private", map: ["true": "secure", "false": "open"]),
                .published: rule("/at", time: .epochSeconds), .categories: rule("/tags/*", prefix: "tag:"),
            ],
            texts: .byLanguage(
                ["en", "fr"].map { language in
                    FieldMapping.LanguageText(
                        language: language,
                        text: FieldMapping.Text(headline: rule("/title_\(language)"))
                    )
                }
            )
        )
        return EventDecoder(defaultSource: "urn:feed", format: .fields(mapping), rules: rules).decode(
            bytes: Array(text.utf8)
        )
    }
}
