import NewsflashTestSupport
import NewsflashTimestamps
import Testing

@testable import NewsflashEvents

@Suite(.timeLimit(.minutes(1)))
struct NinjsItemTests {
    private static let dateTime =
        "must be a date-time of RFC 3339 with offset, such as 2026-03-02T09:40:00+01:00"
    private static let time = #""versioncreated":"2026-03-02T12:10:00Z""#
    private static let published = Timestamp(seconds: 1_772_453_400)

    @Test func `an item of the first generation is read`() {
        let event = event(
            #"{"uri":"u","version":"1","type":"text","urgency":1,"language":"en","headline":"Words","description_text":"More","#
                + #""subject":[{"scheme":"http://cv.iptc.org/newscodes/mediatopic/","code":"20000151"}],\#(Self.time)}"#
        )
        let expected = NewsEvent(
            id: "u#1",
            source: "urn:wire",
            story: "u",
            revision: 1,
            kind: .flash,
            urgency: 1,
            published: Self.published,
            categories: ["medtop:20000151"],
            language: "en",
            text: [EventText(language: "en", headline: "Words", summary: "More")]
        )
        #expect(event == expected)
    }

    @Test(arguments: [
        (#"{}"#, "/story: is missing (read from /uri or /guid)"),
        (#"{"uri":5}"#, "/story: is missing (read from /uri)"),
        (#"{"version":"1"}"#, "/id: is missing (read from /uri with /version or /guid with /version)"),
        (#"{"guid":5}"#, "/id: is missing (read from /guid with /versioncreated)"),
        (#"{"uri":"u","firstCreated":"noon","headline":"H"}"#, "/published: \(dateTime) (read from /firstCreated)"),
        (
            #"{"uri":"u","embargoedUntil":5,"headline":"H"}"#,
            "/embargo: must be a date-time, is a number (read from /embargoedUntil)"
        ),
        (#"{"uri":"u","version":"-1","headline":"H"}"#, "/revision: is missing (read from /version)"),
        (
            #"{"uri":"u","version":"1","body_text":"B"}"#,
            "/text: is missing (read from /headline or /headlines or /title)"
        ),
        (
            #"{"data":{"item":{"version":1,"bodies":[{"value":"B"}]}}}"#,
            "/text: is missing (read from /data/item/headline or /data/item/headlines or /data/item/title)"
        ),
        (
            #"{"data":{"items":[{"item":{"itemid":"a"}},{"item":{"itemid":"b"}}]}}"#,
            "/data/items: has several items"
        ),
    ])
    func `a missing member is reported with the expected path`(_ item: String, _ fault: String) {
        let detail = rejection(of: decode(item))?.detail ?? ""
        #expect(detail.split(separator: "; ").contains(Substring(fault)), "\(detail)")
    }

    // MARK: Status

    @Test(arguments: [
        ("usable", EventKind.update), ("canceled", .kill), ("withheld", .hold),
    ])
    func `the status decides the act`(_ status: String, _ kind: EventKind) {
        for name in ["pubstatus", "pubStatus"] {
            #expect(event(item(#""\#(name)":"\#(status)""#))?.kind == kind)
        }
    }

    @Test(arguments: [#""cancelled""#, #""Usable""#, #""""#, "7", "{}"])
    func `an unknown status holds the story`(_ status: String) {
        let rejection = rejection(of: decode(item(#""pubstatus":\#(status),"pubStatus":"usable""#)))
        #expect(rejection?.reason == .status)
        #expect(rejection?.holdsStory == true)
        #expect(rejection?.id == "u#2")
        #expect(rejection?.story == "u")
        #expect(rejection?.revision == 2)
        #expect(rejection?.isBoundedAndPrintable == true)
    }

    @Test func `an item among events that may withdraw its story holds it`() {
        let decoder = EventDecoder(defaultSource: "urn:desk")
        let astray = decoder.decode(bytes: Array(item(#""pubstatus":"cancelled""#).utf8))
        #expect(rejection(of: astray)?.reason == .status)
        #expect(rejection(of: astray)?.holdsStory == true)
        let canceled = decoder.decode(bytes: Array(item(#""pubstatus":"canceled""#).utf8))
        #expect(rejection(of: canceled)?.reason == .schema)
        #expect(rejection(of: canceled)?.holdsStory == true)
        let usable = decoder.decode(bytes: Array(item(#""pubstatus":"usable""#).utf8))
        #expect(rejection(of: usable)?.holdsStory == false)
    }

    @Test(arguments: [
        ("CORRECTION: the name", EventKind.correction), ("Corrects spelling", .correction), ("Refile", .correction),
        ("*** RECTIFICATIF ***", .correction), ("Berichtigung: 2. Absatz", .correction), ("Oprava jména", .correction),
        ("Correc\u{327}a\u{303}o", .correction), ("УТОЧНЕНИЕ", .correction), ("Уточнена дата", .correction),
        ("更正：日期", .correction), ("تصحيح", .correction), ("Eds: CORRECTS date", .correction),
        ("KILL KILL KILL", .hold), ("Kill: wrong man", .hold), ("Killed are three", .update), ("WITHDRAWN", .hold),
        ("Annulation", .hold), ("ZURÜCKGEZOGEN", .hold), ("Stažená zpráva", .hold), ("撤稿", .hold), ("إلغاء", .hold),
        ("Отозвано", .hold), ("UPDATES: a correction follows", .update), ("", .update), ("* 7", .update),
    ])
    func `a note to editors may raise a correction or a hold, never a kill`(_ note: String, _ kind: EventKind) {
        for name in ["ednote", "edNote"] {
            #expect(event(item(#""\#(name)":"\#(note)""#))?.kind == kind)
        }
    }

    @Test(arguments: [
        #""signal":[{"code":"sig:correction"}]"#, #""signal":["correction"]"#, #""editorialtypes":["Corrections"]"#,
    ])
    func `a signal may raise a correction`(_ signal: String) {
        #expect(event(item(signal))?.kind == .correction)
    }

    @Test func `a kill and a hold have no text and act at once`() {
        let more = #""embargoed":"2027-01-01T00:00:00Z","urgency":3,"subject":[{"code":"a"}]"#
        for status in ["canceled", "withheld"] {
            let event = event(item(#""pubstatus":"\#(status)",\#(more)"#))
            #expect(event?.text == [])
            #expect(event?.embargo == nil)
            #expect(event?.categories == [])
            #expect(event?.urgency == 1)
        }
    }

    @Test(arguments: [
        ("1", 1, EventKind.flash), ("1", 2, .alert), ("1", 3, .alert), ("1", 4, .update), ("2", 1, .update),
    ])
    func `the kind of the first revision depends on its urgency`(_ version: String, _ urgency: Int, _ kind: EventKind) {
        let text = item(#""urgency":\#(urgency)"#).replacing(#""version":"2""#, with: #""version":"\#(version)""#)
        #expect(event(text)?.kind == kind)
    }

    // MARK: Identity

    @Test(arguments: [("7", 7, "u#7"), (#""0012""#, 12, "u#12"), ("3.0", 3, "u#3")] as [(String, Int64, String)])
    func `the version is the revision`(_ version: String, _ revision: Int64, _ id: String) {
        let event = event(item("").replacing(#""2""#, with: version))
        #expect(event?.revision == revision)
        #expect(event?.id == id)
    }

    @Test(arguments: [
        #""2.1""#, #""second""#, "null", #""""#, "{}", "-1", "9007199254740993", #""20260302090000123456""#,
    ])
    func `the time is the revision if no whole number is given`(_ version: String) {
        let event = event(item("").replacing(#""2""#, with: version))
        #expect(event?.revision == 1_772_453_400_000)
        #expect(event?.id == "u#1772453400000")
    }

    @Test func `a rewrite is on its original story, and is newer by its time`() {
        let event = event(item(#""evolvedfrom":"root""#).replacing(#""uri""#, with: #""guid""#))
        #expect(event?.story == "root")
        // The version is added to a whole second.
        #expect(event?.id == "u#1772453400002")
        #expect(event?.revision == 1_772_453_400_002)
        #expect(event?.kind == .update)
    }

    @Test func `an id that is too long for an event is replaced by its digest`() {
        let uri = "urn:" + String(repeating: "x", count: 150)
        let event = event(item("").replacing(#""u""#, with: #""\#(uri)""#))
        #expect(event?.story == uri)
        #expect(event?.id.hasPrefix("sha256:") == true)
        #expect(event?.id.utf8.count == 71)
    }

    @Test func `times may lack the colon in their offset`() {
        let text = item(#""embargoed":"2026-03-02T15:10:00+0200""#).replacing("12:10:00Z", with: "13:10:00+0100")
        #expect(event(text)?.published == Self.published)
        #expect(event(text)?.embargo == Self.published + .seconds(3600))
    }

    @Test func `the later of two embargoes counts, and a broken one is not an embargo`() {
        let both = #""embargoed":"2026-03-02T13:10:00Z","embargoedUntil":"2026-03-02T14:10:00Z""#
        #expect(event(item(both))?.embargo == Self.published + .seconds(7200))
        #expect(reason(of: decode(item(#""embargoed":"tonight""#))) == .schema)
        #expect(reason(of: decode(item(#""embargoed":"tonight","embargoedUntil":"2026-03-02T14:10:00Z""#))) == .schema)
    }

    // MARK: Items for push

    @Test(arguments: [
        (#""type":"picture""#, false), (#""type":"event""#, false), (#""type":"planning""#, false),
        (#""type":"composite","urgency":1"#, true), (#""representationtype":"incomplete""#, false),
        (#""representationType":"partial""#, false), (#""representationType":"full","urgency":1"#, true),
        (#""urgency":4"#, false),
        (#""urgency":3"#, true), (#""urgency":9,"ednote":"CORRECTION""#, true),
        (#""urgency":9,"pubstatus":"canceled""#, true),
        (#""type":"picture","pubstatus":"withheld""#, true), ("", false),
    ])
    func `an item that is not news for push is withheld without a report`(_ members: String, _ isPushed: Bool) {
        var rules = SourceRules()
        rules.push.urgency = 1...3
        let event = event(item(members), rules)
        #expect(event?.withheld == (isPushed ? nil : "suppressed.not_for_push"))
    }

    @Test func `a withheld item needs only an id`() {
        let event = event(#"{"uri":"urn:nato.int:summit","type":"event"}"#)
        #expect(event?.withheld == "suppressed.not_for_push")
        #expect(event?.story == "urn:nato.int:summit")
        let broken = rejection(of: decode(#"{"type":"event"}"#))
        #expect(broken?.reason == .schema)
    }

    // MARK: Audience

    @Test(arguments: [
        (#"{"code":"20000151"}"#, "medtop:20000151"), (#"{"code":"medtop:20000151"}"#, "medtop:20000151"),
        (#"{"uri":"http://cv.iptc.org/newscodes/mediatopic/20000151"}"#, "medtop:20000151"),
        (#"{"literal":"MEDTOP:20000151"}"#, "medtop:20000151"), (#"{"code":20000151}"#, "medtop:20000151"),
        (#"{"code":"20000151","scheme":"mediatopics"}"#, "medtop:20000151"),
        (#"{"code":"04000000"}"#, "medtop:04000000"),
        (#"{"code":"15054000"}"#, "subj:15054000"), (#"{"code":"subj:15054000"}"#, "subj:15054000"),
        (#"{"code":"15054000","scheme":"http://cv.iptc.org/newscodes/subjectcode/"}"#, "subj:15054000"),
        (#"{"uri":"http://cv.iptc.org/newscodes/subjectcode/15054000"}"#, "subj:15054000"),
        (#"{"code":"sport","scheme":"desk"}"#, "desk:sport"), (#"{"code":"sport"}"#, "sport"), (#""sport""#, "sport"),
        (#"{"code":"42","scheme":"https://cv.example.org/"}"#, "https://cv.example.org/42"),
        (#"{"code":"15054000","scheme":"house"}"#, "house:15054000"),
    ])
    func `codes of subjects become categories`(_ subject: String, _ category: String) {
        for name in ["subject", "subjects"] {
            #expect(event(item(#""\#(name)":[\#(subject)]"#))?.categories == [category])
        }
    }

    @Test(
        arguments: [
            (#"{"code":"CZ"}"#, "geo:CZ"), (#"{"code":"CZ-10"}"#, "geo:CZ-10"), (#"{"literal":"geo:PS"}"#, "geo:PS"),
            (#"{"uri":"http://cv.iptc.org/newscodes/country/PT"}"#, "geo:PT"),
            (#"{"code":"CZ","scheme":"iso3166-1a2"}"#, "geo:CZ"), (#"{"code":"CZ","scheme":"airlines"}"#, nil),
            (#"{"name":"Prague"}"#, nil), (#"{"code":"Prague"}"#, nil), (#"{"code":"cz"}"#, nil),
            (#"{"code":"CZ-"}"#, nil),
        ] as [(String, String?)]
    )
    func `places by ISO 3166 become categories`(_ place: String, _ category: String?) {
        let members = #""subject":["world"],"place":[\#(place)]"#
        #expect(event(item(members))?.categories == ["world"] + (category.map { [$0] } ?? []))
    }

    @Test func `each code is listed once`() {
        let codes = (0..<40).map { #"{"code":"c\#($0 / 2)"}"# }.joined(separator: ",")
        #expect(event(item(#""subject":[\#(codes)]"#))?.categories == (0..<20).map { "c\($0)" })
        #expect(event(item(#""subject":[{"code":"two words"},{"code":"a"},{},7]"#))?.categories == ["a"])
    }

    // MARK: Texts and links

    @Test(arguments: [
        (#"[{"role":"main","value":"M"},{"role":"push","value":"P"}]"#, "P"),
        (#"[{"value":"N"},{"role":"main","value":"M"},{"role":"short","value":"S"}]"#, "S"),
        (#"[{"role":"subhead","value":"S"},{"value":"N"}]"#, "N"), (#"[{"role":"subhead","value":"S"}]"#, "S"),
        (#"[{"role":"push"},{"role":"main","value":"M"}]"#, "M"),
        (#"[{"contentType":"text/html","value":"a &amp; <b>b</b>"}]"#, "a & b"),
        (#"[{"contentType":"text/plain","value":"a &amp; b"}]"#, "a &amp; b"),
    ])
    func `the headline for pushes has precedence over others`(_ headlines: String, _ expected: String) {
        let text = item(#""headlines":\#(headlines)"#).replacing(#""headline":"Words","#, with: "")
        #expect(event(text)?.text.first?.headline == expected)
    }

    @Test func `entities are resolved only if the source is HTML`() {
        var rules = SourceRules()
        rules.isHTML = true
        let text = item("").replacing("Words", with: "Caf&eacute; &#x2014; &lt;b&gt;")
        #expect(event(text)?.text.first?.headline == "Caf&eacute; &#x2014; &lt;b&gt;")
        #expect(event(text, rules)?.text.first?.headline == "Café — <b>")
    }

    @Test func `a text without a language has an undetermined one`() {
        #expect(event(item("").replacing(#""language":"en","#, with: ""))?.text.first?.language == "und")
    }

    @Test(
        arguments: [
            (#""altids":{"web":"https://a.example/"}"#, nil, "https://a.example/"),
            (
                #""altIds":[{"role":"app","value":"x"},{"role":"web","value":"https://a.example/"}]"#, nil,
                "https://a.example/"
            ),
            (#""extra":{"link":"https://a.example/"}"#, "extra.link", "https://a.example/"),
            (#""links":[{"rel":"canonical","href":"https://a.example/"}]"#, "altids.web", "https://a.example/"),
            ("", "https://a.example/{story}?v={id}", "https://a.example/u?v=u%232"),
            (#""altids":{"web":"http://a.example/"}"#, nil, nil), ("", nil, nil),
        ] as [(String, String?, String?)]
    )
    func `the link comes from the configured path or the default paths`(
        _ members: String,
        _ rule: String?,
        _ expected: String?
    ) {
        var rules = SourceRules()
        rules.link = rule.flatMap(LinkRule.init)
        #expect(event(item(members), rules)?.url == expected)
    }

    private func decode(_ text: String, _ rules: SourceRules = SourceRules()) -> DecodeOutcome {
        EventDecoder(defaultSource: "urn:wire", format: .ninjs, rules: rules).decode(bytes: Array(text.utf8))
    }

    private func event(_ text: String, _ rules: SourceRules = SourceRules()) -> NewsEvent? {
        guard case .event(let event, warnings: _) = decode(text, rules) else { return nil }
        return event
    }

    /// Returns a sound item with further members; their subjects replace its own.
    private func item(_ members: String) -> String {
        let subject = members.contains(#""subject"#) ? "" : #""subject":[{"code":"world"}],"#
        let more = members.isEmpty ? "" : ",\(members)"
        return #"{"uri":"u","version":"2","language":"en","headline":"Words",\#(subject)\#(Self.time)\#(more)}"#
    }
}
