import NewsflashTimestamps
import Testing

@testable import NewsflashEvents

/// Orders in another form than that of their source, and orders with an unclear story.
@Suite(.timeLimit(.minutes(1)))
struct MisplacedOrderTests {
    private static let writtenAt = Timestamp(seconds: 1_772_440_000)

    private static func decode(
        _ text: String,
        _ format: SourceFormat,
        _ rules: SourceRules = SourceRules(),
        headers: [String: String] = [:]
    ) -> DecodeOutcome {
        let headers = headers.sorted { $0.key < $1.key }.map { EventHeader(name: $0.key, value: Array($0.value.utf8)) }
        return EventDecoder(defaultSource: "urn:wire", format: format, rules: rules)
            .decode(bytes: Array(text.utf8), headers: headers, writtenAt: writtenAt)
    }

    private static func restricted(_ outcome: DecodeOutcome) -> String? {
        switch outcome {
        case .event(let event, _): event.kind.isNews ? nil : event.story
        case .rejected(let rejection): rejection.holdsStory ? rejection.story : nil
        case .tombstone: nil
        }
    }

    private static let kill =
        #"{"v":1,"id":"k","story":"u","revision":2,"kind":"kill","published":"2026-03-02T08:10:00Z"}"#
    private static let alert =
        #"{"v":1,"id":"k","story":"u","revision":2,"kind":"alert","published":"2026-03-02T08:10:00Z","categories":["a"],"#
        + #""text":{"en":{"headline":"H"}}}"#
    private static let canceled = #"{"uri":"u","pubstatus":"canceled"}"#

    @Test(arguments: [SourceFormat.ninjs, .superdesk, .ap])
    func `an event among items restricts although its header is missing`(_ format: SourceFormat) {
        #expect(Self.restricted(Self.decode(Self.kill, format)) == "u")
        #expect(Self.restricted(Self.decode(Self.kill.replacing("kill", with: "KILL"), format)) == "u")
        #expect(rejection(of: Self.decode(Self.alert, format))?.holdsStory == false)
    }

    @Test func `an event of a later version holds its story`() {
        let outcome = Self.decode(
            Self.kill.replacing("\"v\":1", with: "\"v\":2"),
            .ninjs,
            headers: ["newsflash-event": "2"]
        )
        #expect(Self.restricted(outcome) == "u")
        #expect(rejection(of: outcome)?.id != nil)
    }

    @Test func `a structured CloudEvent without its version and header restricts`() {
        for data in [Self.kill, #"{"v":1}"#, #"{}"#] {
            let attributes = #""id":"k","source":"s","type":"a.news.breaking.kill.v1","subject":"u""#
            #expect(Self.restricted(Self.decode("{\(attributes),\"data\":\(data)}", .event)) == "u", "\(data)")
        }
        let news = #"{"id":"k","source":"s","type":"a.news.breaking.alert.v1","subject":"u","data":\#(Self.alert)}"#
        #expect(rejection(of: Self.decode(news, .event))?.holdsStory == false)
    }

    @Test(arguments: ["kill", "hold"]) func `a type that withdraws and an event that notifies hold the story`(
        _ kind: String
    ) {
        let type = "a.news.breaking.\(kind).v1"
        let headers = ["ce_specversion": "1.0", "ce_id": "k", "ce_source": "s", "ce_type": type, "ce_subject": "u"]
        #expect(Self.restricted(Self.decode(Self.alert, .event, headers: headers)) == "u")
        #expect(rejection(of: Self.decode(Self.alert, .event, headers: headers))?.reason == .cloudEvent)
        let envelope = #"{"specversion":"1.0","id":"k","source":"s","type":"\#(type)","data":\#(Self.alert)}"#
        #expect(Self.restricted(Self.decode(envelope, .event)) == "u")
        var other = headers
        other["ce_type"] = "a.news.breaking.alert.v1"
        guard case .event(let event, _) = Self.decode(Self.kill, .event, headers: other) else {
            return #expect(Bool(false))
        }
        #expect(event.kind == .kill)
    }

    @Test(arguments: [(kill, SourceFormat.event), (canceled, .ninjs)])
    func `an order in an array or in a JSON text is obeyed, and news in it is not sent`(
        _ text: String,
        _ format: SourceFormat
    ) {
        let encoded = "\"" + text.replacing("\"", with: "\\\"") + "\""
        let envelope = #"{"specversion":"1.0","id":"k","source":"s","type":"x","data":\#(encoded)}"#
        for text in ["[\(text)]", encoded, envelope, "[\(text),{}]"] {
            let outcome = Self.decode(text, format)
            #expect(Self.restricted(outcome) == "u" && outcome.isReported, "\(text): \(outcome)")
        }
        for text in ["[\(Self.alert)]", "[]", "\"\"", "\"{\"", "[[\(Self.kill)]]", "5"] {
            #expect(rejection(of: Self.decode(text, .event))?.holdsStory == false, "\(text)")
        }
    }

