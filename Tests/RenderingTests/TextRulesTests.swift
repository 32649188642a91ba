import NewsEvents
import Testing

@testable import Rendering

@Suite(.timeLimit(.minutes(1)))
struct TextRulesTests {
    private let locales: OfferedLocales

    init() throws { locales = try OfferedLocales(offered: ["en", "fr", "cs"], default: "en") }

    @Test func `all that is wrong with the words is said at once`() throws {
        let sources: [TextKind: TextRules.Source] = [
            .alert: .all("{headline"),
            .flash: .byLocale([
                ("en", "Breaking: {headline}"), ("fr", "Alerte : {titre}"), ("false", "Nyhet: {headline}"),
            ]),
            .correction: .byLocale([("fr", "Rectificatif : {headline}")]),
            .kill: .byLocale([("en", "Withdrawn: {headline}"), ("fr", "Annulation"), ("EN", "Gone: {headline}")]),
        ]
        let error = try #require(throws: RuleProblems.self) { try TextRules(sources, locales: locales) }
        #expect(
            error.problems.map(\.path) == [
                "text.alert", "text.flash.fr", "text.flash.false", "text.correction.en", "text.kill.fr", "text.kill.EN",
            ]
        )
    }

    @Test(arguments: [
        ("en", "{revision, plural, other {#}}: {headline}", "lacks one, which en has"),
        ("en", "{revision, plural, one {#} few {#} other {#}}: {headline}", "has words for few, which en never takes"),
        ("ar", "{revision, plural, one {#} other {#}}: {headline}", "lacks zero, two, few, many, which ar has"),
        ("cs", "{revision, plural, one {#} few {#} other {#}}: {headline}", "lacks many, which cs has"),
        ("ru", "{kind, select, other {{revision, plural, one {#} other {#}}}}: {headline}", "lacks few, many"),
        ("zh-Hans", "{revision, plural, one {#} other {#}}: {headline}", "has words for one, which zh-Hans never"),
        ("fr", "{revision, plural, one {#} other {#}}: {headline}", "lacks many, which fr has"),
    ])
    func `each language has words for each of its forms beside a number`(
        language: String,
        pattern: String,
        message: String
    ) throws {
        let locales = try OfferedLocales(offered: [language], default: language)
        for source in [TextRules.Source.all(pattern), .byLocale([(language, pattern)])] {
            let error = try #require(throws: RuleProblems.self) { try TextRules([.update: source], locales: locales) }
            #expect(error.problems.count == 1)
            #expect(error.problems.first?.message.contains(message) == true, "\(error)")
        }
    }

    @Test func `a choice among words is made in the language of the words`() throws {
        let event = Newsroom.event([
            EventText(language: "en", headline: "News"), EventText(language: "cs", headline: "Zpráva"),
        ])
        let rules = try TextRules(
            [
                .alert: .byLocale([
                    ("en", "{revision, plural, one {# update} other {# updates}}: {headline}"),
                    (
                        "cs",
                        "{revision, plural, one {# zpráva} few {# zprávy} many {# zprávy} other {# zpráv}}: {headline}"
                    ),
                ])
            ],
            locales: locales
        )
        let news = try #require(Renderer(locales: locales, rules: rules).render(event, as: .alert))
        #expect(news[locale: "cs"]?.headline == "3 zprávy: Zpráva")
        #expect(news[locale: "fr"]?.headline == "3 updates: News")
    }

    @Test func `missing words are warned of`() throws {
        let rules = try TextRules(
            [.flash: .byLocale([("en", "Breaking: {headline}"), ("fr-CA", "Alerte : {headline}")])],
            locales: locales
        )
        #expect(rules.warnings.map(\.path) == ["text.flash.cs", "text.kill"])
    }
}
