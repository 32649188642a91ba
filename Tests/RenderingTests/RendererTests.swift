import NewsflashEvents
import NewsflashStrictJSON
import NewsflashTestSupport
import NewsflashTimestamps
import Testing

@testable import NewsflashRendering

@Suite(.timeLimit(.minutes(1)))
struct RendererTests {
    @Test func `every sample is rendered as expected`() throws {
        let renderer = try Newsroom.renderer()
        var checks = 0
        for (event, expected) in try EventSamples.events() where expected[member: "outcome"]?.string == "sent" {
            let news = try #require(renderer.render(event, as: .alert), "\(event.id)")
            for member in expected[member: "textFrom"]?.object ?? [] {
                #expect(news[locale: member.name]?.textFrom == member.value.string, "\(event.id) \(member.name)")
                checks += 1
            }
            for member in expected[member: "rendered"]?.object ?? [] {
                #expect(news[locale: member.name]?.headline == member.value.string, "\(event.id) \(member.name)")
                checks += 1
            }
            let cut = news.locales.filter { $0.isTruncated && $0.locale == $0.textFrom }.map(\.locale)
            #expect(cut == (expected[member: "truncated"]?.array ?? []).compactMap(\.string), "\(event.id)")
        }
        #expect(checks > 10)
    }

    @Test(
        arguments: [
            ("en", "en"), ("fr", "fr"), ("pt-BR", "pt-BR pt-PT"), ("pt", "pt-BR pt-PT"), ("zh-Hant", ""), ("de", ""),
            ("und", ""), ("fr-CA hi", "fr hi"), ("EN", "en"),
        ]
    )
    func `a text is in the own language of some offered locales`(_ languages: String, _ expected: String) throws {
        let locales = try OfferedLocales(offered: ["en", "fr", "pt-PT", "pt-BR", "zh-Hans", "hi"], default: "en")
        let renderer = Renderer(locales: locales, rules: try TextRules([:], locales: locales))
        let event = NewsEvent(
            id: "e",
            source: "s",
            story: "s",
            revision: 1,
            kind: .alert,
            published: .init(seconds: 0),
            text: languages.split(separator: " ").map { EventText(language: String($0), headline: "Words") }
        )
        #expect(renderer.ownLocales(of: event).sorted().joined(separator: " ") == expected)
        var blank = event
        blank.text = [EventText(language: "en", headline: " ")]
        #expect(renderer.ownLocales(of: blank).isEmpty)
    }

    @Test(
        arguments: [
            // The subscriber's language, the default language, the event's own, any.
            ("fr de en", nil, "fr", "fr"), ("de en", "de", "fr", "en"), ("de sv", "sv", "fr", "sv"),
            ("de sv", nil, "fr", "de"),
            ("en-GB sv", "sv", "fr", "en-GB"), ("sv-FI de", "sv", "en", "sv-FI"), ("zh-Hant en", nil, "zh-Hans", "en"),
            ("zh-Hant", nil, "zh-Hans", "zh-Hant"), ("pt-BR", nil, "pt-PT", "pt-BR"), ("pt_PT en", nil, "pt-PT", "en"),
            ("no iw", "no", "ar", "no"), ("FR en", nil, "fr", "FR"),
        ] as [(String, String?, String, String)]
    )
    func `a language without a text gets the nearest one`(
        _ languages: String,
        _ own: String?,
        _ reader: String,
        _ expected: String
    ) throws {
        let texts = languages.split(separator: " ").map { EventText(language: String($0), headline: "in \($0)") }
        let news = try #require(try Newsroom.renderer().render(Newsroom.event(texts, language: own), as: .alert))
        #expect(news[locale: reader]?.textFrom == expected)
        #expect(news[locale: reader]?.headline == "in \(expected)")
    }

    @Test func `an invisible headline counts as absent`() throws {
        let texts = [
            EventText(language: "en", headline: " \u{200B}\u{202E}", summary: "Only this"),
            EventText(language: "fr", headline: "Un titre", summary: "\u{FEFF}"),
        ]
        let news = try #require(try Newsroom.renderer().render(Newsroom.event(texts), as: .alert))
        #expect(news.standard.textFrom == "fr")
        #expect(news.standard.summary == nil)
        #expect(try Newsroom.renderer().render(Newsroom.event([texts[0]]), as: .alert) == nil)
        #expect(try Newsroom.renderer().render(Newsroom.event([]), as: .kill) == nil)
    }

    @Test func `words around a text are in the text's language`() throws {
        let renderer = try Newsroom.renderer()
        let english = Newsroom.event([EventText(language: "en", headline: "Quake")], kind: .flash)
        let news = try #require(renderer.render(english, as: .flash))
        #expect(Set(news.locales.map(\.headline)) == ["Breaking: Quake"])

        let brazilian = Newsroom.event([EventText(language: "pt-BR", headline: "Sismo")], kind: .flash)
        let portuguese = try #require(renderer.render(brazilian, as: .flash))
        #expect(portuguese[locale: "pt-PT"]?.headline == "Última hora: Sismo")
        #expect(portuguese[locale: "pt-BR"]?.headline == "Urgente: Sismo")
        #expect(portuguese[locale: "cs"]?.headline == "Urgente: Sismo")
    }