    @Test(arguments: [
        #"{"data":{"item":[I]}}"#, #"{"data":{"item":I}}"#, #"{"data":{"items":[{"item":I}]}}"#, #"{"item":I}"#,
        #"{"item":[I]}"#,
        #"{"data":{"item":{}},U}"#, #"{"data":{"item":"x"},U}"#, #"{"item":{"uri":"x"},U}"#, "I",
    ])
    func `a withdrawal by AP is found in each of its envelopes`(_ form: String) {
        let members = #""altids":{"itemid":"u","etag":"1"},"pubstatus":"canceled""#
        let text = form.replacing("I", with: "{\(members)}").replacing(
            "U",
            with: #""uri":"https://api.ap.org/x/u",\#(members)"#
        )
        #expect(Self.restricted(Self.decode(text, .ap)) == "u", "\(Self.decode(text, .ap))")
    }

    @Test func `a faulty record of a source in mode test holds the test story`() {
        var rules = SourceRules()
        rules.mode = .test
        let outcome = Self.decode(#"{"uri":"u","pubstatus":"cancelled"}"#, .ninjs, rules)
        #expect(rejection(of: outcome)?.holdsStory == true)
        #expect(rejection(of: outcome)?.mode == .test)
        #expect(rejection(of: Self.decode(#"{"uri":"u","pubstatus":"cancelled"}"#, .ninjs))?.mode == .live)
    }

    // MARK: The story of an item

    @Test(arguments: [
        (#""family_id":"root""#, "root", true), (#""family_id":5"#, "5", true),
        (#""family_id":["root"]"#, "root", true),
        (#""family_id":{"uri":"root"}"#, "root", true), (#""family_id":null"#, "u", true),
        (#""family_id":"""#, "u", true),
        (#""family_id":[]"#, "u", true), (#""family_id":true"#, "u", false), (#""family_id":["a","b"]"#, "u", false),
        (#""altids":{"storyid":5}"#, "5", true), (#""altIds":{},"altids":{"storyid":"root"}"#, "root", true),
        (#""altids":{"storyid":{"x":1}}"#, "u", false), (#""altids":[{"role":"storyid","value":true}]"#, "u", false),
        (#""associations":{"translationOf":{"uri":"root"}}"#, "root", true),
        (#""associations":{"translationOf":{"uri":true}}"#, "u", false),
        (#""associations":{"translationOf":[{"uri":"root"}]}"#, "root", true),
    ])
    func `an unreadable story makes news refused, and a withdrawal reports it`(
        _ members: String,
        _ story: String,
        _ isReadable: Bool
    ) {
        var rules = SourceRules()
        rules.story = ["/family_id", "altids.storyid", "associations.translationOf"].compactMap(StoryRule.init)
        let item = #"{"uri":"u","version":"2","versioncreated":"2026-03-02T08:00:00Z","headline":"H","subject":["a"],"#
        let news = Self.decode("\(item)\(members)}", .ninjs, rules)
        let killed = Self.decode("\(item)\"pubstatus\":\"canceled\",\(members)}", .ninjs, rules)
        guard case .event(let kill, let warnings) = killed else { return #expect(Bool(false), "\(killed)") }
        #expect(kill.kind == .kill)
        #expect(kill.story == story)
        #expect(warnings.map(\.rawValue) == (isReadable ? [] : ["withdrawal.faulty"]), "\(warnings)")
        if case .event(let event, _) = news {
            #expect(isReadable)
            #expect(event.story == story)
        } else {
            #expect(!isReadable, "\(news)")
            #expect(rejection(of: news)?.detail.contains("/story: must be the name of a story") == true)
        }
    }

    @Test(arguments: [(#"["a"]"#, "a"), ("5", "5"), (#"{"guid":"a"}"#, "a"), ("null", "b"), ("true", "b")])
    func `the chain of a rewrite is read in any form`(_ value: String, _ story: String) {
        let killed = Self.decode(#"{"guid":"b","evolvedfrom":\#(value),"pubstatus":"canceled"}"#, .superdesk)
        #expect(Self.restricted(killed) == story)
        #expect(killed.isReported == (value == "true"))
    }
}
