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

    @Test func `missing words are warned of`() throws {
        let rules = try TextRules(
            [.flash: .byLocale([("en", "Breaking: {headline}"), ("fr-CA", "Alerte : {headline}")])],
            locales: locales
        )
        #expect(rules.warnings.map(\.path) == ["text.flash.cs", "text.kill"])
    }
}
