import NewsflashStrictJSON
import Testing

@testable import NewsflashEvents

/// The kinds and warnings of items whose texts withdraw them or contain an embargo.
@Suite(.timeLimit(.minutes(1)))
struct NotedOrderTests {
    @Test(
        arguments: [
            (#""ednote":"Editors: this STORY about Smith WITHDRAWN""#, .update, nil),
            (#""ednote":"STORY WITHDRAWN""#, .hold, "notes.hold /ednote: 'story withdrawn' holds the story"),
            (
                #""EdNote":["quotes","Bitte nicht verwenden"]"#, .hold,
                "notes.hold /EdNote: 'nicht verwenden' holds the story"
            ),
            (
                #""ednote":"Kill the story slugged BC-Smith""#, .hold,
                "notes.hold /ednote: 'kill story' holds the story"
            ),
            (#""ednote":"撤稿：日期""#, .hold, "notes.hold /ednote: '撤稿' holds the story"),
            (#""genre":[{"name":"Retraction"}]"#, .hold, "notes.hold /genre: 'retraction' holds the story"),
            (#""genre":[{"name":"Void"}]"#, .update, nil),
            (#""signal":"sig:kill""#, .hold, "notes.hold /signal: 'kill' holds the story"),
            (#""headline":"WITHDRAWN: Smith""#, .hold, "notes.hold /headline: 'withdrawn' holds the story"),
            (
                #""headlines":[{"value":"Smith"},{"value":"Smith - KILL"}]"#, .hold,
                "notes.hold /headlines: 'kill' holds the story"
            ),
            (
                #""ednote":"desk GONE""#, .kill,
                "notes.kill /ednote: 'desk gone' withdraws the story, by notes.kill of the source"
            ),
            (
                #""ednote":"Embargoed until Smith speaks""#, .hold,
                "notes.embargo /ednote: 'embargoed' is an embargo whose time is not read; it holds the story"
            ),
            (
                #""headline":"EMBARGOED: Budget""#, .hold,
                "notes.embargo /headline: 'embargoed' is an embargo whose time is not read; it holds the story"
            ),
            (#""ednote":"Sperrfrist: 12.00 Uhr","embargoed":"2026-03-02T12:00:00Z""#, .update, nil),
            (#""ednote":"Sperrfrist: 12.00 Uhr. CORRECTS name","embargoed":"2026-03-01T12:00:00Z""#, .correction, nil),
            (
                #""ednote":"Sperrfrist: 12.00 Uhr","embargoed":null"#, .hold,
                "notes.embargo /ednote: 'sperrfrist' is an embargo whose time is not read; it holds the story"
            ),
            (
                #""headline_žlutý kůň":"STORY WITHDRAWN","headline":"Words""#, .hold,
                "notes.hold /headline_?lut??k??: 'story withdrawn' holds the story"
            ),
            (#""ednote":"CORRECTS name""#, .correction, nil),
            (#""ednote":"STORY WITHDRAWN","pubstatus":"withheld""#, .hold, nil),
            (#""ednote":"STORY WITHDRAWN","pubstatus":"canceled""#, .kill, nil),
        ] as [(String, EventKind, String?)]
    )
    func `a held item names the words that hold it`(_ members: String, _ kind: EventKind, _ warning: String?) {
        var rules = SourceRules()
        rules.notes = EditorialNotes(kill: ["Desk gone"])
        let headline = members.contains(#""headline""#) ? "" : #""headline":"Words","#
        let text =
            #"{"uri":"u","version":"2","language":"en",\#(headline)"subject":["world"],"#
            + #""versioncreated":"2026-03-02T08:10:00Z",\#(members)}"#
        let found = outcome(text, .ninjs, rules)
        #expect(found.kind == kind)
        #expect(found.warnings == (warning.map { [$0] } ?? []))
    }

    @Test func `a faulty withdrawal reports both the error and the words`() {
        let found = outcome(
            #"{"uri":"u","version":"2","language":"x y","headline":"H","versioncreated":"2026-03-02T08:10:00Z","ednote":"KILL"}"#
        )
        #expect(found.kind == .hold)
        let both = "withdrawal.faulty /ednote: 'kill' holds the story; /language: "
        #expect(found.warnings.first?.hasPrefix(both) == true)
    }

    @Test(
        arguments: [
            (#""note":"STORY WITHDRAWN""#, .hold, "notes.hold /note: 'story withdrawn' holds the story"),
            (#""title":"WITHDRAWN: Smith""#, .hold, "notes.hold /title: 'withdrawn' holds the story"),
            (#""title_fr":"STORY WITHDRAWN""#, .hold, "notes.hold /title_fr: 'story withdrawn' holds the story"),
            (#""note":"CORRECTS name","type":"NEWS""#, .update, nil),
            (#""note":"STORY WITHDRAWN","type":"DELETED""#, .kill, nil),
            (#""note":"STORY WITHDRAWN","type":"HELD""#, .hold, nil),
            (
                #""note":"desk gone","type":"HELD""#, .kill,
                "notes.kill /note: 'desk gone' withdraws the story, by notes.kill of the source"
            ),
            (
                #""note":"EMBARGOED UNTIL 1200 GMT","type":"NEWS""#, .hold,
                "notes.embargo /note: 'embargoed' is an embargo whose time is not read; it holds the story"
            ),
            (#""note":"EMBARGOED UNTIL 1200 GMT","type":"NEWS","embargo":"2026-03-02T12:00:00Z""#, .update, nil),
            (#""note":"Police: story withdrawn from sale","type":"NEWS""#, .update, nil),
        ] as [(String, EventKind, String?)]
    )
    func `mapped notes and headlines hold as in ninjs`(_ members: String, _ kind: EventKind, _ warning: String?) {
        var rules = SourceRules()
        rules.notes = EditorialNotes(kill: ["Desk gone"])
        let found = outcome(document(members), .fields(mapping(hasKind: true)), rules)
        #expect(found.kind == kind)
        #expect(found.warnings == (warning.map { [$0] } ?? []))
    }

    @Test func `a mapped note makes a correction if no rule names the kind`() {
        let found = outcome(document(#""note":"CORRECTS name""#), .fields(mapping(hasKind: false)))
        #expect(found.kind == .correction)
    }

    private func document(_ members: String) -> String {
        let title = members.contains(#""title""#) ? "" : #""title":"Words","#
        return #"{"id":"u","rev":2,"at":"2026-03-02T08:10:00Z","section":"world",\#(title)\#(members)}"#
    }

    private func mapping(hasKind: Bool) -> FieldMapping {
        func rule(_ text: String) -> [FieldRule] { [FieldRule(FieldPointer(text))] }
        var members: [FieldMapping.Member: [FieldRule]] = [
            .story: rule("/id"), .revision: rule("/rev"), .published: rule("/at"), .categories: rule("/section"),
            .note: rule("/note"), .embargo: rule("/embargo"),
        ]
        if hasKind {
            members[.kind] = [
                FieldRule(
                    FieldPointer("/type"),
                    map: ["NEWS": "update", "DELETED": "kill", "HELD": "hold"],
                    default: "update"
                )
            ]
        }
        let texts = ["en": "/title", "fr": "/title_fr"].sorted { $0.key < $1.key }
            .map { FieldMapping.LanguageText(language: $0, text: FieldMapping.Text(headline: rule($1))) }
        return FieldMapping(members: members, texts: .byLanguage(texts))
    }

    private func outcome(
        _ text: String,
        _ format: SourceFormat = .ninjs,
        _ rules: SourceRules = SourceRules()
    ) -> (kind: EventKind?, warnings: [String]) {
        let outcome = EventDecoder(defaultSource: "urn:wire", format: format, rules: rules)
            .decode(bytes: Array(text.utf8))
        guard case .event(let event, let warnings) = outcome else {
            Issue.record("\(outcome)")
            return (nil, [])
        }
        return (event.kind, warnings.map { $0.rawValue + ($0.detail.map { " " + $0 } ?? "") })
    }
}
