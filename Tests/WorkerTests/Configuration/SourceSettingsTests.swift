import NewsflashEvents
import NewsflashTimestamps
import Testing

@testable import NewsflashWorker

@Suite(.timeLimit(.minutes(1)))
struct SourceSettingsTests {
    private static let feeds = """
        sources:
          wire:
            topic: wire.v1
            format: ninjs
            id: "https://wire.example.net/feed"
            revision: versioncreated
            story: "{story}?*"
            maximumBytes: 2097152
            push: { urgency: 1..3, type: [text] }
            kinds: { 1: flash, 2: alert }
            html: true
            url: "https://news.example.org/{story}"
          house:
            topic: house.v1
            format: fields
            fields:
              id: /guid
              story: /article/id
              revision: { pointer: /changed, time: epochSeconds }
              kind: { pointer: /type, map: { BREAKING: flash, dead: kill }, default: update }
              published: [/time, /created]
              categories: [/section, { pointer: "/tags/*/code", prefix: "tag:" }]
              language: { default: en }
              text: { headline: /title, summary: /lead }
          desk: {}
        """

    @Test func `each source has its topic, its ledger and its format`() throws {
        let configuration = try SoundConfiguration.read(adding: Self.feeds)
        let sources = configuration.sources
        #expect(sources.map(\.name) == ["wire", "house", "desk"])
        #expect(sources.map(\.topic) == ["wire.v1", "house.v1", "newsroom.breaking.v1"])
        #expect(sources.map(\.ledger) == sources.map { "newsflash.\($0.topic).ledger" })
        #expect(sources.map(\.id) == ["https://wire.example.net/feed", "house", "newsroom"])
        let wire = sources[0]
        #expect(wire.format == .ninjs)
        #expect(wire.rules.revision == .versionCreated)
        #expect(wire.rules.story == ["{story}?*"].compactMap(StoryRule.init))
        #expect(sources.map(\.decoder.maximumBytes) == [2_097_152, 1_048_576, 262_144])
        #expect(wire.rules.push.urgency == 1...3)
        #expect(wire.rules.push.types == ["text"])
        #expect(wire.rules.kinds == [1: .flash, 2: .alert])
        #expect(wire.rules.isHTML)
        #expect(wire.rules.link == .pattern("https://news.example.org/{story}"))
        #expect(sources[2].format == .event)
    }

    @Test func `records are decoded in the format of their topic`() throws {
        let decoders = try SoundConfiguration.read(adding: Self.feeds).sources.decoders
        let text = """
            {"guid":7,"article":{"id":"s-1"},"changed":1772438400,"type":"BREAKING","created":"2026-03-02T09:00:00+0100",
            "section":"world","tags":[{"code":"a"},{"code":"b"}],"title":"Words","lead":""}
            """
        let outcome = decoders["house.v1"].decode(bytes: Array(text.utf8))
        let event = NewsEvent(
            id: "7",
            source: "house",
            story: "s-1",
            revision: 1_772_438_400_000,
            kind: .flash,
            published: Timestamp(seconds: 1_772_438_400),
            categories: ["world", "tag:a", "tag:b"],
            language: "en",
            text: [EventText(language: "en", headline: "Words")]
        )
        #expect(outcome == .event(event, warnings: []))
        guard case .rejected(let rejection) = decoders["newsroom.breaking.v1"].decode(bytes: Array(text.utf8)) else {
            Issue.record("an event has a version")
            return
        }
        #expect(rejection.reason == .schema)
    }

