import NewsflashEvents
import NewsflashTimestamps

@testable import NewsflashRendering

/// A newsroom with nine languages and the texts of the agency's configuration.
enum Newsroom {
    static let languages = ["en", "fr", "pt-PT", "pt-BR", "cs", "ru", "zh-Hans", "ar", "hi"]

    static func locales() throws -> OfferedLocales { try OfferedLocales(offered: languages, default: "en") }

    static let words: [TextKind: TextRules.Source] = [
        .flash: .byLocale([
            ("en", "Breaking: {headline}"), ("fr", "Alerte : {headline}"), ("pt", "Última hora: {headline}"),
            ("pt-BR", "Urgente: {headline}"), ("cs", "Mimořádná zpráva: {headline}"), ("ru", "Срочно: {headline}"),
            ("zh-Hans", "突发：{headline}"), ("ar", "عاجل: {headline}"), ("hi", "ब्रेकिंग न्यूज़: {headline}"),
        ]),
        .correction: .byLocale([("en", "Correction: {headline}"), ("fr", "Rectificatif : {headline}")]),
        .kill: .byLocale([("en", "Withdrawn: {headline}"), ("fr", "Annulation : {headline}")]),
    ]

    static func renderer(limits: TextLimits = TextLimits()) throws -> Renderer {
        let locales = try locales()
        return Renderer(locales: locales, rules: try TextRules(words, locales: locales), limits: limits)
    }

    static func event(
        _ texts: [EventText],
        kind: EventKind = .alert,
        language: String? = nil
    ) -> NewsEvent {
        NewsEvent(
            id: "n-1",
            source: "https://desk.example",
            story: "urn:story:1",
            revision: 3,
            kind: kind,
            published: Timestamp(nanoseconds: 0),
            language: language,
            text: texts,
            url: "https://news.example/1"
        )
    }
}
