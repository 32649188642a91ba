import NewsflashTimestamps
import Testing

@testable import NewsflashEvents

/// Limits of records that are refused or not for push: older news of the story is not sent as if they were missing.
@Suite(.timeLimit(.minutes(1)))
struct RecordLimitsTests {
    /// 2026-03-02T08:05:00Z.
    private static let writtenAt = Timestamp(seconds: 1_772_438_700)

    private static func decode(
        _ text: String,
        _ format: SourceFormat = .event,
        _ rules: SourceRules = SourceRules(),
        maximumBytes: Int? = nil
    ) -> DecodeOutcome {
        EventDecoder(defaultSource: "urn:s", format: format, rules: rules, maximumBytes: maximumBytes)
            .decode(bytes: Array(text.utf8), writtenAt: writtenAt)
    }

    private static func event(_ members: String) -> String {
        #"{"v":1,"id":"e","story":"u","revision":2,"kind":"alert","published":"2026-03-02T08:00:00Z","#
            + #""text":{"en":{"headline":"H"}},\#(members)}"#
    }

    private static func item(_ members: String, version: String = #""version":"2","#) -> String {
        #"{"uri":"u",\#(version)"versioncreated":"2026-03-02T08:00:00Z","headline":"H","subject":["a"],"#
            + members + "}"
    }

    private static let house = FieldMapping(
        members: [
            .story: [FieldRule(FieldPointer("/uri"))], .revision: [FieldRule(FieldPointer("/version"))],
            .published: [FieldRule(FieldPointer("/versioncreated"))],
            .categories: [FieldRule(FieldPointer("/subject/*"))],
            .embargo: [FieldRule(FieldPointer("/embargo")), FieldRule(FieldPointer("/at"), time: .epochSeconds)],
            .expires: [FieldRule(FieldPointer("/expires"))],
            .users: [FieldRule(FieldPointer("/to/*"))], .skip: [FieldRule(FieldPointer("/skip"))],
            .kind: [FieldRule(FieldPointer("/type"), map: ["KILL": "kill"], default: "update")],
        ],
        texts: .one(FieldMapping.Text(headline: [FieldRule(FieldPointer("/headline"))]))
    )

    // MARK: The revision of a hold

