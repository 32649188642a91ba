import NewsflashTestSupport
import NewsflashTimestamps
import Testing

@testable import NewsflashEvents

/// Withdrawals and holds are obeyed although a part of them is wrong.
@Suite(.timeLimit(.minutes(isLongRun ? 60 : 1)))
struct FaultyWithdrawalTests {
    private static let writtenAt = Timestamp(seconds: 1_772_440_000)

    /// A member with a forbidden value, in the terms of each format.
    private struct InvalidMember {
        let name: String
        let json: String
        /// Whether the format reads the member of a withdrawal.
        var isSeen = true
    }

    private static let odd = ["5", "true", "{}", "[]", #"["a",{}]"#, #""two words""#, #""""#]
    private static let times = ["5", "true", "{}", "[]", #""tonight""#, #""2026-02-30T08:00:00Z""#, #""""#]
    private static let long = "\"\(String(repeating: "é", count: 5000))\""

    /// At least 60 for each format.
    private static func faults(_ format: WithdrawalFormat) -> [InvalidMember] {
        func faults(_ name: String, _ values: [String]) -> [InvalidMember] {
            values.map { InvalidMember(name: name, json: $0) }
        }
        let many = "[\((0..<17).map { "\"c\($0)\"" }.joined(separator: ","))]"
        let boxes = ["5", "true", "{}", "[]", "[[]]"]
        switch format {
        case .event, .cloudEvent, .binaryCloudEvent:
            return faults("v", ["2", "0", "null", #""1""#]) + faults("id", odd + [long])
                + faults("source", odd) + faults("revision", ["0", "-1", "1.5", "1e300", #""2""#, "null", "{}"])
                + faults("published", times) + faults("embargo", times.filter { $0 != "null" })
                + faults("expires", times + [#""2026-03-02T07:00:00Z""#, #""2026-03-02T08:00:00Z""#])
                + faults("categories", [many, "[]", "{}", #"["two words"]"#, #"["a","a"]"#])
                + faults(
                    "text",
                    ["{}", "null", #""words""#, #"{"en_US":{"headline":"H"}}"#, #"{"en":{"headline":5}}"#]
                )
                + faults("language", [#""en_US""#, "5", "{}"]) + faults("url", [#""http://a.example/""#, "5", "null"])
                + faults("image", [#""http://a.example/""#, "5"]) + faults("note", [long, "{}", "null"])
                + faults("urgency", ["0", "10", #""1""#, "null"]) + faults("approvedBy", [#"[""]"#, #""ed""#, "{}"])
                + faults("mode", [#""dry""#, "5", "null"]) + faults("delivery", [#""perhaps""#, "5", "{}"])
                + faults("audience", ["5", "{}", #"{"users":[]}"#, #"{"users":["a b"]}"#, #"{"users":["a"],"x":1}"#])
                + faults("kind", [#""Kill""#, #""KILL ""#, #""killed""#, "5", "null", "{}", "[]", #""""#])
        case .ninjs1, .ninjs2, .ninjs3, .superdesk, .ap:
            let created = format == .ninjs3 ? "versionCreated" : "versioncreated"
            let note = format == .ninjs3 ? "edNote" : "ednote"
            let more = format == .ap ? faults("itemid", []) : []
            return faults(created, times.filter { $0 != #""""# } + [#""""#])
                + faults("embargoed", times) + faults("embargoedUntil", times) + faults("publish_schedule", times)
                + faults("expires", times) + faults("language", ["5", "{}", "[]", #""english""#, #""e""#, #""""#])
                + faults("headline", ["5", "{}", "[]", "true"]) + faults(note, ["5", "{}", "[]", "true"])
                + faults("subject", ["5", "true", #""world""#]) + faults("place", ["5", "true"])
                + faults("type", ["5", "{}", "[]"]) + faults("urgency", ["{}", "[]", "true"])
                + faults("version", ["{}", "[]", "true"])
                + faults(
                    format.act,
                    [#""cancelled""#, #""Canceled""#, #""killed""#, #""""#, "5", "true", "{}", #"["canceled"]"#]
                ) + more
        case .fields:
            return faults("modified", boxes + [#""noon""#, "-5"]).map {
                InvalidMember(name: $0.name, json: $0.json, isSeen: false)
            }
                + faults("time", [#""tonight""#, "5", "true"]) + faults("embargo", ["{}", "[]", "[1]", #""""#])
                + faults("expires", ["{}", "[]", #""""#]) + faults("to", ["[{}]", "[[]]", #"[""]"#])
                + faults("delivery", ["{}", "5", #""perhaps""#, "true", #""""#])
                + faults("section", ["{}", "[]", "[1]"])
                + faults("urgency", ["{}", "[]"]) + faults("language", ["{}", "[]", "[1]", #""e""#])
                + faults("note", ["{}", "[]", "[1]"]) + faults("url", ["{}", "[]", "[1]"])
                + faults("mode", ["{}", "[]", "5", #""dry""#]) + faults("guid", [#""two words""#, #""é""#, long])
                + faults(
                    "type",
                    [
                        #""RETRACTED""#, #""killed""#, #""update!""#, #""""#, "5", "true", "{}", "[]", #"["kill"]"#,
                        #"{"word":"kill"}"#, #""kill kill""#, #""zrušeno""#, #""取消""#,
                    ]
                )
        }
    }

    private static func outcome(
        _ format: WithdrawalFormat,
        _ members: [(name: String, json: String)]
    ) -> DecodeOutcome {
        let (value, headers) = format.record(members)
        return format.decoder.decode(bytes: value, headers: headers, writtenAt: writtenAt)
    }

    @Test(arguments: WithdrawalFormat.allCases, WithdrawalAct.allCases)
    func `a faulty withdrawal still restricts, and its error is reported`(
        _ format: WithdrawalFormat,
        _ act: WithdrawalAct
    ) {
        let faults = Self.faults(format)
        #expect(faults.count >= 60)
        for fault in faults {
            var members = format.members(act).filter { $0.name != fault.name }
            members.append((fault.name, fault.json))
            let outcome = Self.outcome(format, members)
            #expect(outcome.restricts, "\(fault.name): \(fault.json.prefix(40)): \(outcome)")
            #expect(outcome.isReported || !fault.isSeen, "\(fault.name): \(fault.json.prefix(40)): \(outcome)")
        }
    }

    @Test(arguments: WithdrawalFormat.allCases, WithdrawalAct.allCases)
    func `a sound withdrawal is decoded without a warning`(_ format: WithdrawalFormat, _ act: WithdrawalAct) {
        let outcome = Self.outcome(format, format.members(act))
        #expect(outcome.restricts)
        let isEvent = [.event, .cloudEvent, .binaryCloudEvent].contains(format)
        // An event has no kind `cancel`.
        guard !(isEvent && act == .cancel) else { return }
        // The samples of structured CloudEvents lack the matching header.
        let expected: [EventWarning] = format == .cloudEvent ? [.envelopeUnmarked] : []
        guard case .event(let event, let warnings) = outcome, warnings == expected else {
            Issue.record("\(outcome)")
            return
        }
        #expect(event.kind == (act == .hold ? .hold : .kill))
    }

    @Test(arguments: WithdrawalFormat.allCases, WithdrawalAct.allCases)
    func `a withdrawal needs only its story`(_ format: WithdrawalFormat, _ act: WithdrawalAct) {
        let all = format.members(act)
        for left in all where left.name != format.storyMember && left.name != format.act {
            #expect(Self.outcome(format, all.filter { $0.name != left.name }).restricts, "\(left.name)")
        }
        let least = all.filter { $0.name == format.storyMember || $0.name == format.act }
        let outcome = Self.outcome(format, least)
        #expect(outcome.restricts)
        #expect(outcome == Self.outcome(format, least), "the same record has the same id")
        guard case .event(let event, _) = outcome else { return }
        #expect(event.revision == 1)
        #expect(event.published == Self.writtenAt)
    }

    @Test func `IPTC's canceled item with only its id withdraws its story`() {
        let decoder = EventDecoder(defaultSource: "urn:wire", format: .ninjs)
        func decode(_ text: String, at seconds: Int64 = 1_772_440_000) -> DecodeOutcome {
            decoder.decode(bytes: Array(text.utf8), writtenAt: Timestamp(seconds: seconds))
        }
        let event = NewsEvent(
            id: "u!canceled",
            source: "urn:wire",
            story: "u",
            revision: 1,
            kind: .kill,
            published: Self.writtenAt
        )
        #expect(decode(#"{"uri":"u","pubstatus":"canceled"}"#) == .event(event, warnings: []))
        guard case .event(let first, []) = decode(#"{"uri":"u","pubstatus":"withheld"}"#),
            case .event(let second, []) = decode(#"{"uri":"u","pubstatus":"withheld"}"#, at: 1_772_450_000)
        else { return #expect(Bool(false)) }
        #expect(first.kind == .hold)
        #expect(first.id != second.id, "a story may be held, released and held again")
    }

    @Test func `the text of a withdrawal with unclear delivery is dropped`() {
        let members = WithdrawalFormat.event.members(.kill) + [("delivery", "5")]
        guard case .event(let event, _) = Self.outcome(.event, members) else { return #expect(Bool(false)) }
        #expect(event.text == [])
        #expect(event.categories == ["world"])
    }

    // MARK: Values that are not documents

    @Test(arguments: WithdrawalFormat.allCases, WithdrawalAct.allCases)
    func `a withdrawal in a value that cannot be parsed as a document still restricts`(
        _ format: WithdrawalFormat,
        _ act: WithdrawalAct
    ) {
        let members = format.members(act)
        let deep = String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)
        let large = "\"\(String(repeating: "x", count: WithdrawalFormat.maximumBytes))\""
        for (name, json) in [("other", deep), ("other", large), ("other", "{\"a\":1,\"a\":2}"), ("other", "7")] {
            for changed in [[(name, json)] + members, members + [(name, json), (name, "8")]] {
                let outcome = Self.outcome(format, changed)
                #expect(outcome.restricts, "\(json.prefix(20)): \(outcome)")
            }
        }
        // A note in Latin-1.
        let (value, headers) = format.record([("other", #""X""#)] + members)
        let bytes = value.map { $0 == UInt8(ascii: "X") ? 0xE9 : $0 }
        let outcome = format.decoder.decode(bytes: bytes, headers: headers, writtenAt: Self.writtenAt)
        #expect(outcome.restricts && outcome.isReported, "\(outcome)")
        // The act twice: one of the two may withdraw.
        let twice = Self.outcome(format, [(format.act, #""alert""#)] + members)
        #expect(twice.restricts, "\(twice)")
        if case .event = twice { Issue.record("which of two acts is meant, nobody knows") }
    }

    @Test func `a truncated value holds its story, because the missing part may have restricted it`() {
        func decode(_ text: String) -> DecodeOutcome {
            EventDecoder(defaultSource: "urn:desk").decode(bytes: Array(text.utf8))
        }
        #expect(decode(#"{"v":1,"story":"s-1","kind":"kill","publ"#).restricts)
        #expect(decode(#"{"v":1,"story":"s-1","publ"#).restricts)
        #expect(decode(#"{"v":1,"story":"s-1","kind":"alert","publ"#).restricts)
        #expect(rejection(of: decode(#"{"v":1,"story":"s-"#))?.holdsStory == false)
        #expect(rejection(of: decode("<xml/>"))?.holdsStory == false)
    }

    @Test func `a faulty record that would notify holds nothing and reaches nobody`() {
        for format in WithdrawalFormat.allCases {
            let isEvent = [.event, .cloudEvent, .binaryCloudEvent].contains(format)
            let word = isEvent ? #""alert""# : format == .fields ? #""BREAKING""# : #""usable""#
            let members = format.members(.kill).map { $0.name == format.act ? ($0.name, word) : $0 }
            let large = members + [("other", "\"\(String(repeating: "x", count: WithdrawalFormat.maximumBytes))\"")]
            let rejected = rejection(of: Self.outcome(format, large))
            #expect(rejected?.reason == .tooLarge, "\(format)")
            #expect(rejected?.holdsStory == false, "\(format)")
        }
    }

    // MARK: Any mutation

    /// The number of mutations in a test run, and with `NEWSFLASH_LONG=1`.
    private static let rounds = isLongRun ? 1_000_000 : 3000
    private static let parts = 10

    @Test(arguments: 0..<parts)
    func `after any mutation of one member a withdrawal notifies nobody`(_ part: Int) {
        var generator = SeededGenerator(seed: UInt64(part))
        for round in 0..<(Self.rounds / Self.parts) {
            let format = WithdrawalFormat.allCases[round % WithdrawalFormat.allCases.count]
            let act = WithdrawalAct.allCases.randomElement(using: &generator) ?? .kill
            var members = format.members(act)
            let others = members.indices.filter { members[$0].name != format.storyMember }
            let index = others.randomElement(using: &generator) ?? 0
            let isAct = members[index].name == format.act
            switch Int.random(in: 0..<4, using: &generator) {
            case 0 where !isAct || format.act == "kind": members.remove(at: index)
            case 1: members.append((members[index].name, Self.junk(&generator)))
            case 2 where !isAct || format.act == "kind": members[index].name += "x"
            default: members[index].json = Self.junk(&generator)
            }
            let outcome = Self.outcome(format, members)
            #expect(outcome.restricts, "part \(part), round \(round): \(format), \(members): \(outcome)")
        }
    }

    /// Returns some value, except null, which means absence, and words that are an act.
    private static func junk(_ generator: inout SeededGenerator, depth: Int = 0) -> String {
        switch Int.random(in: 0..<(depth < 4 ? 9 : 6), using: &generator) {
        case 0: return "\(Int64.random(in: .min ... .max, using: &generator))"
        case 1:
            return
                "\(Int.random(in: -3...3, using: &generator)).\(Int.random(in: 0...9, using: &generator))e\(Int.random(in: -400...400, using: &generator))"
        case 2: return Bool.random(using: &generator) ? "true" : "false"
        case 3: return #""\u00e9\#(Int.random(in: 0...99, using: &generator))""#
        case 4: return #""""#
        case 5:
            let words = [
                "kill ", "Kill", "canceled!", "tonight", "2026-03-02", "en_US", "http://a", "a b", "~", "\u{202E}x",
            ]
            return "\"\(words.randomElement(using: &generator) ?? "")\""
        case 6: return "[\(junk(&generator, depth: depth + 1)),\(junk(&generator, depth: depth + 1))]"
        case 7: return #"{"id":\#(junk(&generator, depth: depth + 1)),"x":\#(junk(&generator, depth: depth + 1))}"#
        default: return String(repeating: "[", count: 70) + String(repeating: "]", count: 70)
        }
    }
}