    @Test func `a feed has its notes, schemes, categories, stories, languages and subscribers`() throws {
        let lines = """
            send: { tags: "{category}.{locale}" }
            sources:
              wire:
                format: ninjs
                notes: { hold: [desk stop, "not this, please"], kill: ["MANDATORY KILL"], correction: nový údaj }
                schemes: { Subject_Custom: subj, "http://tt.se/spec/subref/1.0/": medtop }
                categories: [world, "medtop:16000000", world]
                story: [altids.storyid, associations.translationOf, /extra/root, "{story}?*"]
                headline: [/headline_push, /body_text]
                status: { Published: usable, deleted: canceled }
                timeZone: Europe/Stockholm
                readers: own
            """
        let rules = try SoundConfiguration.read(adding: lines).sources[0].rules
        let notes = EditorialNotes(
            hold: ["desk stop", "not this, please"],
            kill: ["mandatory kill"],
            correction: ["nový údaj"]
        )
        #expect(rules.notes == notes)
        #expect(rules.schemes == ["subject_custom": "subj", "http://tt.se/spec/subref/1.0/": "medtop"])
        #expect(rules.categories == ["world", "medtop:16000000"])
        let places = ["altids.storyid", "associations.translationOf", "/extra/root", "{story}?*"]
        #expect(rules.story == places.compactMap(StoryRule.init))
        #expect(rules.headline.map(\.text) == ["/headline_push", "/body_text"])
        #expect(rules.statuses == ["published": .usable, "deleted": .canceled])
        #expect(rules.zone != nil)
        #expect(rules.revision == .versionCreated)
        #expect(rules.readers == .own)
        let usual = try SoundConfiguration.read(adding: "sources: { wire: { format: ap } }").sources[0].rules
        #expect(usual == SourceRules())
    }

    @Test func `one name serves several ledgers if it contains the topic`() throws {
        let lines = "sources: { one: { topic: a }, two: { topic: b } }\ntopics: { ledger: \"mine.{topic}\" }"
        #expect(try SoundConfiguration.read(adding: lines).sources.map(\.ledger) == ["mine.a", "mine.b"])
    }

