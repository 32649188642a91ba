import NewsEvents

/// The texts of one event that have a headline, and the choice among them.
struct TextSources {
    /// A text whose headline can be seen.
    struct Source {
        let language: String
        fileprivate(set) var headline: String
        fileprivate(set) var summary: String?
        /// The place of its language among those offered; `nil` where it is not offered by that very name.
        let offered: Int?
        /// Whether headline and summary are as patterns take them.
        fileprivate var isPrepared = false
        /// Of which language its last rendering was, and by which pattern.
        fileprivate var rendering: (place: Int, pattern: Int)?
    }

    private(set) var texts: [Source] = []
    private let locales: OfferedLocales
    private let eventLanguage: String?
    /// Whether all texts are in languages offered by that name.
    private let areAllOffered: Bool
    /// Their languages, read where they are needed: most events lack none that is offered.
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

    /// The text that readers of an offered language get.
    mutating func choose(forLocale index: Int) -> (text: Int, isForeign: Bool) {
        for place in texts.indices where texts[place].offered == index { return (place, false) }
        if let own = place(forLocale: index) { return (own, false) }
        return (lastChoice(), true)
    }

    /// The language of a text; `nil` where its tag cannot be read.
    mutating func fallback(ofText index: Int) -> LocaleFallback? {
        readTags()[index]
    }

    /// The language that a text was rendered for last, if that was by the same pattern.
    func rendering(ofText index: Int, pattern: Int) -> Int? {
        guard let rendering = texts[index].rendering, rendering.pattern == pattern else { return nil }
        return rendering.place
    }

    /// Notes that a text is rendered for a language, so that others can share it.
    mutating func note(rendering place: Int, ofText index: Int, pattern: Int) {
        texts[index].rendering = (place, pattern)
    }

    /// Cleans the summary and settles the direction, once for all languages that use the text.
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

    private func isRightToLeft(_ index: Int) -> Bool {
        if let place = texts[index].offered { return locales.fallbacks[place].isRightToLeft }
        return LanguageTag(texts[index].language).map { LocaleKey($0).isRightToLeft } ?? false
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
