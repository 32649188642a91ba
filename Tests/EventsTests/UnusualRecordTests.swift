import NewsflashTimestamps
import Testing

@testable import NewsflashEvents

/// Orders in records that are empty, damaged or in unusual spellings, and items that only look restricted.
@Suite(.timeLimit(.minutes(1)))
struct UnusualRecordTests {
    private static let writtenAt = Timestamp(seconds: 1_772_438_700)

    private static func decode(
        _ bytes: [UInt8]?,
        _ format: SourceFormat = .ninjs,
        _ rules: SourceRules = SourceRules(),
        headers: [String: String] = [:],
        maximumBytes: Int? = nil
    ) -> DecodeOutcome {
        let headers = headers.sorted { $0.key < $1.key }.map { EventHeader(name: $0.key, value: Array($0.value.utf8)) }
        return EventDecoder(defaultSource: "urn:s", format: format, rules: rules, maximumBytes: maximumBytes)
            .decode(bytes: bytes, headers: headers, writtenAt: writtenAt)
    }

    private static func decode(_ text: String, _ format: SourceFormat = .ninjs, _ rules: SourceRules = SourceRules())
        -> DecodeOutcome
    {
        decode(Array(text.utf8), format, rules)
    }

    private static func kind(_ outcome: DecodeOutcome) -> EventKind? {
        guard case .event(let event, _) = outcome else { return nil }
        return event.story == "u" ? event.kind : nil
    }

    private static func item(_ members: String) -> String {
        #"{"uri":"u","version":"2","versioncreated":"2026-03-02T08:00:00Z","headline":"H",\#(members)}"#
    }

    // MARK: CloudEvents

    private static let attributes = [
        "ce_specversion": "1.0", "ce_id": "k", "ce_source": "s", "ce_type": "a.news.breaking.kill.v1",
        "ce_subject": "u",
    ]
    private static let fields = SourceFormat.fields(
        FieldMapping(
            members: [.story: [FieldRule(FieldPointer("/id"))], .kind: [FieldRule(FieldPointer("/kind"))]],
            texts: .one(FieldMapping.Text(headline: [FieldRule(FieldPointer("/h"))]))
        )
    )

    @Test(arguments: [SourceFormat.event, .ninjs, .superdesk, .ap, fields])
    func `a CloudEvent that withdraws needs no data`(_ format: SourceFormat) {
        for value in [nil, []] as [[UInt8]?] {
            #expect(Self.kind(Self.decode(value, format, headers: Self.attributes)) == .kill)
        }
        var own = Self.attributes
        own["newsflash-event"] = "1"
        #expect(Self.kind(Self.decode(nil, format, headers: own)) == .kill)
        var alert = Self.attributes
        alert["ce_type"] = "a.news.breaking.alert.v1"
        #expect(Self.decode(nil, format, headers: alert) == .tombstone)
        #expect(Self.decode(nil, format) == .tombstone)
        let text = #"{"specversion":"1.0","id":"k","source":"s","type":"a.news.breaking.kill.v1","subject":"u"}"#
        #expect(Self.kind(Self.decode(text, format)) == .kill)
        let structured = ["content-type": "application/cloudevents+json"]
        #expect(Self.kind(Self.decode(Array(text.utf8), format, headers: structured)) == .kill)
    }