    @Test(arguments: [
        InvalidSource(
            "sources:\n  one: { topic: a }\n  two: { topic: b }\ntopics: { ledger: mine }",
            "topics.ledger: 'mine' is one topic, but each source needs its own ledger: put {topic} into the name"
        ),
        InvalidSource("  story: /a", "story: is only for feeds; with format 'event' each event contains this"),
        InvalidSource(
            "  format: ninjs\n    story: uri",
            "story: 'uri' is not a path of a story; write altids.ROLE, associations.NAME, a JSON Pointer such as /extra/root, or a pattern such as {story}?*"
        ),
        InvalidSource(
            "  format: fields\n    story: /a\n    fields: { text: { headline: /a } }",
            "story: is only for ninjs; map the story in fields, as in 'story: /article/id'"
        ),
        InvalidSource("  maximumBytes: 10", "maximumBytes: '10' is not a whole number from 1024 to 104857600"),
        InvalidSource("  html: true", "html: is only for feeds; with format 'event' each event contains this"),
        InvalidSource("  readers: own", "readers: is only for feeds; with format 'event' each event contains this"),
        InvalidSource(
            "  format: ninjs\n    readers: own",
            "readers: own needs {locale} in the tags of hubs.main: without it a request reaches subscribers of all languages; set send.tags, for example \"{category}.{locale}\""
        ),
        InvalidSource(
            "  format: fields\n    fields: { text: { headline: /a } }\n    schemes: { a: b }",
            "schemes: is only for ninjs, superdesk and ap; map the members of format 'fields' by its rules"
        ),
        InvalidSource("  format: ninjs\n    notes: { hold: ['***'] }", "notes.hold: '***' has no words"),
        InvalidSource(
            "  format: ninjs\n    notes: { kill: [\((0...100).map { "k\($0)" }.joined(separator: ", "))] }",
            "notes.kill: has 101 phrases; at most 100 can be added"
        ),
        InvalidSource(
            "  format: ninjs\n    notes: { stop: [a] }",
            "notes.stop: unknown key; allowed: correction, hold, kill"
        ),
        InvalidSource(
            "  format: ninjs\n    schemes: { house: 'a b' }",
            "schemes.house: 'a b' cannot be the prefix of a code; write medtop, subj, or a word of your own"
        ),
        InvalidSource(
            "  format: ninjs\n    categories: ['a b']",
            "categories: 'a b' is not a code; write one such as world or medtop:16000000"
        ),
        InvalidSource(
            "  format: ninjs\n    categories: [\((0...16).map { "c\($0)" }.joined(separator: ", "))]",
            "categories: has 17 codes; an event has at most 16"
        ),
        InvalidSource(
            "  format: ninjs\n    headline: title",
            "headline: 'title' is not a JSON Pointer; write one such as /headline_push"
        ),
        InvalidSource(
            "  format: ninjs\n    status: { published: live }",
            "status.published: 'live' is not one of: usable, withheld, canceled"
        ),
        InvalidSource(
            "  status: { a: usable }",
            "status: is only for feeds; with format 'event' each event contains this"
        ),
        InvalidSource(
            "  format: ninjs\n    push: { urgency: 3..1 }",
            "push.urgency: '3..1' is not a range of urgencies; write one such as 1..3"
        ),
        InvalidSource(
            "  format: ap\n    push: { type: [text, planning] }",
            "push.type: 'planning' is not news that has happened, and is never pushed"
        ),
        InvalidSource(
            "  format: ninjs\n    kinds: { 0: flash }",
            "kinds.0: is not an urgency; write a number from 1 to 9"
        ),
        InvalidSource("  format: ninjs\n    kinds: { 1: kill }", "kinds.1: 'kill' is not one of: flash, alert, update"),
        InvalidSource(
            "  format: ninjs\n    url: web",
            "url: 'web' is not a path of a link; write altids.web, extra.web_url, links.canonical, or a pattern such as https://news.example.org/{story}"
        ),
        InvalidSource(
            "  format: fields",
            "fields: is missing; map the members of an event, as in 'story: /article/id'"
        ),
        InvalidSource(
            "  format: ninjs\n    fields: { text: { headline: /a } }",
            "fields: is for format 'fields', and this source's is 'ninjs'"
        ),
        InvalidSource(
            "  format: fields\n    fields: { id: /id }",
            "fields.text: is missing; write the place of the texts, as in 'text: { headline: /title }'"
        ),
        InvalidSource(
            "  format: fields\n    fields: { text: { headline: title } }",
            "fields.text.headline: 'title' is not a JSON Pointer; write one such as /article/id, or /tags/*/code for each item of a list"
        ),
        InvalidSource(
            "  format: fields\n    fields: { text: { en: { summary: /a } } }",
            "fields.text.en.headline: is missing; write its place, as in 'headline: /title'"
        ),
        InvalidSource(
            "  format: fields\n    fields: { text: { english_words: { headline: /a } } }",
            "fields.text.english_words: is neither 'headline' nor a language tag such as en or pt-BR"
        ),
        InvalidSource(
            "  format: fields\n    fields: { text: { headline: /a }, categories: [/b, { map: { a: b } }] }",
            "fields.categories[1].pointer: is missing; write a JSON Pointer such as /article/id, or a default for all"
        ),
        InvalidSource(
            "  format: fields\n    fields: { text: { headline: /a }, id: { pointer: /i, time: rfc3339 } }",
            "fields.id.time: is only for published, embargo, expires and revision"
        ),
    ])
    private func `an invalid source is reported with its line and key`(_ fault: InvalidSource) {
        let lines = fault.lines.hasPrefix("sources") ? fault.lines : "sources:\n  w:\n  \(fault.lines)"
        let expected = fault.lines.hasPrefix("sources") ? fault.problem : "sources.w.\(fault.problem)"
        let problems = SoundConfiguration.problems(adding: lines)
        #expect(problems.contains { $0.hasSuffix(expected) }, "\(problems)")
    }
}

private struct InvalidSource: Sendable, CustomTestStringConvertible {
    let lines: String
    let problem: String

    init(_ lines: String, _ problem: String) {
        self.lines = lines
        self.problem = problem
    }

    var testDescription: String { problem }
}
