import NewsEvents
import Testing

@testable import Rendering

@Suite(.timeLimit(.minutes(1)))
struct MessagePatternTests {
    @Test(arguments: [
        ("{headline}", "H"), ("Breaking: {headline}", "Breaking: H"), ("{ headline }: {summary}", "H: S"),
        ("l'info : {headline}", "l'info : H"), ("l''info: {headline}", "l'info: H"),
        ("'{'{headline}'}'", "{H}"), ("'{headline}' is {headline}", "{headline} is H"),
        ("'{''}' it''s {kind}", "{'} it's kind"), ("$(x) %@ #(y) {id}", "$(x) %@ #(y) id"),
    ])
    func `arguments are put in and apostrophes quote braces`(_ pattern: String, _ text: String) throws {
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
        ("a {headline", 3, "never closed"), ("L'{headline}", 2, "''"), ("{}", 1, "no argument"),
        ("{n, plural, one {x} other {y}}", 1, "not supported yet"), ("{kind,select,a{b}}", 1, "not supported yet"),
        ("{headline_fr}", 1, "no argument"),
    ])
    func `a fault is told with its place and remedy`(_ pattern: String, _ position: Int, _ words: String) throws {
        let error = try #require(throws: MessagePatternError.self) { try MessagePattern(pattern) }
        #expect(error.position == position)
        #expect(error.message.contains(words), "\(error.message)")
    }

    @Test func `what is put in is never read as a pattern`() throws {
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
        let pattern = try MessagePattern("{headline_pt_BR}{summary_en}{headline}", locales: locales)
        let values = pattern.formatted { "\($0.field.rawValue)\($0.localeIndex.map(String.init) ?? "-") " }
        #expect(values == "headline1 summary0 headline- ")
        #expect(throws: MessagePatternError.self) { try MessagePattern("{headline_fr}", locales: locales) }
    }
}
