import NewsflashEvents
import Testing

@testable import NewsflashRendering

@Suite(.timeLimit(.minutes(1)))
struct TextRulesTests {
    private let locales: OfferedLocales

    init() throws { locales = try OfferedLocales(offered: ["en", "fr", "cs"], default: "en") }

    @Test func `all errors in the words are reported at once`() throws {
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

    @Test func `a pattern longer than the limit is refused`() throws {
        let longest = String(repeating: "é", count: TextRules.longestPattern - 10) + "{headline}"
        #expect(throws: Never.self) { try TextRules([.alert: .all(longest)], locales: locales) }
        let error = #expect(throws: RuleProblems.self) {
            try TextRules([.alert: .all("!" + longest)], locales: locales)
        }
        #expect(error?.problems.map(\.message) == ["has 1025 characters; write at most 1024"])
    }

    @Test(arguments: [
        ("alert", "Quake", ["does not contain {headline}, or not in every case; add it to every text"]),
        ("alert", "{kind, select, flash {Now} other {{headline}}}", ["{headline}, or not in every case"]),
        ("alert", "{kind, select, flash {! {headline}} other {{headline}}}", []),
        ("alert", "{headline}{kind, select, flash {!} other {}}", []),
        ("kill", "Withdrawn: {summary}", ["the headline of an event without a summary is shown without this pattern"]),
        // Words that leave too little room.
        ("flash", "Breaking news from our own newsroom: {headline}", ["leaves 13 of the 50 characters"]),
        ("flash", "News from our newsroom: {headline}", []), ("flash", "News from our newsrooms:: {headline}", []),
        ("flash", "News from our newsrooms::: {headline}", ["leaves 23 of the 50 characters"]),
        ("alert", "{kind, select, flash {Breaking news from our own newsroom} other {}}: {headline}", ["leaves 13 of"]),
        ("alert", "a headline that is more than fifty characters long and on {headline}", ["leaves 0 of the 50"]),
        // Values that never occur.
        ("alert", "{kind, select, flahs {!} other {}}{headline}", ["\"flahs\", which never occurs here"]),
        ("alert", "{kind, select, hold {!} other {}}{headline}", ["use one of alert, flash, update, correction"]),
        ("alert", "{kind, select, kill {!} other {}}{headline}", ["\"kill\", which never occurs here"]),
        ("alert", "{kind, select, alert {!} correction {?} other {}}{headline}", []),
        ("kill", "{kind, select, alert {!} other {}}{headline}", ["use one of kill"]),
        (
            "alert", "{kind, select, other {{revision, select, 0 {!} other {}}}}{headline}",
            ["revisions are numbers from 1"]
        ),
        ("alert", "{revision, select, 01 {!} other {}}{headline}", ["revisions are numbers from 1"]),
        ("alert", "{revision, select, 1 {!} 12 {?} other {}}{headline}", []),
    ])
    func `words that lose the headline or never occur have a warning`(
        kind: String,
        pattern: String,
        expected: [String]
    ) throws {
        let limits = TextLimits(headline: TextBudget(characters: 50, bytes: 1024))
        let wanted = try #require(TextKind(rawValue: kind))
        for source in [TextRules.Source.all(pattern), .byLocale([("en", pattern)])] {
            var sources: [TextKind: TextRules.Source] = [.kill: .all("Gone: {headline}")]
            sources[wanted] = source
            let rules = try TextRules(
                sources,
                locales: try OfferedLocales(offered: ["en"], default: "en"),
                limits: limits
            )
            let path = source == .all(pattern) ? "text.\(kind)" : "text.\(kind).en"
            #expect(rules.warnings.map(\.path) == expected.map { _ in path }, "\(rules.warnings)")
            for (warning, words) in zip(rules.warnings, expected) {
                #expect(warning.message.contains(words), "\(warning.message)")
            }
        }
    }

    @Test func `words of many bytes leave room too`() throws {
        let words = String(repeating: "長", count: 320) + "{headline}"
        let limits = TextLimits(headline: TextBudget(characters: 1000, bytes: 1024))
        let rules = try TextRules([.alert: .all(words), .kill: .all("{headline}")], locales: locales, limits: limits)
        #expect(rules.warnings.map(\.path) == ["text.alert"])
        #expect(rules.warnings.first?.message.hasPrefix("leaves 16 of the 1000 characters") == true)
    }

    @Test func `missing words have a warning`() throws {
        let rules = try TextRules(
            [.flash: .byLocale([("en", "Breaking: {headline}"), ("fr-CA", "Alerte : {headline}")])],
            locales: locales
        )
        #expect(rules.warnings.map(\.path) == ["text.flash.cs", "text.kill"])
    }
}