    @Test func `a text in a language without words gets the subscriber's, so a withdrawal never looks like news`()
        throws
    {
        let event = Newsroom.event([EventText(language: "cs", headline: "Most stojí")], kind: .kill)
        let news = try #require(try Newsroom.renderer().render(event, as: .kill))
        #expect(news[locale: "fr"]?.headline == "Annulation : Most stojí")
        #expect(news[locale: "cs"]?.headline == "Withdrawn: Most stojí")
    }

    @Test func `a kind without words has those of the alert`() throws {
        let locales = try OfferedLocales(offered: ["en"], default: "en")
        let event = Newsroom.event([EventText(language: "en", headline: "Quake")], kind: .update)
        let bare = Renderer(locales: locales, rules: try TextRules([:], locales: locales))
        #expect(bare.render(event, as: .update)?.standard.headline == "Quake")
        let rules = try TextRules([.alert: .all("News: {headline} ({revision})")], locales: locales)
        let rendered = Renderer(locales: locales, rules: rules).render(event, as: .update)
        #expect(rendered?.standard.headline == "News: Quake (3)")
    }

    @Test func `the kind in a pattern is the one whose words an event gets`() throws {
        let locales = try OfferedLocales(offered: ["en"], default: "en")
        let words = "{kind, select, correction {Correction: } other {}}{headline} ({kind})"
        let renderer = Renderer(locales: locales, rules: try TextRules([.alert: .all(words)], locales: locales))
        let event = Newsroom.event([EventText(language: "en", headline: "Quake")], kind: .correction)
        // Nothing was sent that could be corrected.
        #expect(renderer.render(event, as: .alert)?.standard.headline == "Quake (alert)")
        #expect(renderer.render(event, as: .correction)?.standard.headline == "Correction: Quake (correction)")
    }

    @Test func `a pattern of the summary alone falls back to the headline`() throws {
        let locales = try OfferedLocales(offered: ["en"], default: "en")
        let renderer = Renderer(locales: locales, rules: try TextRules([.alert: .all("{summary}")], locales: locales))
        let event = Newsroom.event([EventText(language: "en", headline: "Quake")])
        #expect(renderer.render(event, as: .alert)?.standard.headline == "Quake")
    }

    @Test func `a text from right to left that begins with a Latin word begins with a direction mark`() throws {
        let texts = [EventText(language: "ar", headline: "Nordwind تعلن أرباحاً", summary: "X تعلن")]
        let news = try #require(try Newsroom.renderer().render(Newsroom.event(texts), as: .alert))
        #expect(news[locale: "ar"]?.headline == "\u{200F}Nordwind تعلن أرباحاً")
        #expect(news[locale: "ar"]?.summary == "\u{200F}X تعلن")
        let flash = try #require(try Newsroom.renderer().render(Newsroom.event(texts, kind: .flash), as: .flash))
        #expect(flash[locale: "ar"]?.headline == "عاجل: \u{200F}Nordwind تعلن أرباحاً")
    }

    @Test func `words after a cut text stay, and isolates are closed`() throws {
        let locales = try OfferedLocales(offered: ["en"], default: "en")
        let rules = try TextRules([.alert: .all("Read: {headline} (live)")], locales: locales)
        let limits = TextLimits(headline: TextBudget(characters: 30, bytes: 200))
        let renderer = Renderer(locales: locales, rules: rules, limits: limits)
        let arabic = String(repeating: "زلزال قوي ", count: 20)
        let event = Newsroom.event([EventText(language: "ar", headline: arabic)])
        let text = try #require(renderer.render(event, as: .alert)?.standard)
        #expect(text.headline.hasPrefix("Read: \u{2068}زلزال"))
        #expect(text.headline.hasSuffix("…\u{2069} (live)"))
        #expect(text.headline.count <= 30 && text.isTruncated)
    }

    @Test func `no language is ever empty if any text is visible`() throws {
        var random = SeededRandom()
        let tags = Newsroom.languages + ["pt", "zh-Hant", "sr", "iw", "no", "bad_tag", "en-GB"]
        for _ in 0..<1_000 {
            let limits = TextLimits(
                headline: TextBudget(
                    characters: .random(in: 20...60, using: &random),
                    bytes: .random(in: 60...300, using: &random)
                ),
                summary: TextBudget(characters: 20, bytes: 60)
            )
            let texts = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                let language = tags.randomElement(using: &random) ?? "en"
                return EventText(language: language, headline: random.text(length: 20), summary: random.text(length: 9))
            }
            let kind = TextKind.allCases.randomElement(using: &random) ?? .alert
            let event = Newsroom.event(texts, language: tags.randomElement(using: &random))
            let news = try Newsroom.renderer(limits: limits).render(event, as: kind)
            let isVisible = texts.contains { !TextCleaning.clean($0.headline).isEmpty }
            #expect((news != nil) == isVisible, "seed \(random.seed)")
            for text in news?.locales ?? [] {
                #expect(!text.headline.isEmpty, "seed \(random.seed) \(text)")
                #expect(text.headline.count <= limits.headline.characters, "seed \(random.seed) \(text)")
                #expect(TextBudget.encodedBytes(of: text.headline) <= limits.headline.bytes, "seed \(random.seed)")
                let opened = text.headline.unicodeScalars.count { $0 == "\u{2068}" }
                #expect(opened == text.headline.unicodeScalars.count { $0 == "\u{2069}" }, "seed \(random.seed)")
            }
        }
    }
}
