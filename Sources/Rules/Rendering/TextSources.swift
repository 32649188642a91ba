import NewsEvents

/// The texts of one event that have a headline, and the choice among them.
struct TextSources {
    /// A text whose headline can be seen.
    struct Source {
        let language: String
        let headline: String
        let rawSummary: String?
    }

    /// A text made ready for a pattern.
    struct PreparedText {
        let language: String
        let headline: String
        let summary: String?
    }

    let texts: [Source]
    private let locales: OfferedLocales
    private let eventLanguage: String?
    /// Worked out only for an event that lacks an offered language.
    private lazy var fallbacks: [LocaleFallback?] = texts.map { text in
        // What is offered by that very name was prepared once for all.
        if let index = locales.offered.firstIndex(of: text.language) { return locales.fallbacks[index] }
        return LanguageTag(text.language).map(LocaleFallback.init)
    }
    private var readableFallbacks: [(text: Int, key: LocaleKey)]?
    private var lastResort: Int?
    private var prepared: [PreparedText?]

    init(_ event: NewsEvent, locales: OfferedLocales) {
        self.locales = locales
        self.texts = event.text.compactMap { text in
            let headline = TextCleaning.clean(text.headline)
            if headline.isEmpty { return nil }
            return Source(language: text.language, headline: headline, rawSummary: text.summary)
        }
        self.eventLanguage = event.language
        self.prepared = Array(repeating: nil, count: texts.count)
    }

    /// The text that readers of an offered language get.
    mutating func choose(forLocale index: Int) -> (text: Int, isForeign: Bool) {
        let name = locales.offered[index]
        if let exact = texts.firstIndex(where: { $0.language == name }) { return (exact, false) }
        let wanted = locales.fallbacks[index]
        if let own = place(of: wanted) { return (own, false) }
        return (lastChoice(), true)
    }

    /// The language of a text; `nil` where its tag cannot be read.
    mutating func fallback(ofText index: Int) -> LocaleFallback? {
        fallbacks[index]
    }

    /// Cleans the summary and settles the direction, once for all languages that use the text.
    mutating func prepared(_ index: Int) -> PreparedText {
        if let prepared = prepared[index] { return prepared }
        let source = texts[index]
        let summary = source.rawSummary.map(TextCleaning.clean).flatMap { $0.isEmpty ? nil : $0 }
        let isRightToLeft = isRightToLeft(source.language)
        let text = PreparedText(
            language: source.language,
            headline: isRightToLeft ? source.headline.leadingRightToLeft : source.headline,
            summary: isRightToLeft ? summary?.leadingRightToLeft : summary
        )
        prepared[index] = text
        return text
    }

    /// What readers get whose language the event lacks: the default language, the event's own, any.
    private mutating func lastChoice() -> Int {
        if let lastResort { return lastResort }
        let choice = place(of: locales.fallbacks[locales.defaultIndex]) ?? placeOfOwnLanguage ?? 0
        lastResort = choice
        return choice
    }

    private var placeOfOwnLanguage: Int? {
        mutating get {
            guard let eventLanguage, let tag = LanguageTag(eventLanguage) else { return nil }
            return place(of: LocaleFallback(for: tag))
        }
    }

    private func isRightToLeft(_ language: String) -> Bool {
        if let index = locales.offered.firstIndex(of: language) { return locales.fallbacks[index].key.isRightToLeft }
        return LanguageTag(language).map { LocaleKey($0).isRightToLeft } ?? false
    }

    private mutating func place(of wanted: LocaleFallback) -> Int? {
        let readable =
            readableFallbacks
            ?? fallbacks.enumerated().compactMap { index, fallback in fallback.map { (index, $0.key) } }
        readableFallbacks = readable
        return wanted.choose(among: readable.map(\.key)).map { readable[$0].text }
    }
}

extension String {
    /// The text with a mark in front where its first letter would set the line from left to right.
    fileprivate var leadingRightToLeft: String {
        TextDirection.ofFirstLetter(in: self) == .leftToRight ? String(TextDirection.rightToLeftMark) + self : self
    }
}
