import NewsflashEvents
import NewsflashStrictJSON
import NewsflashTimestamps
import Testing

@testable import NewsflashRendering

@Suite(.timeLimit(.minutes(1)))
struct TemplatePropertiesTests {
    private let locales: OfferedLocales
    /// More locales than fit in a body with long texts. Made once, because their order of preference for each of them takes seconds
    /// in a debug build.
    private static let many = Result {
        try OfferedLocales(offered: (0..<60).map { "en-\(100 + $0)" }, default: "en-100")
    }

    private static func push(_ event: NewsEvent) -> PushTraits {
        PushTraits(
            of: event,
            deadline: Timestamp(seconds: 1_700_003_600),
            now: Timestamp(seconds: 1_700_000_000),
            interruption: .active
        )
    }

    init() throws { locales = try OfferedLocales(offered: ["en", "fr", "pt-BR"], default: "en") }

    @Test func `every property is present, and none of the texts is empty`() throws {
        let event = Newsroom.event(
            [
                EventText(language: "en", headline: "\"B&B\" talks", summary: "More."),
                EventText(language: "fr", headline: "Titre"),
            ],
            kind: .flash
        )
        let properties = try TemplateProperties(
            locales: locales,
            properties: [
                ("messageParam", "{headline_fr} / {headline}"), ("News_English", "{headline_en}"),
                ("where", "{category}"),
            ]
        )
        let payload = try properties.payload(
            for: event,
            news: try news(event),
            push: Self.push(event),
            category: "World"
        )
        #expect(!payload.isShortened)
        #expect(
            try members(of: payload) == [
                "id=n-1", "story=urn:story:1", "revision=3", "kind=flash", "category=World",
                "url=https://news.example/1",
                "image=", "collapse_id=507c25912be12df8", "expires=1700003600", "ttl=3600", "interruption=active",
                "sound=default", "headline=\"B&B\" talks",
                "summary=More.", "headline_en=\"B&B\" talks", "summary_en=More.",
                "headline_fr=Titre", "summary_fr=Titre", "headline_pt_BR=\"B&B\" talks", "summary_pt_BR=More.",
                "messageParam=Titre / \"B&B\" talks", "News_English=\"B&B\" talks", "where=World",
            ]
        )
        #expect(try JSONReader.read(payload.body).object?.map(\.name) == properties.names)
    }

    @Test func `all pushes of a story have one collapse id, which every platform accepts`() {
        var event = Newsroom.event([], kind: .flash)
        let first = Self.push(event).collapseID
        event.revision += 1
        #expect(Self.push(event).collapseID == first)
        event.story += "0"
        #expect(Self.push(event).collapseID != first)
        for number in 0..<1000 {
            event.story = "story \(number)"
            let id = Self.push(event).collapseID
            #expect(id.utf8.count == 16 && id.allSatisfy(\.isHexDigit))
        }
    }

    @Test func `a time to live is at most the maximum and at least zero`() {
        let event = Newsroom.event([], kind: .flash)
        let end = Timestamp(seconds: 100)
        #expect(PushTraits(of: event, deadline: end, now: end + .seconds(5), interruption: .active).timeToLive == .zero)
        #expect(
            PushTraits(of: event, deadline: Timestamp(seconds: -5), now: end, interruption: .active).expiresText == "0"
        )
    }

    @Test func `a send to subscribers of one language has that language first`() throws {
        let event = Newsroom.event(
            [
                EventText(language: "en", headline: "News"),
                EventText(language: "fr", headline: "Titre", summary: "Plus."),
            ]
        )
        let properties = try TemplateProperties(locales: locales, properties: [("short", "{headline}")])
        let payload = try properties.payload(for: event, news: try news(event), push: Self.push(event), locale: "fr")
        let members = try members(of: payload)
        #expect(members.contains("headline=Titre") && members.contains("summary=Plus."))
        #expect(members.contains("headline_en=News") && members.contains("short=Titre"))
    }

    @Test func `one of several sends has the same content as the only one, also after the clock has moved`() throws {
        let event = Newsroom.event([
            EventText(language: "en", headline: "\"Bridge\" closed\n", summary: "Traffic \\ is led around."),
            EventText(language: "fr", headline: "Pont fermé"),
        ])
        let properties = try TemplateProperties(locales: locales, properties: [("short", "{headline}: {kind}")])
        let (news, push) = (try news(event), Self.push(event))
        let draft = properties.draft(of: event, news: news, push: push)
        for locale in [nil, "en", "fr"] {
            for category in ["World", String(repeating: "\u{1}", count: 500)] {
                let only = try properties.payload(
                    for: event,
                    news: news,
                    push: push,
                    category: category,
                    locale: locale
                )
                let one = try properties.payload(
                    for: event,
                    from: draft,
                    news: news,
                    push: push,
                    category: category,
                    locale: locale
                )
                #expect(one.body == only.body)
                #expect(one.clockPart == only.clockPart)
                let clock = String(decoding: only.body[only.clockPart], as: UTF8.self)
                #expect(clock.hasPrefix(#","expires":"#) && clock.contains(#","ttl":"#) && !clock.contains("sound"))
            }
        }
    }

    @Test func `texts that do not fit are shortened, summaries first`() throws {
        let many = try Self.many.get()
        let event = Newsroom.event([
            EventText(
                language: "en",
                headline: "Headline " + String(repeating: "é\"", count: 80),
                summary: String(repeating: "क्षि ", count: 300)
            )
        ])
        let renderer = Renderer(locales: many, rules: try TextRules([:], locales: many))
        let properties = try TemplateProperties(locales: many)
        let rendered = try #require(renderer.render(event, as: .alert))
        let payload = try properties.payload(for: event, news: rendered, push: Self.push(event))
        #expect(payload.isShortened)
        #expect(payload.body.count <= TemplateProperties.maximumBytes && payload.body.count > 60_000)
        let object = try JSONReader.read(payload.body)
        #expect(object[member: "headline_en_101"]?.string == rendered.standard.headline)
        let summary = try #require(object[member: "summary_en_101"]?.string)
        #expect(summary.hasSuffix("…") && summary.hasPrefix("क्षि क्षि"))
    }

    @Test func `headlines are shortened if summaries are not sufficient`() throws {
        let many = try Self.many.get()
        let limits = TextLimits(headline: TextBudget(characters: 2_000, bytes: 8_000))
        let event = Newsroom.event([EventText(language: "en", headline: String(repeating: "पानी ", count: 200))])
        let renderer = Renderer(locales: many, rules: try TextRules([:], locales: many), limits: limits)
        let payload = try TemplateProperties(locales: many)
            .payload(
                for: event,
                news: try #require(renderer.render(event, as: .alert)),
                push: Self.push(event)
            )
        #expect(payload.isShortened && payload.body.count <= TemplateProperties.maximumBytes)
        let object = try JSONReader.read(payload.body)
        #expect(try #require(object[member: "headline_en_101"]?.string).hasPrefix("पानी पानी"))
        // None of the texts is empty.
        #expect(object[member: "summary_en_101"] == object[member: "headline_en_101"])
    }

    @Test func `a text that is cut because a body is too large ends in the configured ellipsis`() throws {
        let many = try Self.many.get()
        let summary = String(repeating: "word ", count: 400)
        let event = Newsroom.event([EventText(language: "en", headline: "News", summary: summary)])
        let renderer = Renderer(
            locales: many,
            rules: try TextRules([:], locales: many),
            limits: TextLimits(summary: TextBudget(characters: 4000, bytes: 8000))
        )
        let payload = try TemplateProperties(locales: many, ellipsis: "[...]")
            .payload(for: event, news: try #require(renderer.render(event, as: .alert)), push: Self.push(event))
        let shown = try #require(try JSONReader.read(payload.body)[member: "summary_en_101"]?.string)
        #expect(shown.hasPrefix("word word") && shown.hasSuffix("word[...]"))
    }

    @Test func `the kind in a property is the one whose words an event gets`() throws {
        let event = Newsroom.event([EventText(language: "en", headline: "News")], kind: .correction)
        let choice = "{kind, select, correction {!} other {?}}"
        let properties = try TemplateProperties(locales: locales, properties: [("as", "{kind}"), ("mark", choice)])
        let payload = try properties.payload(for: event, news: try news(event), push: Self.push(event))
        // Rendered as an alert.
        let members = try members(of: payload)
        #expect(members.contains("as=alert") && members.contains("mark=?"))
        #expect(members.contains("kind=correction"))
    }

    @Test(arguments: [
        ("{category, select, World {W} Wrold {V} other {}}", ["properties.mark", "Wrold", "not one of categories:"]),
        ("{category, select, geo.CZ {C} other {}}", []), ("{kind, select, flash {!} other {}}", []),
        ("{kind, select, flahs {!} other {}}", ["properties.mark", "flahs", "never occurs"]), ("{category}", []),
    ])
    func `values that never occur have a warning`(pattern: String, words: [String]) throws {
        let properties = try TemplateProperties(locales: locales, properties: [("mark", pattern)])
        let warnings = properties.warnings { $0 == "World" || $0.hasPrefix("geo.") }
        #expect(warnings.isEmpty == words.isEmpty)
        for word in words { #expect(warnings.first?.description.contains(word) == true, "\(warnings)") }
    }

    @Test func `more and longer properties than the limits are refused`() throws {
        func problems(_ count: Int, _ length: Int) -> [String] {
            let pattern = String(repeating: "é", count: length)
            let properties = (0..<count).map { (name: "p\($0)", pattern: pattern) }
            do throws(RuleProblems) {
                _ = try TemplateProperties(locales: locales, properties: properties)
                return []
            } catch {
                return error.problems.map(\.path)
            }
        }
        #expect(problems(TemplateProperties.maximumCount, TemplateProperties.longestPattern) == [])
        #expect(problems(TemplateProperties.maximumCount + 1, 1) == ["properties"])
        #expect(problems(1, TemplateProperties.longestPattern + 1) == ["properties.p0"])
    }

    @Test func `all errors in the properties are reported at once`() throws {
        let wrong = [
            ("pt-BR", "{headline}"), ("headline", "{headline}"), ("Headline_FR", "{headline}"), ("ok", "{headline_de}"),
            ("twice", "{id}"), ("twice", "{id}"), ("", "x"), (String(repeating: "a", count: 121), "x"),
        ]
        let error = try #require(throws: RuleProblems.self) {
            try TemplateProperties(locales: locales, properties: wrong.map { (name: $0.0, pattern: $0.1) })
        }
        #expect(
            error.problems.map(\.path).prefix(6) == [
                "properties.pt-BR", "properties.headline", "properties.Headline_FR", "properties.ok",
                "properties.twice",
                "properties.",
            ]
        )
        #expect(error.problems.count == 7)
    }

    @Test func `a body that cannot fit is an error`() throws {
        let properties = try TemplateProperties(
            locales: locales,
            properties: (0..<17).map { ("big\($0)", String(repeating: "x", count: 4_000)) }
        )
        let event = Newsroom.event([EventText(language: "en", headline: "News")])
        let news = try news(event)
        #expect(throws: TemplatePayloadError.self) {
            try properties.payload(for: event, news: news, push: Self.push(event))
        }
    }

    private func news(_ event: NewsEvent) throws -> RenderedNews {
        try #require(Renderer(locales: locales, rules: try TextRules([:], locales: locales)).render(event, as: .alert))
    }

    private func members(of payload: TemplatePayload) throws -> [String] {
        try #require(JSONReader.read(payload.body).object).map { "\($0.name)=\($0.value.string ?? "?")" }
    }
}
