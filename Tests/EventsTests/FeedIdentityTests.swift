import FoundationEssentials
import NewsflashStrictJSON
import NewsflashTestSupport
import NewsflashTimestamps
import Testing

@testable import NewsflashEvents

/// The story, revision and language of an item, and the list of the paths from which they are read.
@Suite(.timeLimit(.minutes(1)))
struct FeedIdentityTests {
    private static let written: Int64 = 1_772_438_400_000

    private static func decode(
        _ members: String,
        _ format: SourceFormat = .ninjs,
        revision: SourceRules.Revision? = nil,
        story: String? = nil
    ) -> DecodeOutcome {
        var rules = SourceRules()
        rules.revision = revision
        rules.story = [story].compactMap { $0.flatMap(StoryRule.init) }
        let text = #"{"versioncreated":"2026-03-02T08:00:00Z","subject":["a"],\#(members)}"#
        return EventDecoder(defaultSource: "urn:wire", format: format, rules: rules).decode(bytes: Array(text.utf8))
    }

    private static func event(_ outcome: DecodeOutcome) -> NewsEvent? {
        guard case .event(let event, _) = outcome else { return nil }
        return event
    }

    @Test(
        arguments: [
            (#""uri":"u","version":"1""#, nil, 1), (#""uri":"u","version":"0""#, nil, 1),
            (#""uri":"u","version":"1.0""#, nil, 1),
            (#""uri":"u""#, nil, written), (#""uri":"u""#, .version, nil), (#""uri":"u","version":"a""#, .version, nil),
            (#""uri":"u","version":"1""#, .versionCreated, written + 1),
            (#""guid":"g","version":"1""#, nil, written + 1),
            (#""guid":"g","version":"2000""#, nil, written + 999), (#""guid":"g""#, nil, written),
            (#""guid":"g","version":"1""#, .version, 1), (#""guid":"g","version":"1","evolvedfrom":"r""#, .version, 1),
            (#""uri":"https://api.ap.org/media/v/content/i?qt=a&et=1","version":"0""#, nil, 1),
            (#""uri":"https://api.ap.org/media/v/content/i?qt=b&et=2","version":"1""#, nil, 2),
        ] as [(String, SourceRules.Revision?, Int64?)]
    )
    func `all items of a source are numbered by version or all by time`(
        _ members: String,
        _ rule: SourceRules.Revision?,
        _ revision: Int64?
    ) {
        let outcome = Self.decode(members + #","headline":"H""#, revision: rule)
        #expect(Self.event(outcome)?.revision == revision, "\(outcome)")
        if revision == nil { #expect(rejection(of: outcome)?.detail.contains("/revision: is missing") == true) }
    }

    @Test(
        arguments: [
            (#""uri":"https://api.ap.org/media/v/content/i?qt=a&et=1""#, SourceFormat.ninjs, nil, "i"),
            (#""uri":"x","altids":{"itemid":"i"}"#, .ninjs, nil, "x"),
            (#""uri":"x","altids":{"itemid":"i"}"#, .ap, nil, "i"),
            (#""uri":"x","altids":{"itemid":"i","etag":"e"}"#, .ninjs, nil, "x"),
            (#""uri":"x","altids":{"itemid":"i"}"#, .superdesk, nil, "x"),
            (#""uri":"x","altids":{"itemid":"i"}"#, .ninjs, "/altids/itemid", "i"),
            (#""uri":"x""#, .ninjs, "/altids/itemid", "x"),
            (#""uri":"https://a.example/1?v=2""#, .ninjs, "{story}?*", "https://a.example/1"),
            (#""uri":"https://a.example/1""#, .ninjs, "{story}?*", "https://a.example/1"),
            (#""uri":"urn:a:7:v3""#, .ninjs, "urn:a:{story}:v*", "7"),
            (#""uri":"urn:a:7""#, .ninjs, "urn:a:{story}", "7"),
            (#""uri":"a-7-z""#, .ninjs, "a-{story}-z", "7"), (#""uri":"a-7-y""#, .ninjs, "a-{story}-z", "a-7-y"),
        ] as [(String, SourceFormat, String?, String)]
    )
    func `the story comes from the configured path, otherwise it is the item's id`(
        _ members: String,
        _ format: SourceFormat,
        _ rule: String?,
        _ story: String
    ) {
        let outcome = Self.decode(members + #","version":"2","headline":"H""#, format, story: rule)
        #expect(Self.event(outcome)?.story == story, "\(outcome)")
    }

    @Test(arguments: ["", "story", "{story}", "*{story}", "{story}*x", "{story}{story}", "{story}**", "/a/*/b/*"])
    func `a text that is not a story rule is refused`(_ text: String) {
        #expect(StoryRule(text) == nil)
    }

    @Test(
        arguments: [
            (#""en_US""#, "en-US"), (#"["en","fr"]"#, "en"), (#""pt-BR""#, "pt-BR"), ("5", nil), (#""english""#, nil),
            ("[]", nil),
            (#""""#, nil),
        ] as [(String, String?)]
    )
    func `a language is read in the spelling of feeds, and an unreadable one is absent`(_ json: String, _ tag: String?)
    {
        let outcome = Self.decode(#""uri":"u","version":"2","headline":"H","language":\#(json)"#)
        guard case .event(let event, let warnings) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(event.language == tag)
        #expect(event.text.map(\.language) == [tag ?? "und"])
        #expect(warnings.map(\.rawValue) == (tag == nil ? ["language.unreadable"] : []))
    }

    @Test(arguments: ["0", "10", #""0""#, "-1"]) func `a number that is not an urgency counts as absent`(
        _ urgency: String
    ) {
        let outcome = Self.decode(#""uri":"u","version":"2","headline":"H","urgency":\#(urgency)"#)
        #expect(Self.event(outcome)?.urgency == EventKind.update.defaultUrgency, "\(outcome)")
    }

    @Test(arguments: [
        (#""headline":"","headlines":[{"value":"P"}]"#, "P"),
        (#""headlines":[{"role":"short","value":""},{"role":"main","value":"M"}]"#, "M"),
        (#""headlines":[{"role":"subhead","value":"S"},{"role":"Main","value":"M"}]"#, "M"),
        (#""title":"T""#, "T"), (#""headline_short":"S","title":"T""#, "S"),
    ])
    func `another headline replaces a blank one`(_ members: String, _ headline: String) {
        #expect(Self.event(Self.decode(#""uri":"u","version":"2",\#(members)"#))?.text.first?.headline == headline)
    }

    // MARK: The list of paths

    @Test func `the guide has the paths from which items are read`() throws {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
        let guide = String(
            decoding: try Data(contentsOf: URL(filePath: root + "/deploy/guides/feeds.md")),
            as: UTF8.self
        )
        let begin = "<!-- the places of feeds: made of FeedPlaces, and compared by a test -->\n"
        let start = try #require(guide.firstRange(of: begin)).upperBound
        let end = try #require(guide[start...].firstRange(of: "\n<!-- end -->")).lowerBound
        #expect(String(guide[start..<end]) == FeedPlaces.table, "put this there:\n\(FeedPlaces.table)")
    }

    /// For each path of the list, an item with a value only there.
    @Test(arguments: NinjsFlavour.allCases) func `each path of the list is read`(_ flavour: NinjsFlavour) throws {
        let format: SourceFormat = flavour == .ap ? .ap : flavour == .superdesk ? .superdesk : .ninjs
        for part in FeedPlaces.Part.allCases {
            for place in FeedPlaces.places(of: part, in: flavour) {
                let name = try #require(place.split(separator: "/").first.map(String.init))
                let isWhole = place == "/\(name)"
                let inner =
                    isWhole
                    ? Self.sample(part, place)
                    : #"{"\#(place.dropFirst(name.count + 2))":\#(Self.sample(part, place))}"#
                var members = [
                    "uri": #""u""#, "version": #""2""#, "headline": #""H""#, "type": #""text""#,
                    "subject": #"[{"code":"y","rels":["direct"]}]"#,
                ]
                if part == .headline { members["headline"] = nil }
                if part != .contentCreated { members["firstcreated"] = #""2026-03-02T08:00:00Z""# }
                if part == .story { members["uri"] = nil }
                let without = members.map { #""\#($0.key)":\#($0.value)"# }.sorted().joined(separator: ",")
                members[name] = inner
                let with = members.map { #""\#($0.key)":\#($0.value)"# }.sorted().joined(separator: ",")
                #expect(Self.read(with, format) != Self.read(without, format), "\(part): \(place)")
            }
        }
    }

    private static func read(_ members: String, _ format: SourceFormat) -> DecodeOutcome {
        var rules = SourceRules()
        rules.revision = .version
        return EventDecoder(defaultSource: "urn:wire", format: format, rules: rules)
            .decode(bytes: Array("{\(members)}".utf8))
    }

    /// A value that changes the meaning of an item.
    private static func sample(_ part: FeedPlaces.Part, _ place: String) -> String {
        switch part {
        case .story, .rewritten, .language: #""xx""#
        case .headline: place == "/headline" ? #""S""# : #"[{"value":"S"}]"#
        case .summary: place == "/descriptions" ? #"[{"value":"S"}]"# : #""S""#
        case .version: "7"
        case .created, .firstCreated, .contentCreated, .embargo, .expires: #""2026-03-02T10:00:00Z""#
        case .status: #""canceled""#
        case .signal: #"["correction"]"#
        case .note: #""CORRECTION""#
        case .genre: #"[{"name":"CORRECTION"}]"#
        case .urgency: place == "/urgency" ? "7" : #""f""#
        case .type: #""picture""#
        case .representation: #""partial""#
        case .categories: place.contains("place") ? #"[{"code":"CZ"}]"# : #"[{"code":"x","rels":["direct"]}]"#
        case .link:
            place == "/links"
                ? #"[{"rel":"canonical","href":"https://a.example/"}]"#
                : place.hasPrefix("/extra") ? #""https://a.example/""# : #"{"web":"https://a.example/"}"#
        case .image:
            #"{"a":{"type":"picture","renditions":{"r":{"href":"https://a.example/","width":700,"mimetype":"image/jpeg"}}}}"#
        }
    }
}