    @Test(arguments: [
        #"{"uri":"u","headline":"x"#, item(#""embargoed":"soon""#, version: ""),
        item(#""pubstatus":"bogus""#, version: ""),
        item(#""embargoed":"soon""#, version: #""version":"two","#),
        item(#""pubstatus":"bogus""#, version: #""version":["1","2"],"#),
        "[\(item(#""pubstatus":"canceled""#, version: "")),\(item(#""x":1"#, version: ""))]",
        #"{"v":1,"story":"u","kind":"kill","id":"k"}"#,
    ])
    func `a hold without a version is below any version that comes later`(_ text: String) {
        let rejected = rejection(of: Self.decode(text, .ninjs))
        #expect(rejected?.holdsStory == true, "\(Self.decode(text, .ninjs))")
        #expect(rejected?.story == "u")
        #expect((rejected?.revision ?? 0) <= 1)
    }

    @Test func `a hold with a version, or from a source that counts by time, has its revision`() {
        #expect(rejection(of: Self.decode(Self.item(#""embargoed":"soon""#), .ninjs))?.revision == 2)
        var rules = SourceRules()
        rules.revision = .versionCreated
        let byTime = rejection(of: Self.decode(Self.item(#""embargoed":"soon""#, version: ""), .ninjs, rules))
        #expect(byTime?.revision == 1_772_438_400_000)
    }

    // MARK: Faulty records

    @Test(
        arguments: [
            (#""expires":"soon""#, true), (#""expires":5"#, true), (#""expires":"2026-03-02T08:00:00Z""#, true),
            (#""expires":"2026-03-02T08:04:00Z""#, true), (#""expires":"2026-03-02T09:00:00Z""#, false),
            (#""delivery":"sealed""#, true), (#""delivery":"secure""#, true), (#""delivery":"open""#, false),
            (#""audience":{"users":["a b"]}"#, true), (#""audience":{"users":["a"]}"#, true), (#""audience":5"#, true),
            (#""embargo":"soon""#, true), (#""embargo":"2026-03-02T12:00:00Z""#, true),
            (#""embargo":"2026-03-02T12:00:00Z","expires":"2026-03-02T11:00:00Z""#, true),
            (#""embargo":"2026-03-02T08:04:00Z""#, false), (#""note":5"#, false), (#""audience":null"#, false),
        ]
    )
    func `a faulty event holds its story if it has a member that restricts`(_ members: String, _ holds: Bool) {
        let text = Self.event(#""categories":["a"],"url":"http://a.example/",\#(members)"#)
        #expect(rejection(of: Self.decode(text))?.holdsStory == holds, "\(Self.decode(text))")
        let large = Self.event(#""categories":["a"],"other":"\#(String(repeating: "x", count: 5000))",\#(members)"#)
        #expect(rejection(of: Self.decode(large, maximumBytes: 4096))?.holdsStory == holds, "too large")
    }

    // MARK: Members that an event does not have

    @Test(
        arguments: [
            #""Delivery":"secure""#, #""Audience":{"users":["bob"]}"#, #""Embargo":"2026-03-02T15:00:00Z""#,
            #""embargoed":"2026-03-02T15:00:00Z""#, #""embargoUntil":"tonight""#, #""EMBARGO":5"#,
            #""users":["bob"]"#, #""Users":["bob"]"#, #""Mode":"test""#, #""EXPIRES":"2026-03-02T15:00:00Z""#,
            #""Kind":"kill""#, #""withdrawn":true"#, #""pubstatus":"canceled""#, #""state":["killed"]"#,
        ]
    )
    func `an unknown member that may restrict makes the event refused and holds its story`(_ member: String) {
        let rejected = rejection(of: Self.decode(Self.event(#""categories":["a"],\#(member)"#)))
        #expect(rejected?.reason == .schema)
        #expect(rejected?.holdsStory == true, "\(member)")
        #expect(rejected?.detail.contains("is unknown; ") == true)
        let kill =
            #"{"v":1,"id":"k","story":"u","revision":2,"kind":"kill","published":"2026-03-02T08:00:00Z",\#(member)}"#
        guard case .event(let event, let warnings) = Self.decode(kill) else { return #expect(Bool(false), "\(member)") }
        #expect(event.kind == .kill)
        #expect(warnings.map(\.rawValue) == ["withdrawal.faulty"])
    }

    @Test(
        arguments: [
            #""embargoed":null"#, #""Embargo":null"#, #""embargoReason":"none""#, #""withdrawn":false"#,
            #""status":"published""#, #""pubstatus":"usable""#, #""user":"bob""#, #""modes":"test""#,
            #""embargoed":"0001-01-01T00:00:00Z""#,
        ]
    )
    func `an unknown member that restricts nothing is ignored`(_ member: String) {
        #expect(rejection(of: Self.decode(Self.event(#""categories":["a"],\#(member)"#))) == nil)
    }

    // MARK: Items that are not for push

    @Test(arguments: [
        #""type":"picture","embargoed":"2026-03-02T15 Uhr""#, #""urgency":9,"embargoed":"soon""#,
        #""headline":"","embargoed":"soon""#,
    ])
    func `an unreadable embargo holds the story also of an item that is not for push`(_ members: String) {
        var rules = SourceRules()
        rules.push.urgency = 1...3
        let text = #"{"uri":"u","version":"2",\#(members)}"#
        #expect(rejection(of: Self.decode(text, .ninjs, rules))?.holdsStory == true)
        let readable = text.replacing("2026-03-02T15 Uhr", with: "2026-03-02T15:00:00Z")
            .replacing("soon", with: "2026-03-02T15:00:00Z")
        guard case .event(let event, _) = Self.decode(readable, .ninjs, rules) else { return #expect(Bool(false)) }
        #expect(event.withheld != nil)
        #expect(event.embargo == Timestamp(rfc3339: "2026-03-02T15:00:00Z"))
    }

    @Test func `the embargo of a skipped mapped document counts`() {
        guard
            case .event(let event, _) = Self.decode(
                Self.item(#""skip":true,"embargo":"2026-03-02T15:00:00Z""#),
                .fields(Self.house)
            )
        else { return #expect(Bool(false)) }
        #expect(event.withheld != nil)
        #expect(event.embargo != nil)
        let faulty = Self.decode(Self.item(#""skip":true,"embargo":"soon""#), .fields(Self.house))
        #expect(rejection(of: faulty)?.holdsStory == true)
    }

    @Test(arguments: [
        (SourceFormat.ninjs, "embargoed", "u#2!over"), (.fields(house), "embargo", "u#2!hold"),
    ])
    func `an expired version holds its story until a newer one comes`(
        _ format: SourceFormat,
        _ name: String,
        _ id: String
    ) {
        for more in [
            #""expires":"2026-03-02T07:00:00Z""#, #""expires":"2026-03-02T08:00:00Z""#,
            #""\#(name)":"2026-03-02T12:00:00Z","expires":"2026-03-02T11:00:00Z""#,
        ] {
            guard case .event(let event, let warnings) = Self.decode(Self.item(more), format) else {
                return #expect(Bool(false), "\(Self.decode(Self.item(more), format))")
            }
            #expect(event.kind == .hold && event.withheld == nil)
            #expect(event.revision == 2)
            #expect(event.id == id)
            #expect(warnings.map(\.rawValue) == ["item.over"])
        }
        let later = Self.decode(Self.item(#""expires":"2026-03-02T09:00:00Z""#), format)
        guard case .event(let event, []) = later else { return #expect(Bool(false), "\(later)") }
        #expect(event.kind == .update)
        // A picture is never sent by itself, and stops nothing.
        let picture = Self.decode(Self.item(#""type":"picture","expires":"2026-03-02T07:00:00Z""#), .ninjs)
        #expect(picture.isWithheld)
    }

    // MARK: Units

    @Test(arguments: [("1772445600000", true), ("1772445600", false)])
    func `a number of milliseconds for a rule in seconds is an error`(_ number: String, _ isFault: Bool) {
        let rejected = rejection(of: Self.decode(Self.item(#""at":\#(number)"#), .fields(Self.house)))
        #expect((rejected != nil) == isFault)
        #expect(rejected?.holdsStory ?? true)
        #expect(rejected?.detail.contains("must be in seconds, as configured") ?? true)
    }

    @Test func `a blank at the end of a word is shown`() {
        let outcome = Self.decode(Self.item(#""type":"DELETED ""#), .fields(Self.house))
        #expect(rejection(of: outcome)?.detail.contains("'DELETED ' is not mapped") == true)
        #expect("a \u{e9} ".quoted(limit: 32) == "'a ? '")
        #expect("abc def".quoted(limit: 5) == "'abc d'")
    }
}
