import NewsflashStrictJSON
import NewsflashTestSupport
import NewsflashTimestamps
import Testing

@testable import NewsflashEvents

/// Records that cannot be parsed as documents: restrictions are still found in them.
@Suite(.timeLimit(.minutes(1)))
struct RecordSketchTests {
    private static let writtenAt = Timestamp(seconds: 1_772_440_000)
    private static let large = #""zz":"\#(String(repeating: "x", count: 5000))""#
    private static let twice = #""slugline":"x","zz":1,"zz":2"#
    private static let deep =
        #""zz":\#(String(repeating: "[", count: 200))\#(String(repeating: "]", count: 200))"#

    private static func decode(
        _ text: String,
        _ format: SourceFormat = .ninjs,
        _ rules: SourceRules = SourceRules(),
        headers: [EventHeader] = []
    ) -> DecodeOutcome {
        decode(Array(text.utf8), format, rules, headers: headers)
    }

    private static func decode(
        _ bytes: [UInt8],
        _ format: SourceFormat = .ninjs,
        _ rules: SourceRules = SourceRules(),
        headers: [EventHeader] = []
    ) -> DecodeOutcome {
        EventDecoder(defaultSource: "urn:wire", format: format, rules: rules, maximumBytes: 4096)
            .decode(bytes: bytes, headers: headers, writtenAt: writtenAt)
    }

    /// Returns the story that a record restricts, or `nil` if it restricts none.
    private static func restricted(_ outcome: DecodeOutcome) -> String? {
        switch outcome {
        case .event(let event, _): event.kind.isNews ? nil : event.story
        case .rejected(let rejection): rejection.holdsStory ? rejection.story : nil
        case .tombstone: nil
        }
    }

    // MARK: The rules of decoders

    @Test(arguments: [
        #""pubstatus":"canceled","family_id":"root""#, #""family_id":"root","pubStatus":"canceled""#,
        #""pubstatus":"withheld","associations":{"other":{"uri":"x"},"translationOf":{"type":"text","uri":"root"}}"#,
        #""pubstatus":"canceled","associations":[{"name":"translationOf","uri":"root"}]"#,
        #""pubstatus":"canceled","altIds":{},"altids":{"storyid":"root"}"#,
        #""pubstatus":"canceled","altids":[{"role":"storyid","value":"root"}]"#,
        #""ednote":"STORY WITHDRAWN","family_id":"root""#, #""genres":[{"name":"STORY WITHDRAWN"}],"family_id":"root""#,
        #""genre":[{"name":"STORY WITHDRAWN"}],"genres":[],"family_id":"root""#,
        #""signal":["sig:kill"],"pubstatus":"killed","family_id":"root""#,
        #""headline":"WITHDRAWN-Words","family_id":"root""#,
        #""headline_push":"WITHDRAWN-Words","family_id":"root""#,
    ])
    func `a faulty withdrawal restricts the story that its source's rules name`(_ members: String) {
        var rules = SourceRules()
        rules.story = ["/family_id", "associations.translationOf", "altids.storyid"].compactMap(StoryRule.init)
        let item = #""uri":"b","version":"2","type":"text","versioncreated":"2026-03-02T08:00:00Z",\#(members)"#
        #expect(Self.restricted(Self.decode("{\(item)}", .ninjs, rules)) == "root", "a sound record")
        for fault in [Self.large, Self.twice, Self.deep, #""pubstatus":"usable""#, #""zz":"\u{FF}""#] {
            for text in ["{\(item),\(fault)}", "{\(fault),\(item)}"] {
                #expect(Self.restricted(Self.decode(text, .ninjs, rules)) == "root", "\(fault.prefix(30))")
            }
        }
        let latin = Array("{\(item),\"zz\":\"~\"}".utf8).map { $0 == UInt8(ascii: "~") ? 0xE9 : $0 }
        #expect(Self.restricted(Self.decode(latin, .ninjs, rules)) == "root")
    }

    @Test func `the chain of a rewrite is found in a faulty record`() {
        for member in ["evolvedfrom", "rewrite_of"] {
            let item = #"{"guid":"b","\#(member)":"a","pubstatus":"canceled",\#(Self.large)}"#
            #expect(Self.restricted(Self.decode(item, .superdesk)) == "a")
        }
    }

    // MARK: Long texts

