import NewsflashEvents
import Testing

@testable import NewsflashRendering

@Suite(.timeLimit(.minutes(1)))
struct LocaleFallbackTests {
    @Test(arguments: [
        ("EN-us", "en-US"), ("zh-hant-hk", "zh-Hant-HK"), ("iw", "he"), ("in-ID", "id-ID"), ("ji", "yi"), ("mo", "ro"),
        ("cmn", "zh"), ("cmn-Hant", "zh-Hant"), ("zh-cmn-Hans", "zh-Hans"), ("zh-yue", "yue"), ("tl-PH", "fil-PH"),
        ("sh", "sr-Latn"), ("sh-Cyrl", "sr-Cyrl"), ("es-419", "es-419"), ("de-1996-x-desk", "de-1996-x-desk"),
    ])
    func `a tag is parsed to its canonical form`(_ text: String, _ canonical: String) throws {
        #expect(try #require(LanguageTag(text)).description == canonical)
    }

    @Test(arguments: ["", "e", "en_US", "en-", "-en", "en--US", "englishlanguage", "1n", "en-toolongsubtag", "é"])
    func `a text in another form is not a tag`(_ text: String) {
        #expect(LanguageTag(text) == nil)
    }

    @Test func `an underscore is accepted from a configuration only`() {
        #expect(LanguageTag("pt_BR", allowingUnderscores: true)?.description == "pt-BR")
        #expect(LanguageTag("pt_BR") == nil)
    }

    @Test(arguments: [
        // The same tag in any spelling.
        ("pt-BR", "pt-PT pt-br pt", "pt-br"), ("he", "ar iw", "iw"), ("zh-Hans", "en cmn", "cmn"),
        // CLDR's parents, then truncation.
        ("en-AU", "en-US en-001", "en-001"), ("en-AU", "en-GB en", "en"), ("es-MX", "es es-419", "es-419"),
        ("pt-AO", "pt pt-PT", "pt-PT"), ("zh-Hant-MO", "zh-Hant zh-Hant-HK", "zh-Hant-HK"), ("nb", "da no", "no"),
        ("nn", "nb no", "no"), ("de-AT-1996", "de de-AT", "de-AT"), ("en-a-bbb-x-a", "en en-a-bbb", "en-a-bbb"),
        // The script that the region implies.
        ("zh-TW", "zh zh-Hant", "zh-Hant"), ("zh-HK", "zh-Hant-TW zh-Hant-HK", "zh-Hant-HK"),
        ("zh-Hant", "zh zh-TW", "zh-TW"), ("sr-ME", "sr sr-Latn", "sr-Latn"), ("pa-PK", "pa pa-Arab", "pa-Arab"),
        ("zh-Hans", "zh-Hant zh", "zh"), ("zh-Hans-CN", "zh zh-Hans", "zh-Hans"), ("sr-Cyrl-ME", "sr-Latn sr", "sr"),
        ("en-Latn-GB", "en-US en-GB", "en-GB"),
        // Another region of the same language and script.
        ("pt-PT", "es pt-BR", "pt-BR"), ("en", "en-AU en-GB en-US", "en-US"), ("en-AU", "en-GB en-US", "en-US"),
        ("es-MX", "es-ES-x-a es-AR", "es-ES-x-a"), ("en-AU", "en-ZA en-CH", "en-ZA"), ("en-AU", "en-PR en-CA", "en-CA"),
        ("no", "da nb", "nb"), ("nn", "en no-NO", "no-NO"), ("nn", "no-NO nn-SJ", "nn-SJ"),
        ("nn-NO", "no-SJ no-NO", "no-NO"),
        ("nb", "en no-NO", "no-NO"), ("zh-Hant-HK-x-desk", "zh-TW zh-HK-x-other", "zh-HK-x-other"),
    ])
    func `a subscriber gets a text in the own language`(_ wanted: String, _ offered: String, _ chosen: String) throws {
        #expect(try choose(wanted, among: offered) == chosen)
    }

    @Test(arguments: [
        ("zh-Hans", "zh-Hant zh-TW zh-HK"), ("zh-Hant", "zh zh-Hans zh-CN"), ("zh-TW", "zh"), ("sr", "sr-Latn sr-ME"),
        ("sr-Latn", "sr sr-Cyrl"), ("uz-Cyrl", "uz"), ("uz-AF", "uz"), ("nb", "da nn sv"), ("hr", "sr-Latn bs"),
        ("hi-Latn", "en-IN en hi"), ("ht", "fr fr-HT"), ("ru-Latn", "ru"), ("en", ""), ("id", "ms"),
    ])
    func `a text of another script or language is not in the own language`(_ wanted: String, _ offered: String) throws {
        #expect(try choose(wanted, among: offered) == nil)
    }

    @Test func `a precomputed choice is equal to a looked-up one`() throws {
        let names = [
            "en", "en-US", "en-GB", "en-001", "en-AU", "pt", "no-NO", "nn-NO", "pt-BR", "pt-PT", "zh", "zh-Hant",
            "zh-TW", "zh-Hant-HK",
            "sr",
            "sr-Latn", "no", "nb", "nn", "de-AT-1996", "de-AT", "en-Latn-GB", "ar", "he",
        ]
        let fallbacks = try names.map { LocaleFallback(for: try #require(LanguageTag($0))) }
        let ranks = LocaleRanks(fallbacks)
        var random = SeededRandom(seed: 0x5EED)
        for _ in 0..<2000 {
            let given = Array(names.indices.shuffled(using: &random).prefix(Int.random(in: 0...6, using: &random)))
            let wanted = Int.random(in: names.indices, using: &random)
            #expect(
                ranks.choose(for: wanted, among: given)
                    == fallbacks[wanted].choose(among: given.map { fallbacks[$0].key }),
                "\(names[wanted]) among \(given.map { names[$0] })"
            )
        }
    }

    @Test func `all errors in the offered languages are reported at once`() throws {
        let error = #expect(throws: RuleProblems.self) {
            try OfferedLocales(offered: ["en", "false", "pt_BR", "pt-BR", "e!"], default: "de")
        }
        #expect(
            try #require(error).problems.map(\.path) == [
                "locales.offered[1]", "locales.offered[3]", "locales.offered[4]", "locales.default",
            ]
        )
        #expect(throws: RuleProblems.self) { try OfferedLocales(offered: [], default: "en") }
    }

    private func choose(_ wanted: String, among offered: String) throws -> String? {
        let texts = offered.split(separator: " ").map(String.init)
        let tags = try texts.map { try #require(LanguageTag($0)) }
        return LocaleFallback(for: try #require(LanguageTag(wanted))).choose(among: tags).map { texts[$0] }
    }
}