    @Test(arguments: [
        (#"{"uri":"u"}"#, true), ("{}", true), (#"{"uri":"u","pubstatus":"usable"}"#, false),
        (#"{"uri":"u","headline":"H"}"#, false), (#"{"uri":"u","urgency":2}"#, false),
    ])
    func `an item without status, texts and urgency has the act of its CloudEvent`(_ text: String, _ isKilled: Bool) {
        let outcome = Self.decode(Array(text.utf8), headers: Self.attributes)
        #expect((Self.kind(outcome) == .kill) == isKilled)
        #expect(isKilled || rejection(of: outcome)?.holdsStory == true)
    }

    // MARK: Damaged records

    private static let canceled = #"{"uri":"u","pubstatus":"canceled"}"#

    @Test(arguments: [
        "x\(canceled)", "\u{FEFF}\u{FEFF}\(canceled)", String(canceled.dropFirst()), "callback(\(canceled))",
        "\u{0}\(canceled)", "2026-03-02 08:05 INFO \(canceled)", "\"\(canceled)", "]\(canceled)",
        "data: \(canceled)\n\n",
    ])
    func `a record that does not begin with its object holds its story`(_ text: String) {
        let rejected = rejection(of: Self.decode(text))
        #expect(rejected?.holdsStory == true, "\(text)")
        #expect(rejected?.story == "u")
    }

    @Test(arguments: ["<xml uri=\"u\"/>", "uri,u", "\"uri\"", "", "\u{0}\u{0}\u{0}"])
    func `a record without a readable story holds nothing`(_ text: String) {
        #expect(rejection(of: Self.decode(text))?.holdsStory == false)
    }

    @Test(arguments: [
        #""state":"killed""#, #""withdrawn":true"#, #""status":"canceled""#, #""itemStatus":"retracted""#,
        #""Recalled":1"#,
    ])
    func `a word besides the status is found in a record that cannot be parsed`(_ member: String) {
        let large = #"{"uri":"u",\#(member),"z":"\#(String(repeating: "x", count: 5000))"}"#
        for text in [large, #"{"data":{"item":\#(large.replacing(#""uri":"u""#, with: #""itemid":"u""#))}}"#] {
            let outcome = Self.decode(Array(text.utf8), maximumBytes: 4096)
            let isHeld = rejection(of: outcome)?.holdsStory ?? false
            #expect(isHeld || Self.kind(outcome).map { !$0.isNews } ?? false, "\(text.prefix(60))")
        }
        let latin = Array(#"{"uri":"u",\#(member),"z":"~"}"#.utf8).map { $0 == UInt8(ascii: "~") ? 0xE9 : $0 }
        #expect(rejection(of: Self.decode(latin))?.holdsStory ?? true)
        #expect(Self.kind(Self.decode(latin)) != .update)
    }

    @Test func `the detail of a list of records names the held one`() {
        let rejected = rejection(
            of: Self.decode("[\(Self.canceled),\(Self.canceled.replacing("\"u\"", with: "\"w\""))]")
        )
        #expect(rejected?.story == "u")
        #expect(rejected?.holdsStory == true)
        #expect(rejected?.detail.contains("of 2 records; only the first is used") == true)
    }

    // MARK: Words besides the status

    @Test(
        arguments: [
            (#""state":"recalled""#, .kill), (#""state":"unpublished""#, .hold), (#""state":"spiked""#, .hold),
            (#""state":"deleted""#, .hold), (#""deleted":true"#, .hold), (#""withdrawn":"yes""#, .kill),
            (#""killed":1"#, .kill), (#""state":["killed"]"#, .kill), (#""state":{"name":"killed"}"#, .kill),
            (#""status":"canceled""#, .hold), (#""status":["x","withdrawn"]"#, .hold), (#""deleted":0"#, .update),
            (#""withdrawn":"no""#, .update), (#""killed":12"#, .update), (#""state":"published""#, .update),
            (#""state":"killed","pubstatus":"usable""#, .hold),
        ] as [(String, EventKind)]
    )
    func `words of other systems besides the status withdraw or hold`(_ member: String, _ kind: EventKind) {
        #expect(Self.kind(Self.decode(Self.item(#""subject":["a"],\#(member)"#))) == kind)
    }

    // MARK: Members that only look like limits

    @Test(
        arguments: [
            (#""embargoReason":"none""#, nil), (#""embargoBy":"dpa""#, nil), (#""embargo_lifted":true"#, nil),
            (#""embargoed":false"#, nil), (#""embargoes":[]"#, nil), (#""embargoedUntil":{}"#, nil),
            (#""embargoLevel":2"#, nil), (#""embargoed":"2026-03-01""#, "2026-03-02T12:00:00Z"),
            (#""embargoLifted":"2026-03-02T09:00:00Z""#, "2026-03-02T09:00:00Z"),
            (#""embargoed":"2026-03-02T10:00:00+01:00[Europe/Paris]""#, "2026-03-02T09:00:00Z"),
            (#""expires":"2026-03-09""#, nil), (#""expires":1773000000"#, nil), (#""expires":false"#, nil),
            (#""expires":0"#, nil), (#""expires":[]"#, nil),
            (#""expires":"2026-03-09T12:00:00+01:00[Europe/Paris]""#, nil),
        ] as [(String, String?)]
    )
    func `an item that only looks restricted is news`(_ member: String, _ embargo: String?) {
        // The first of March has ended in the whole world at noon of the second.
        let text = Self.item(#""subject":["a"],\#(member)"#).replacing("T08:00:00Z", with: "T12:30:00Z")
        guard case .event(let event, []) = Self.decode(text) else {
            return #expect(Bool(false), "\(Self.decode(text))")
        }
        #expect(event.kind == .update)
        #expect(event.embargo == embargo.flatMap { Timestamp(rfc3339: $0) })
    }

    @Test(arguments: [
        #""embargoed":true"#, #""embargoed":"2026-03-02""#, #""embargoStatus":"active""#,
        #""embargoInfo":"until 12.00""#,
        #""embargo_rules":[{"to":"2026-03-02"}]"#, #""embargoed":"2026-03-03T12:00:00+01:00[!Europe/Paris]""#,
    ])
    func `an embargo with an unclear time holds the story`(_ member: String) {
        #expect(rejection(of: Self.decode(Self.item(#""subject":["a"],\#(member)"#)))?.holdsStory == true)
    }

    @Test(arguments: ["embargoed", "expires"]) func `a time without an offset names the setting that helps`(
        _ name: String
    ) {
        let rejected = rejection(of: Self.decode(Self.item(#""subject":["a"],"\#(name)":"2026-03-02T12:00:00""#)))
        #expect(rejected?.holdsStory == true)
        #expect(rejected?.detail.contains("has no offset; set timeZone of the source") == true)
        #expect(rejected?.detail.contains("(read from /\(name))") == true)
    }

    // MARK: Places among the subjects

    @Test(
        arguments: [
            (#""subject":[{"code":"CZ-10","scheme":"iso3166-2"}]"#, true),
            (#""subject":[{"code":"x","scheme":"place"}]"#, true),
            (#""subject":[{"name":"Prague 4","scheme":"geo"}]"#, true), (#""subject":["geo:CZ-10"]"#, true),
            (#""subject":[{"uri":"http://a.example/places/7"}]"#, true), (#""subject":["CZ-10"]"#, true),
            (#""subject":[{"name":"Prague","type":"place"}]"#, true), (#""area":"Prague""#, true),
            (#""subject":["x"],"users":["bob"]"#, true), (#""audience":[{"code":"local"}]"#, true),
            (#""subject":[{"code":"x","scheme":"geology"}]"#, false), (#""subject":["x"]"#, false),
            (#""subject":[{"code":"x","scheme":"replacement"}]"#, false), (#""area":[]"#, false),
        ]
    )
    func `an item for an area does not get the categories of the source`(_ members: String, _ isLimited: Bool) {
        var rules = SourceRules()
        rules.categories = ["world"]
        let outcome = Self.decode(Self.item(members), .ninjs, rules)
        guard case .event(let event, _) = outcome else {
            return #expect(isLimited && rejection(of: outcome)?.reason == .schema)
        }
        #expect((event.categories + event.spareCategories).contains("world") != isLimited)
    }
}
