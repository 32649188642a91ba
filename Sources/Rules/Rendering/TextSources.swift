import NewsEvents

/// The texts of one event that have a headline, and the choice among them.
struct TextSources {
    /// A text whose headline can be seen.
    struct Source {
        let language: String
        let headline: String
        let rawSummary: String?
        /// The place of its language among those offered; `nil` where it is not offered by that very name.
        let offered: Int?
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
    /// Whether all texts are in languages offered by that name.
    private let areAllOffered: Bool
    /// Their languages, read where they are needed: most events lack none that is offered.
    private var tags: [LocaleFallback?]?
    private var lastResort: Int?
    private var prepared: [PreparedText?]

    init(_ event: NewsEvent, locales: OfferedLocales) {
        self.locales = locales
        self.texts = event.text.compactMap { text in
            let headline = TextCleaning.clean(text.headline)
            if headline.isEmpty { return nil }
            return Source(
                language: text.language,
                headline: headline,
                rawSummary: text.summary,
                offered: locales.offered.firstIndex(of: text.language)
            )
        }
        self.areAllOffered = texts.allSatisfy { $0.offered != nil }
        self.eventLanguage = event.language
        self.prepared = Array(repeating: nil, count: texts.count)
    }

    /// The text that readers of an offered language get.
    mutating func choose(forLocale index: Int) -> (text: Int, isForeign: Bool) {
        if let exact = texts.firstIndex(where: { $0.offered == index }) { return (exact, false) }
        if let own = place(forLocale: index) { return (own, false) }
        return (lastChoice(), true)
    }

    /// The language of a text; `nil` where its tag cannot be read.
    mutating func fallback(ofText index: Int) -> LocaleFallback? {
        readTags()[index]
    }

    /// Cleans the summary and settles the direction, once for all languages that use the text.
    mutating func prepared(_ index: Int) -> PreparedText {
        if let prepared = prepared[index] { return prepared }
        let source = texts[index]
        let summary = source.rawSummary.map(TextCleaning.clean).flatMap { $0.isEmpty ? nil : $0 }
        let isRightToLeft = isRightToLeft(source)
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
        let choice = place(forLocale: locales.defaultIndex) ?? placeOfOwnLanguage ?? 0
        lastResort = choice
        return choice
    }

    private var placeOfOwnLanguage: Int? {
        mutating get {
            guard let eventLanguage else { return nil }
            if let index = locales.offered.firstIndex(of: eventLanguage) { return place(forLocale: index) }
            return LanguageTag(eventLanguage).flatMap { place(of: LocaleFallback(for: $0)) }
        }
    }

    private func isRightToLeft(_ source: Source) -> Bool {
        if let index = source.offered { return locales.fallbacks[index].key.isRightToLeft }
        return LanguageTag(source.language).map { LocaleKey($0).isRightToLeft } ?? false
    }

    /// The text that does best for readers of an offered language.
    private mutating func place(forLocale index: Int) -> Int? {
        if areAllOffered { return locales.ranks.choose(for: index, among: texts.lazy.compactMap(\.offered)) }
        return place(of: locales.fallbacks[index])
    }

    private mutating func place(of wanted: LocaleFallback) -> Int? {
        let readable = readTags().enumerated().compactMap { index, tag in tag.map { (text: index, key: $0.key) } }
        return wanted.choose(among: readable.map(\.key)).map { readable[$0].text }
    }

    private mutating func readTags() -> [LocaleFallback?] {
        if let tags { return tags }
        let read = texts.map { text in
            // What is offered by that very name was read once for all.
            text.offered.map { locales.fallbacks[$0] } ?? LanguageTag(text.language).map(LocaleFallback.init)
        }
        tags = read
        return read
    }
}

extension String {
    /// The text with a mark in front where its first letter would set the line from left to right.
    fileprivate var leadingRightToLeft: String {
        TextDirection.ofFirstLetter(in: self) == .leftToRight ? String(TextDirection.rightToLeftMark) + self : self
    }
}