    @Test func `the beginning of a long note, headline, status and embargo is read`() {
        let long = String(repeating: " reason", count: 400)
        let escaped = "ОТОЗВАНО СООБЩЕНИЕ".unicodeScalars.map { "\\u" + Self.fourDigits($0.value) }.joined()
        let cause = String(repeating: "\\u041f\\u0440\\u0438 ", count: 100)
        let notes = [
            #""ednote":"STORY WITHDRAWN.\#(long)""#, #""headline":"WITHDRAWN-\#(long)""#,
            #""pubstatus":"canceled\#(long)""#,
            #""ednote":"СООБЩЕНИЕ ОТОЗВАНО.\#(long)""#, #""ednote":"\u0053TORY WITHDRAWN. \#(cause)""#,
            #""ednote":"STORY\tWITHDRAWN \ud800 \x\#(long)""#, #""ednote":"STORY WITHDRAWN. \#(escaped)\#(cause)""#,
            "\"ednote\":\"STORY WITHDRAWN \t \u{1}\(long)\"",
        ]
        for note in notes {
            let item = #"{"uri":"u","version":"2",\#(note),\#(Self.large)}"#
            #expect(Self.restricted(Self.decode(item)) == "u", "\(note.prefix(40))")
        }
    }

    private static func fourDigits(_ value: UInt32) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }

    @Test func `a long id of a story is read completely`() {
        for name in [String(repeating: "z", count: 2000), String(repeating: "é", count: 2000), #"a\u00e9\ud83d\ude00"#]
        {
            let sound = EventDecoder(defaultSource: "urn:wire", format: .ninjs)
                .decode(bytes: Array(#"{"uri":"\#(name)","pubstatus":"canceled"}"#.utf8))
            let story = Self.restricted(sound)
            #expect(story?.hasPrefix("sha256:") == true)
            #expect(Self.restricted(Self.decode(#"{"uri":"\#(name)","pubstatus":"canceled",\#(Self.large)}"#)) == story)
        }
    }

    @Test func `the id of a story is found after a large part of a mapped document`() {
        let mapping = FieldMapping(
            members: [
                .story: [FieldRule(FieldPointer("/article/id"))],
                .kind: [FieldRule(FieldPointer("/state/types/1"), map: ["DELETED": "kill"])],
            ],
            texts: .one(FieldMapping.Text(headline: [FieldRule(FieldPointer("/title"))]))
        )
        let blocks = String(repeating: #"{"type":"p","id":1},"#, count: 6000) + "{}"
        let text = #"{"article":{"blocks":[\#(blocks)],"id":"s"},"state":{"types":[{"a":[1,2]},"DELETED"]}}"#
        #expect(Self.restricted(Self.decode(text, .fields(mapping))) == "s")
        let broken = #"{"article":{"blocks":[1 2],"id":"s"},"state":{"types":["x" "DELETED"]}}"#
        #expect(Self.restricted(Self.decode(broken, .fields(mapping))) == "s")
    }

    // MARK: Duplicate members

    @Test(arguments: [
        (#"{"uri":null,"uri":"u","pubstatus":"canceled"}"#, SourceFormat.ninjs),
        (#"{"uri":"u","uri":null,"pubstatus":"canceled"}"#, .ninjs),
        (#"{"uri":"a","uri":"u","pubstatus":"canceled"}"#, .ninjs),
        (#"{"uri":"a","x":1,"uri":"b","uri":"u","pubstatus":"killed"}"#, .ninjs),
        (#"{"uri":"u","pubstatus":"usable","pubstatus":"canceled"}"#, .ninjs),
        (#"{"uri":"u","pubstatus":"canceled","pubstatus":null}"#, .ninjs),
        (#"{"v":1,"story":"a","kind":"kill","story":"u"}"#, .event),
        (#"{"data":{"item":null},"data":{"item":{"altids":{"itemid":"u"},"pubstatus":"canceled"}}}"#, .ap),
        (
            #"{"data":{"item":{"altids":{"itemid":"a"},"altids":{"itemid":"u"},"pubstatus":"canceled"}}}"#, .ap
        ),
    ])
    func `the last of several values for a story is held`(_ text: String, _ format: SourceFormat) {
        guard case .rejected(let rejection) = Self.decode(text, format) else { return #expect(Bool(false)) }
        #expect(rejection.holdsStory)
        #expect(rejection.story == "u")
    }

    // MARK: Damage

    /// The damage may be anywhere except in the story and the act.
    @Test(arguments: WithdrawalFormat.allCases, WithdrawalAct.allCases)
    func `a withdrawal damaged outside of its story and act holds its story`(
        _ format: WithdrawalFormat,
        _ act: WithdrawalAct
    ) {
        let (value, headers) = format.record(format.members(act))
        let text = String(decoding: value, as: UTF8.self)
        let turn = WithdrawalAct.allCases.firstIndex(of: act) ?? 0
        var kept: Set<Int> = []
        let act = format.members(act).first { $0.name == format.act }.map { "\"\($0.name)\":\($0.json)" } ?? ""
        let names = [
            act, #""s-1""#, #""story":"#, #""uri":"#, #""guid":"#, #""itemid":"#, #""altids":"#, #""id":"s-1""#,
        ]
        for name in names + [#""article":"#, #""data":"#, #""item":"#] {
            for range in text.ranges(of: name) {
                let start = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
                kept.formUnion((start - 1)...(start + name.utf8.count + 1))
            }
        }
        var count = 0
        // Two of the four at a place of one act, and the other two at the next place and for the next act.
        let damages: [([UInt8], Bool)] = [([0], false), ([0xFF], false), ([UInt8(ascii: "\"")], false), ([], true)]
        for place in 1..<(value.count - 1) where !kept.contains(place) {
            for (insertion, isDeleted) in (place + turn).isMultiple(of: 2) ? damages[..<2] : damages[2...] {
                var bytes = value
                bytes.replaceSubrange(place..<(place + (isDeleted ? 1 : 0)), with: insertion)
                let outcome = format.decoder.decode(bytes: bytes, headers: headers, writtenAt: Self.writtenAt)
                #expect(outcome.restricts, "\(String(decoding: bytes, as: UTF8.self)): \(outcome)")
                count += 1
            }
        }
        #expect(count > 100)
    }

    @Test(arguments: [
        (#"{"data":{"item":{"altids":{"itemid":"u"},"pubstatus":"canceled","subject":[{"code":"a"}"#, SourceFormat.ap),
        (#"{"specversion":"1.0","id":"k","source":"s","type":"x","data":{"v":1,"story":"u","kind":"kill","te"#, .event),
        (
            #"{"specversion":"1.0","id":"k","source":"s","subject":"u","type":"a.news.breaking.kill.v1","data":{"v":1,"#,
            .event
        ),
        (#"{"specversion":"1.0","data":{"v":1,!!},"subject":"u","type":"a.news.breaking.kill.v1"}"#, .event),
        (
            #"{"specversion":"1.0","id":"k","source":"s","subject":"u","type":"a.news.breaking.kill.v1","data":{"#,
            .ninjs
        ),
        (#"{"uri":"u","altids":{"a":1 "b":2},"pubstatus":"canceled"}"#, .ninjs),
        (#"{"uri":"u","headline":"Words,"pubstatus":"canceled"}"#, .ninjs),
        (#"{"uri":"u",headline":"Words","pubstatus":"canceled"}"#, .ninjs),
        (#"{"uri":"u","subject":[{"code":"a"}},"pubstatus":"canceled"}"#, .ninjs),
        (#"[{"uri":"u","pubstatus":"canceled","zz":1,"zz":2}]"#, .ninjs),
        (#"{"uri":"u","pubstatus":"canceled"}{}"#, .ninjs),
        (#"{"uri":"u","pubst"#, .ninjs), (#"{"v":1,"story":"u","publ"#, .event),
    ])
    func `the parts before and after the damage count`(_ text: String, _ format: SourceFormat) {
        #expect(Self.restricted(Self.decode(text, format)) == "u", "\(Self.decode(text, format))")
    }

    // MARK: Bounds

    @Test(arguments: [
        #"{"uri":[""#, #"{"uri":{"#, #""uri":"#, #"{"data":"#, "\"", #"\"#, #"{"altids":[1,"#, #"{"a":1,"#, "[", "{",
        ":", ",",
        #""a" "#, #"{"uri":1}"#, #"{"data":1,"#, #"{"uri":"\ud83d"#, "\u{0}",
    ])
    func `time grows only with the length of a value, and the stored part of it is bounded`(_ part: String) {
        let decoder = EventDecoder(defaultSource: "urn:wire", format: .ninjs)
        for count in [1, 2, 10, 100_000] {
            let bytes = Array((#"{"uri":"u","#.utf8)) + Array(String(repeating: part, count: count).utf8)
            let sketch = RecordSketch(bytes.span, places: decoder.places)
            #expect(!sketch.isWhole)
            #expect(Self.size(of: sketch.document) <= 40_000)
        }
    }

    private static func size(of value: JSONValue) -> Int {
        switch value {
        case .object(let members): members.reduce(1) { $0 + size(of: $1.value) }
        case .array(let elements): elements.reduce(1) { $0 + size(of: $1) }
        default: 1
        }
    }
}
