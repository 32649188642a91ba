import NewsflashStrictJSON
import NewsflashTimestamps
import Testing

@testable import NewsflashEvents

/// Members of mapped documents that only restrict.
@Suite(.timeLimit(.minutes(1)))
struct FieldRestrictionTests {
    private static func rule(_ pointer: String, _ map: [String: String] = [:], time: FieldRule.Time? = nil) -> FieldRule
    {
        FieldRule(FieldPointer(pointer), map: map, time: time)
    }

    private static func decode(_ members: String, _ changed: [FieldMapping.Member: [FieldRule]]) -> DecodeOutcome {
        var mapped: [FieldMapping.Member: [FieldRule]] = [
            .story: [rule("/id")], .revision: [rule("/rev")], .published: [rule("/at")], .categories: [rule("/tags/*")],
            .kind: [rule("/type", ["DELETED": "kill"]), FieldRule(nil, default: "alert")],
        ]
        mapped.merge(changed) { $1 }
        let mapping = FieldMapping(members: mapped, texts: .one(FieldMapping.Text(headline: [rule("/title")])))
        let document = #"{"id":"s","rev":2,"at":"2026-03-02T08:00:00Z","tags":["a"],"title":"Words",\#(members)}"#
        return EventDecoder(defaultSource: "urn:house", format: .fields(mapping))
            .decode(bytes: Array(document.utf8), writtenAt: Timestamp(seconds: 1_772_440_000))
    }

    private static func event(_ outcome: DecodeOutcome) -> NewsEvent? {
        if case .event(let event, _) = outcome { event } else { nil }
    }

    // MARK: The path of a pointer

    private static let noon = #""2026-03-02T12:00:00Z""#

