import NewsflashEvents
import Testing

@testable import NewsflashRendering

@Suite(.timeLimit(.minutes(1)))
struct MessagePatternTests {
    @Test(arguments: [
        ("{headline}", "H"), ("Breaking: {headline}", "Breaking: H"), ("{ headline }: {summary}", "H: S"),
        ("l'info : {headline}", "l'info : H"), ("l''info: {headline}", "l'info: H"),
        ("'{'{headline}'}'", "{H}"), ("'{headline}' is {headline}", "{headline} is H"),
        ("'{''}' it''s {kind}", "{'} it's kind"), ("$(x) %@ #(y) {id}", "$(x) %@ #(y) id"),
    ])
    func `arguments are inserted, and apostrophes quote braces`(_ pattern: String, _ text: String) throws {
        let formatted = try MessagePattern(pattern).formatted { argument in
            switch argument.field {
            case .headline: "H"
            case .summary: "S"
            default: argument.field.rawValue
            }
        }
        #expect(formatted == text)
    }

    @Test(arguments: [
        ("", 1, "empty"), ("  ", 1, "empty"), ("Oh {headlin}", 4, "{headline}"), ("a } b", 3, "'}'"),
        ("a {headline", 3, "never closed"), ("L'{headline}", 2, "''"), ("{}", 1, "not an argument"),
        ("{n, select, one {x} other {y}}", 1, "not an argument"), ("{kind,select,a{b}}", 1, "no words for other"),
        ("{headline, select, other {x}}", 1, "cannot be used with select; only {kind} and {revision} can"),
        ("a {revision, plural, one {# update} other {# updates}}", 3, "write the words without a number"),
        ("{revision, plural}", 1, "{revision, select, 1 {…} other {…}}"), ("{revision, number}", 1, "not a choice"),
        ("{revision, ordinal, other {x}}", 1, "not a choice"), ("{kind, select}", 1, "not a choice"),
        ("a {kind, select, flash {x} other {y}", 3, "never closed"),
        ("{kind, select, two words {x} other {y}}", 15, "one word"),
        ("{kind, select, a {x} a {y} other {z}}", 21, "twice"), ("{kind, select, other}", 15, "no words in braces"),
        ("{kind, select, other {{headlin}}}", 23, "not an argument"),
        ("In {category}: {headline}", 4, "use it in send.properties"),
        ("{category, select, World {W} other {}}", 1, "use it in send.properties"),
        ("{kind, select, other {x} } }", 28, "this } has no matching {"),
        (
            String(repeating: "{kind, select, other {", count: 5) + String(repeating: "}}", count: 5), 89,
            "is nested in more than 3 others"
        ),
        ("{headline_fr}", 1, "not an argument"),
    ])
    func `an error is shown with its position and remedy`(_ pattern: String, _ position: Int, _ words: String) throws {
        let error = try #require(throws: MessagePatternError.self) { try MessagePattern(pattern) }
        #expect(error.position == position)
        #expect(error.message.contains(words), "\(error.message)")
    }

    @Test(arguments: [
        ("{kind, select, flash {Breaking} other {News}}: {headline}", "flash", "Breaking: H"),
        ("{kind, select, flash {Breaking} other {News}}: {headline}", "update", "News: H"),
        ("{kind, select, flash {{headline}!} other {{headline}}}", "flash", "H!"),
        ("{revision,select,1{}other{Update: }}{headline}", "1", "H"),
        ("{revision, select, 1 {} other {{kind, select, flash {Now} other {# '{'x'}'}}: }}{headline}", "7", "# {x}: H"),
        ("{revision, select, 2 {two} other {many}} {headline}", "2", "two H"),
        ("{ kind , select , flash {x} other {y} }", "flash", "x"),
    ])
    func `the words can depend on an argument`(_ pattern: String, _ value: String, _ text: String) throws {
        let chosen = try MessagePattern(pattern).chosen { _ in value }
        #expect(!chosen.hasChoices)
        #expect(chosen.formatted { $0.field == .headline ? "H" : value } == text)
    }

    @Test(arguments: [
        ("World", "W"), ("Sports", "S"), ("Politics,Sports,World", "S"), ("Politics", "-"), ("", "-"), ("orts", "-"),
        ("other", "-"),
    ])
    func `the first branch that names one of several categories counts`(category: String, words: String) throws {
        let locales = try OfferedLocales(offered: ["en"], default: "en")
        let text = "{category, select, Sports {S} World {W} other {-}}"
        let pattern = try MessagePattern(text, for: .property(locales))
        #expect(pattern.chosen { _ in category }.formatted { _ in "" } == words)
    }

    @Test func `a choice is made before the direction of its words is determined`() throws {
        let pattern = try MessagePattern("{kind, select, flash {عاجل: } other {News: }}{headline}")
        #expect(pattern.chosen { _ in "flash" }.formatted { _ in "زلزال" } == "عاجل: زلزال")
        #expect(pattern.chosen { _ in "x" }.formatted { _ in "زلزال" } == "News: \u{2068}زلزال\u{2069}")
    }

    @Test func `an inserted value is never parsed as a pattern`() throws {
        let pattern = try MessagePattern("Breaking: {headline}")
        #expect(pattern.formatted { _ in "{summary} '{' ''" } == "Breaking: {summary} '{' ''")
    }

    @Test(arguments: [
        ("عاجل: {headline}", "Quake", "عاجل: \u{2068}Quake\u{2069}"),
        ("عاجل: {headline}", "زلزال", "عاجل: زلزال"),
        ("Breaking: {headline}", "زلزال", "Breaking: \u{2068}زلزال\u{2069}"),
        ("Breaking: {headline}", "⚽ 3–2", "Breaking: \u{2068}⚽ 3–2\u{2069}"),
        ("Breaking: {headline}", "7.1 quake", "Breaking: 7.1 quake"),
        ("{headline}", "زلزال", "زلزال"), ("« {headline} »", "زلزال", "« زلزال »"),
        ("Breaking: {headline}", "", "Breaking: "),
    ])
    func `a text of another direction is isolated among words`(_ pattern: String, _ value: String, _ text: String)
        throws
    {
        #expect(try MessagePattern(pattern).formatted { _ in value } == text)
    }

    @Test func `a property may name a text of one language`() throws {
        let locales = try OfferedLocales(offered: ["en", "pt-BR"], default: "en")
        let pattern = try MessagePattern("{headline_pt_BR}{summary_en}{headline}", for: .property(locales))
        let values = pattern.formatted { "\($0.field.rawValue)\($0.localeIndex.map(String.init) ?? "-") " }
        #expect(values == "headline1 summary0 headline- ")
        #expect(throws: MessagePatternError.self) { try MessagePattern("{headline_fr}", for: .property(locales)) }
    }
}
