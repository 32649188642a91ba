import NewsflashStrictJSON
import NewsflashTimestamps
import Testing

@testable import NewsflashEvents

/// Members that only restrict: an unreadable one never counts as absent.
@Suite(.timeLimit(.minutes(1)))
struct FeedRestrictionTests {
    private static let unreadable = ["1772445600", "true", #"{"date":"2026-03-02"}"#, "[]", #""tonight""#, #""""#]
    /// Not an embargo in the items of feeds, whose systems write it for a missing value.
    private static let empty = #""""#
    private static let none = [
        "null", #""0001-01-01T00:00:00Z""#, #""0001-01-01T00:00:00""#, #""0001-01-01T00:00:00.0000000+00:00""#,
    ]

    private static func item(_ members: String) -> String {
        #"{"uri":"u","version":"2","versioncreated":"2026-03-02T08:00:00Z","language":"en","headline":"H","subject":["a"],"#
            + members + "}"
    }

    private static func event(_ members: String) -> String {
        #"{"v":1,"id":"e","story":"u","revision":2,"kind":"alert","published":"2026-03-02T08:00:00Z","categories":["a"],"#
            + #""text":{"en":{"headline":"H"}},"# + members + "}"
    }

    private static func decode(_ text: String, _ format: SourceFormat = .ninjs, _ rules: SourceRules = SourceRules())
        -> DecodeOutcome
    {
        EventDecoder(defaultSource: "urn:wire", format: format, rules: rules).decode(bytes: Array(text.utf8))
    }

    private static let house = FieldMapping(
        members: [
            .story: [FieldRule(FieldPointer("/uri"))], .revision: [FieldRule(FieldPointer("/version"))],
            .published: [FieldRule(FieldPointer("/versioncreated"))],
            .categories: [FieldRule(FieldPointer("/subject/*"))],
            .embargo: [FieldRule(FieldPointer("/embargo"))], .expires: [FieldRule(FieldPointer("/expires"))],
            .users: [FieldRule(FieldPointer("/to/*"))], .delivery: [FieldRule(FieldPointer("/delivery"))],
            .kind: [
                FieldRule(FieldPointer("/type"), map: ["BREAKING": "flash", "DELETED": "kill"], default: "update")
            ],
            .mode: [
                FieldRule(FieldPointer("/a"), map: ["true": "test"]),
                FieldRule(FieldPointer("/b"), map: ["x": "backfill"]),
            ],
            .skip: [
                FieldRule(FieldPointer("/referent_update")), FieldRule(FieldPointer("/form"), map: ["page": "true"]),
            ],
        ],
        texts: .one(FieldMapping.Text(headline: [FieldRule(FieldPointer("/headline"))]))
    )

    // MARK: Embargo and expiry

    @Test(arguments: ["embargoed", "embargoedUntil", "publish_schedule", "Embargoed", "EMBARGOEDUNTIL"])
    func `an unreadable embargo of an item holds its story`(_ name: String) {
        for value in Self.unreadable where value != Self.empty && value != "[]" {
            for more in ["", #","publish_schedule":"2026-03-02T12:00:00+0000""#]
            where more == "" || !name.hasPrefix("p") {
                let rejected = rejection(of: Self.decode(Self.item(#""\#(name)":\#(value)\#(more)"#)))
                #expect(rejected?.holdsStory == true, "\(value)")
                #expect(rejected?.story == "u")
                #expect(rejected?.detail.contains("/embargo: must be a date-time") == true, "\(value)")
                #expect(rejected?.detail.contains("(read from /\(name))") == true, "\(value)")
            }
        }
        for value in Self.none + [Self.empty, "[]", "{}", "false"] {
            guard case .event(let event, []) = Self.decode(Self.item(#""\#(name)":\#(value)"#)) else {
                Issue.record("\(value): \(Self.decode(Self.item(#""\#(name)":\#(value)"#)))")
                continue
            }
            #expect(event.embargo == nil)
        }
    }

    @Test(
        arguments: [
            "embargo", "embargo_until", "embargoUntil", "embargoDate", "EMBARGO_DATE", "embargoedUntil", "notBefore",
            "not_before",
        ]
    )
    func `a member with the name of an embargo is an embargo`(_ name: String) {
        let time = #""2026-03-02T12:00:00Z""#
        guard case .event(let event, []) = Self.decode(Self.item(#""\#(name)":\#(time)"#)) else {
            return #expect(Bool(false))
        }
        #expect(event.embargo == Timestamp(rfc3339: "2026-03-02T12:00:00Z"))
        #expect(rejection(of: Self.decode(Self.item(#""\#(name)":"tonight""#)))?.holdsStory == true)
        #expect(rejection(of: Self.decode(Self.item(#""\#(name)":"""#))) == nil)
        let item = Self.item(#""x":1"#)
        for outer in [
            #"{"data":{"item":\#(item),"\#(name)":\#(time)}}"#, #"{"\#(name)":\#(time),"data":{"item":\#(item)}}"#,
        ] {
            guard case .event(let event, []) = Self.decode(outer, .ap) else { return #expect(Bool(false)) }
            #expect(event.embargo == Timestamp(rfc3339: "2026-03-02T12:00:00Z"))
        }
    }

    @Test(
        arguments: [
            #""type":["picture"]"#, #""type":["text","picture"]"#, #""type":{"qcode":"ninat:picture"}"#, #""type":7"#,
            #""type":["event"]"#, #""Type":"picture""#, #""type":"http://cv.iptc.org/newscodes/ninature/picture""#,
            #""representationtype":"Incomplete""#, #""representationType":["PARTIAL"]"#,
            #""RepresentationType":"partial""#,
            #""representationtype":{"qcode":"rep:incomplete"}"#, #""representationtype":7"#,
        ]
    )
    func `an item of another type or an incomplete one is not for push in any spelling`(_ members: String) {
        let outcome = Self.decode(Self.item(members))
        #expect(outcome.isWithheld)
    }

    @Test(
        arguments: [
            #""type":["text"]"#, #""type":{"qcode":"ninat:text"}"#,
            #""type":"http://cv.iptc.org/newscodes/ninature/text""#,
            #""representationtype":"Complete""#, #""representationtype":["complete"]"#, #""type":"""#, #""type":null"#,
        ]
    )
    func `a complete item of text is for push in any spelling`(_ members: String) {
        #expect(!Self.decode(Self.item(members)).isWithheld)
    }

    @Test func `an embargo of .NET without a time does not hide a real one`() {
        let both = #""embargoed":"0001-01-01T00:00:00Z","publish_schedule":"2026-03-02T12:00:00+0000""#
        guard case .event(let event, []) = Self.decode(Self.item(both)) else { return #expect(Bool(false)) }
        #expect(event.embargo == Timestamp(rfc3339: "2026-03-02T12:00:00Z"))
    }

    @Test func `an unreadable embargo holds the story of an event and of a mapped document`() {
        for value in Self.unreadable {
            #expect(rejection(of: Self.decode(Self.event(#""embargo":\#(value)"#), .event))?.holdsStory == true)
            let mapped = rejection(of: Self.decode(Self.item(#""embargo":\#(value)"#), .fields(Self.house)))
            #expect(mapped?.holdsStory == true, "\(value)")
            #expect(mapped?.detail.contains("(read from /embargo)") == true, "\(value)")
        }
        for value in Self.none {
            #expect(rejection(of: Self.decode(Self.event(#""embargo":\#(value)"#), .event)) == nil, "\(value)")
            #expect(
                rejection(of: Self.decode(Self.item(#""embargo":\#(value)"#), .fields(Self.house))) == nil,
                "\(value)"
            )
        }
    }

    @Test func `an unreadable expiry, audience or delivery makes the event refused`() {
        let cases = [
            (#""expires":5"#, SourceFormat.ninjs), (#""expires":true"#, .ninjs), (#""expires":"soon""#, .ninjs),
            (#""expires":5"#, .event), (#""expires":{}"#, .fields(Self.house)), (#""to":[{}]"#, .fields(Self.house)),
            (#""to":["a",[]]"#, .fields(Self.house)), (#""delivery":{}"#, .fields(Self.house)),
            (#""delivery":7"#, .event), (#""audience":{}"#, .event), (#""audience":5"#, .event),
        ]
        for (members, format) in cases {
            let text = format == .event ? Self.event(members) : Self.item(members)
            #expect(rejection(of: Self.decode(text, format))?.reason == .schema, "\(members)")
        }
    }

    // MARK: Mapped documents

    @Test(
        arguments: [
            (#""type":"DELETED""#, EventKind.kill), (#""type":"deleted""#, .kill), (#""type":"Breaking""#, .flash),
            (#""type":"Kill""#, .kill), ("\"other\":1", .update), (#""type":null"#, .update),
            (#""type":"RETRACTED""#, nil),
            (#""type":"""#, nil), (#""type":{}"#, nil), (#""type":["DELETED"]"#, nil), (#""type":7"#, nil),
        ] as [(String, EventKind?)]
    )
    func `the default of a kind is used only if the kind is absent`(_ members: String, _ kind: EventKind?) {
        switch Self.decode(Self.item(members), .fields(Self.house)) {
        case .event(let event, []):
            #expect(event.kind == kind)
            #expect(event.id == (kind == .kill ? "u#2!kill" : "u#2"))
        case .rejected(let rejection):
            #expect(kind == nil)
            #expect(rejection.holdsStory)
            #expect(rejection.detail.contains("(read from /type)"))
        default: Issue.record("\(Self.decode(Self.item(members), .fields(Self.house)))")
        }
    }

    @Test(
        arguments: [
            (#""a":true"#, EventMode.test), (#""a":true,"b":"x""#, .backfill), (#""a":false,"b":"y""#, nil),
            (#""b":"x""#, .backfill), (#""a":{}"#, nil), (#""a":false"#, .live),
        ] as [(String, EventMode?)]
    )
    func `the strictest of several rules for the mode counts`(_ members: String, _ mode: EventMode?) {
        guard case .event(let event, []) = Self.decode(Self.item(members), .fields(Self.house)) else {
            return #expect(mode == nil)
        }
        #expect(event.mode == mode)
    }

    @Test(arguments: [
        (#""referent_update":true"#, true), (#""form":"page""#, true), (#""form":"article""#, false),
        (#""referent_update":false,"form":"page""#, true), (#""referent_update":false"#, false),
    ])
    func `any matching skip rule makes a document not for push`(_ members: String, _ isSkipped: Bool) {
        guard case .event(let event, []) = Self.decode(Self.item(members), .fields(Self.house)) else {
            return #expect(Bool(false))
        }
        #expect((event.withheld != nil) == isSkipped)
        let killed = Self.decode(Self.item(members + #","type":"DELETED""#), .fields(Self.house))
        guard case .event(let kill, []) = killed else { return #expect(Bool(false)) }
        #expect(kill.kind == .kill)
        #expect(kill.withheld == nil)
    }

    // MARK: Status

    @Test func `each status of one version is an act of its own`() {
        let ids = ["usable", "withheld", "canceled"].map { status -> String? in
            guard case .event(let event, []) = Self.decode(Self.item(#""pubstatus":"\#(status)""#)) else { return nil }
            return event.id
        }
        #expect(ids == ["u#2", "u#2!withheld", "u#2!canceled"])
        let long = Self.item(#""pubstatus":"canceled""#).replacing(
            #""u""#,
            with: #""urn:\#(String(repeating: "é", count: 300))""#
        )
        guard case .event(let event, []) = Self.decode(long) else { return #expect(Bool(false)) }
        #expect(event.id.hasPrefix("sha256:") && event.id.hasSuffix("!canceled"))
        #expect(event.id.utf8.count <= 128)
        #expect(event.story.hasPrefix("sha256:") && event.story.utf8.count == 71)
    }

    @Test func `a status that withdraws counts beside an unknown one, whatever the case of its name`() {
        for name in ["pubstatus", "PubStatus", "PUBSTATUS"] {
            let outcome = Self.decode(Self.item(#""\#(name)":"canceled","pubStatus":"7""#))
            guard case .event(let event, let warnings) = outcome else { return #expect(Bool(false), "\(outcome)") }
            #expect(event.kind == .kill)
            #expect(warnings.map(\.rawValue) == ["withdrawal.faulty"])
            #expect(
                warnings.first?.detail
                    == "/pubStatus: must be one of usable, withheld, canceled, is '7'; status of the source can map it"
            )
        }
    }
}