    @Test(arguments: [
        noon, "[\(noon)]", "5", "true", #"[{"embargo":\#(noon)}]"#, #"{"embargo":{}}"#, #"{"embargo":[]}"#,
        #"{"embargo":"x"}"#,
    ])
    func `an embargo whose parent has another type holds its story`(_ release: String) {
        let outcome = Self.decode(#""release":\#(release)"#, [.embargo: [Self.rule("/release/embargo")]])
        #expect(rejection(of: outcome)?.holdsStory == true, "\(outcome)")
        #expect(rejection(of: outcome)?.detail.contains("(read from /release/embargo)") == true, "\(outcome)")
    }

    @Test(arguments: ["null", "{}", "[]", #"{"embargo":null}"#, #"{"other":1}"#])
    func `an embargo that is null or absent is not an embargo`(_ release: String) {
        let event = Self.event(Self.decode(#""release":\#(release)"#, [.embargo: [Self.rule("/release/embargo")]]))
        #expect(event != nil && event?.embargo == nil)
    }

    @Test func `an embargo counts whatever the case of its name`() {
        for release in [#"{"embargo":\#(Self.noon)}"#, #"{"Embargo":\#(Self.noon)}"#] {
            let event = Self.event(Self.decode(#""Release":\#(release)"#, [.embargo: [Self.rule("/release/embargo")]]))
            #expect(event?.embargo == Timestamp(rfc3339: "2026-03-02T12:00:00Z"))
        }
    }

    @Test(
        arguments: [
            (#""secure""#, nil), (#"["secure"]"#, nil), ("5", nil), (#"{"delivery":"secure"}"#, .secure),
            (#"{"delivery":null}"#, .open), ("null", .open), (#"{"delivery":"open","other":"secure"}"#, .secure),
            (#"{"delivery":"open","other":"perhaps"}"#, nil), (#"{"other":"open"}"#, .open),
        ] as [(String, EventDelivery?)]
    )
    func `an unclear delivery is refused, and the strictest of several counts`(
        _ flags: String,
        _ delivery: EventDelivery?
    ) {
        let rules: [FieldMapping.Member: [FieldRule]] = [
            .delivery: [Self.rule("/flags/delivery"), Self.rule("/flags/other")]
        ]
        let outcome = Self.decode(#""flags":\#(flags)"#, rules)
        #expect(Self.event(outcome)?.delivery == delivery, "\(outcome)")
        let killed = Self.event(Self.decode(#""type":"DELETED","flags":\#(flags)"#, rules))
        #expect(killed?.kind == .kill)
    }

    @Test(
        arguments: [
            (#"["anna"]"#, "/to/*", ["anna"]), (#""anna""#, "/to/*", nil), ("5", "/to/*", nil),
            (#"["anna",null]"#, "/to/*", nil),
            (#"[{"name":"anna"}]"#, "/to/*/name", ["anna"]), (#"[{"nme":"anna"}]"#, "/to/*/name", nil),
            (#"[{"name":"anna"},{"nme":"ben"}]"#, "/to/*/name", nil), (#"["anna"]"#, "/to/*/name", nil),
            (#"{"name":"anna"}"#, "/to/*/name", nil), (#"[{"name":null}]"#, "/to/*/name", nil),
            ("null", "/to/*/name", []),
            ("[]", "/to/*/name", []),
        ] as [(String, String, [String]?)]
    )
    func `no person is left out of the users`(_ users: String, _ pointer: String, _ expected: [String]?) {
        let outcome = Self.decode(#""to":\#(users)"#, [.users: [Self.rule(pointer)]])
        #expect(Self.event(outcome)?.users == expected, "\(outcome)")
    }

    // MARK: Times

    @Test(arguments: [
        ("0001-01-01T00:00:00Z", "2026-03-02T12:00:00Z", "2026-03-02T12:00:00Z"),
        ("2026-03-02T10:00:00Z", "2026-03-02T14:00:00Z", "2026-03-02T14:00:00Z"),
        ("2026-03-02T14:00:00Z", "2026-03-02T10:00:00Z", "2026-03-02T14:00:00Z"),
        ("2026-03-02T14:00:00Z", "1970-01-01T00:00:00Z", "2026-03-02T14:00:00Z"),
    ])
    func `the latest of several embargoes and the earliest of several expiries count`(
        _ first: String,
        _ second: String,
        _ latest: String
    ) {
        let members = #""a":"\#(first)","b":"\#(second)","x":"2026-03-03T08:00:00Z","y":"2026-03-02T20:00:00Z""#
        let rules: [FieldMapping.Member: [FieldRule]] = [
            .embargo: [Self.rule("/a"), Self.rule("/b")], .expires: [Self.rule("/x"), Self.rule("/y")],
        ]
        let event = Self.event(Self.decode(members, rules))
        #expect(event?.embargo == Timestamp(rfc3339: latest))
        #expect(event?.expires == Timestamp(rfc3339: "2026-03-02T20:00:00Z"))
        #expect(rejection(of: Self.decode(#""a":"\#(latest)","b":"tonight""#, rules))?.holdsStory == true)
    }

    private static let noEmbargo = [
        "0", "-1", "-62135596800", #""1970-01-01T00:00:00Z""#, #""1970-01-01T01:00:00+01:00""#,
        #""1970-01-01T00:00:00-05:00""#,
        #""1900-01-01T00:00:00Z""#, #""0001-01-01T00:00:00Z""#, #""0001-01-01""#, #""0000-00-00 00:00:00""#, "null",
    ]
    private static let unreadable = [
        #""0001-01-01T00:00:002026-03-02""#, #""0001-01-01T00:00:00Zx""#, #""0000-00-00 noon""#, #""1970""#,
        #""19700101""#,
        "1e300", "false", #""tonight""#, "{}",
    ]

    @Test func `zero and null dates are not an embargo, and other values without a time are unreadable`() {
        let form: [FieldMapping.Member: [FieldRule]] = [.embargo: [Self.rule("/embargo", time: .epochSeconds)]]
        for value in Self.noEmbargo + ["1.5"] {
            let outcome = Self.decode(#""embargo":\#(value)"#, form)
            #expect(Self.event(outcome) != nil && Self.event(outcome)?.embargo == nil, "\(value): \(outcome)")
        }
        let item = #"{"uri":"u","version":"2","versioncreated":"2026-03-02T08:00:00Z","headline":"H","subject":["a"],"#
        let event =
            #"{"v":1,"id":"e","story":"u","revision":2,"kind":"alert","published":"2026-03-02T08:00:00Z","categories":["a"],"#
            + #""text":{"en":{"headline":"H"}},"#
        for (text, name, format) in [(item, "embargoed", SourceFormat.ninjs), (event, "embargo", .event)] {
            func decode(_ value: String) -> DecodeOutcome {
                EventDecoder(defaultSource: "urn:wire", format: format)
                    .decode(bytes: Array("\(text)\"\(name)\":\(value)}".utf8))
            }
            for value in Self.noEmbargo {
                #expect(
                    Self.event(decode(value)) != nil && Self.event(decode(value))?.embargo == nil,
                    "\(name): \(value)"
                )
            }
            for value in Self.unreadable where format == .event || !["false", "{}"].contains(value) {
                #expect(rejection(of: decode(value))?.holdsStory == true, "\(name): \(value): \(decode(value))")
            }
        }
    }

    // MARK: Mode and skip

    @Test(
        arguments: [
            ("true", .test), (#""true""#, .test), (#""True""#, .test), (#""TRUE""#, .test), ("1", .test),
            (#""yes""#, .test),
            (#""on""#, .test), (#""test""#, .test), (#""Backfill""#, .backfill), ("false", .live), (#""False""#, .live),
            ("0", .live), (#""no""#, .live), ("null", .live), (#""live""#, .live), (#""drill""#, nil), ("2", nil),
            ("[true]", nil),
            ("{}", nil), (#""""#, nil),
        ] as [(String, EventMode?)]
    )
    func `a drill is never live by accident`(_ drill: String, _ mode: EventMode?) {
        let rules: [FieldMapping.Member: [FieldRule]] = [.mode: [Self.rule("/drill", ["true": "test"])]]
        let outcome = Self.decode(#""drill":\#(drill)"#, rules)
        #expect(Self.event(outcome)?.mode == mode, "\(outcome)")
        if mode == nil {
            #expect(rejection(of: outcome)?.detail.hasPrefix("/mode: ") == true, "\(outcome)")
            #expect(rejection(of: outcome)?.detail.hasSuffix("(read from /drill)") == true, "\(outcome)")
            #expect(Self.event(Self.decode(#""drill":\#(drill),"type":"DELETED""#, rules))?.kind == .kill)
        }
    }

    @Test(
        arguments: [
            (#""staging""#, .test), (#""Staging""#, .test), (#""production""#, .live), (#""training""#, nil),
            ("false", nil),
        ] as [(String, EventMode?)]
    )
    func `a value that is missing in the map of a mode makes the event refused`(_ word: String, _ mode: EventMode?) {
        let map = ["staging": "test", "production": "live"]
        #expect(Self.event(Self.decode(#""env":\#(word)"#, [.mode: [Self.rule("/env", map)]]))?.mode == mode)
    }

    @Test(
        arguments: [
            ("/old", "true", true), ("/old", #""True""#, true), ("/old", "1", true), ("/old", #""yes""#, true),
            ("/old", "false", false), ("/old", "0", false), ("/old", "null", false), ("/old", "[true]", nil),
            ("/old", #"{"a":true}"#, nil), ("/old", #""perhaps""#, nil), ("/old/is", "true", nil),
        ] as [(String, String, Bool?)]
    )
    func `a document that may be not for push is not sent`(_ pointer: String, _ value: String, _ isSkipped: Bool?) {
        let outcome = Self.decode(#""old":\#(value)"#, [.skip: [Self.rule(pointer)]])
        #expect(Self.event(outcome).map { $0.withheld != nil } == isSkipped, "\(outcome)")
        for word in [#""gallery""#, #""Gallery""#] {
            let mapped = Self.decode(#""form":\#(word)"#, [.skip: [Self.rule("/form", ["gallery": "true"])]])
            #expect(Self.event(mapped)?.withheld != nil)
        }
    }

    // MARK: Categories

    @Test func `up to 64 categories are mapped`() {
        let codes = (0..<70).map { "\"c\($0)\"" }.joined(separator: ",")
        guard
            case .event(let event, let warnings) = Self.decode(
                #""codes":[\#(codes)]"#,
                [.categories: [Self.rule("/codes/*")]]
            )
        else { return #expect(Bool(false)) }
        #expect(event.categories.count == 64)
        #expect(warnings == [.categoriesCut])
    }
}
