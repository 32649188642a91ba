import NewsflashEvents

/// The texts of one event that have a headline, and the choice among them.
struct TextSources {
    /// A text with a visible headline.
    struct Source {
        let language: String
        fileprivate(set) var headline: String
        fileprivate(set) var summary: String?
        /// The index of its language among the offered ones; `nil` if it is not offered by exactly this name.
        let offered: Int?
        /// Whether headline and summary are ready for patterns.
        fileprivate var isPrepared = false
        /// The language and the pattern of its last rendering.
        fileprivate var rendering: (place: Int, pattern: Int)?
    }

    private(set) var texts: [Source] = []
    private let locales: OfferedLocales
    private let eventLanguage: String?
    /// Whether all texts are in languages offered by exactly their names.
    private let areAllOffered: Bool
    /// The languages of the texts, parsed only if needed: most events lack no offered language.
    private var tags: [LocaleFallback?]?
    private var lastResort: Int?

    init(_ event: borrowing NewsEvent, locales: OfferedLocales) {
        self.locales = locales
        self.eventLanguage = event.language
        var areAllOffered = true
        let written = event.text.span
        texts.append(addingCapacity: written.count) { texts in
            for place in written.indices {
                let headline = TextCleaning.clean(written[place].headline)
                if headline.isEmpty { continue }
                let language = written[place].language
                let offered = locales.offered.firstIndex(of: language)
                areAllOffered = areAllOffered && offered != nil
                texts.append(
                    Source(language: language, headline: headline, summary: written[place].summary, offered: offered)
                )
            }
        }
        self.areAllOffered = areAllOffered
    }

    /// The text for subscribers of an offered language.
    mutating func choose(forLocale index: Int) -> (text: Int, isForeign: Bool) {
        for place in texts.indices where texts[place].offered == index { return (place, false) }
        if let own = place(forLocale: index) { return (own, false) }
        return (lastChoice(), true)
    }

    /// The language of a text; `nil` if its tag is unreadable.
    mutating func fallback(ofText index: Int) -> LocaleFallback? {
        readTags()[index]
    }

    /// The language of a text's last rendering, if that had the same pattern.
    func rendering(ofText index: Int, pattern: Int) -> Int? {
        guard let rendering = texts[index].rendering, rendering.pattern == pattern else { return nil }
        return rendering.place
    }

    /// Records the rendering of a text for a language, so that other languages can share it.
    mutating func record(rendering place: Int, ofText index: Int, pattern: Int) {
        texts[index].rendering = (place, pattern)
    }

    /// Cleans the summary and sets the direction, once for all languages that use the text.
    mutating func prepare(_ index: Int) {
        if texts[index].isPrepared { return }
        texts[index].isPrepared = true
        if let raw = texts[index].summary {
            let summary = TextCleaning.clean(raw)
            texts[index].summary = summary.isEmpty ? nil : summary
        }
        guard isRightToLeft(index) else { return }
        texts[index].headline = texts[index].headline.leadingRightToLeft
        texts[index].summary = texts[index].summary?.leadingRightToLeft
    }

    /// The fallback text: in the default language, then in the event's own, then in any.
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

    private func isRightToLeft(_ index: Int) -> Bool {
        if let place = texts[index].offered { return locales.fallbacks[place].isRightToLeft }
        return LanguageTag(texts[index].language).map { LocaleKey($0).isRightToLeft } ?? false
    }

    /// The best text for subscribers of an offered language.
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
            // A language offered by exactly this name is parsed already.
            text.offered.map { locales.fallbacks[$0] } ?? LanguageTag(text.language).map(LocaleFallback.init)
        }
        tags = read
        return read
    }
}

extension String {
    /// The text with a mark before it if its first letter would set the line from left to right.
    fileprivate var leadingRightToLeft: String {
        TextDirection.ofFirstLetter(in: self) == .leftToRight ? String(TextDirection.rightToLeftMark) + self : self
    }
}
