package import NewsflashEvents

/// Converts an event's texts to the texts for subscribers of each offered language.
///
/// If the event lacks a language, its subscribers get, in this order: a text in a related language (``LocaleFallback``), one
/// in the default language, one in the event's own language, the event's first text.
///
/// An object, because it is created once and used for each event.
package final class Renderer: Sendable {
    private let locales: OfferedLocales
    private let rules: TextRules
    private let limits: TextLimits

    /// Creates a renderer.
    ///
    /// - Parameters:
    ///   - locales: The languages to render.
    ///   - rules: The patterns for each kind.
    ///   - limits: The maximum lengths of texts.
    package init(locales: OfferedLocales, rules: TextRules, limits: TextLimits = TextLimits()) {
        self.locales = locales
        self.rules = rules
        self.limits = limits
    }

    /// The offered locales for which an event has a text in their own language, as written in the configuration. Empty if no
    /// text has a visible headline.
    package func ownLocales(of event: borrowing NewsEvent) -> Set<String> {
        var sources = TextSources(event, locales: locales)
        if sources.texts.isEmpty { return [] }
        var own: Set<String> = []
        for index in locales.offered.indices where !sources.choose(forLocale: index).isForeign {
            own.insert(locales.offered[index])
        }
        return own
    }

    /// Renders an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - kind: The kind whose pattern is used and which is the value of `{kind}`. A correction of something that was never
    ///     sent is an alert.
    /// - Returns: `nil` if no text has a visible headline.
    package func render(_ event: borrowing NewsEvent, as kind: TextKind) -> RenderedNews? {
        var sources = TextSources(event, locales: locales)
        if sources.texts.isEmpty { return nil }
        let words = rules[kind]
        let facts = words.hasFacts ? PatternFacts(of: event, as: kind) : nil
        let count = locales.offered.count
        let composer = HeadlineComposer(words: words, facts: facts, limits: limits)
        var rendered: [RenderedText] = []
        rendered.append(addingCapacity: count) { rendered in
            for index in 0..<count {
                let choice = sources.choose(forLocale: index)
                let foreign = choice.isForeign ? sources.fallback(ofText: choice.text) : nil
                let place = words.place(forLocale: index, foreignText: foreign)
                let locale = locales.offered[index]
                // If an event has few texts, many languages share one.
                if let same = sources.rendering(ofText: choice.text, pattern: place) {
                    rendered.append(rendered[same].offered(as: locale))
                } else {
                    sources.prepare(choice.text)
                    sources.record(rendering: index, ofText: choice.text, pattern: place)
                    rendered.append(composer.compose(sources.texts.span[choice.text], place: place, locale: locale))
                }
            }
        }
        return RenderedNews(locales: rendered, defaultIndex: locales.defaultIndex, kind: kind)
    }
}

extension RenderedText {
    fileprivate func offered(as locale: String) -> RenderedText {
        RenderedText(
            locale: locale,
            textFrom: textFrom,
            headline: headline,
            summary: summary,
            isTruncated: isTruncated
        )
    }
}

/// The texts of an event for subscribers, in every offered language.
package struct RenderedNews: Sendable, Equatable {
    /// One text for each offered language, in the order of the configuration.
    package let locales: [RenderedText]
    /// The index of the default language in ``locales``.
    package let defaultIndex: Int
    /// The kind as which it is sent; `nil` for the notice of a secure event.
    var kind: TextKind?

    /// The text in the default language.
    package var standard: RenderedText { locales[defaultIndex] }
    /// The text in a language, as written in the configuration.
    package subscript(locale locale: String) -> RenderedText? {
        place(ofLocale: locale).map { locales[$0] }
    }
    /// Whether the text of any language was cut.
    package var isTruncated: Bool {
        for place in locales.indices where locales[place].isTruncated { return true }
        return false
    }

    /// The index in ``locales`` of the text for a send.
    ///
    /// - Parameter locale: The recipients' language, as written in the configuration; `nil` for all subscribers.
    /// - Returns: The index of the default language if the recipients' language is not offered.
    package func place(forReadersOf locale: String?) -> Int {
        locale.flatMap { place(ofLocale: $0) } ?? defaultIndex
    }

    /// The index in ``locales`` of a language, as written in the configuration.
    func place(ofLocale locale: String) -> Int? {
        for place in locales.indices where locales[place].locale == locale { return place }
        return nil
    }
}

/// The text for subscribers of one language.
package struct RenderedText: Sendable, Equatable {
    /// The offered language, as written in the configuration.
    package internal(set) var locale: String
    /// The language of the text that was used, as written in the event; for outcomes and for the count of fallbacks.
    package let textFrom: String
    /// The headline, inserted into the pattern of its kind; never empty.
    package internal(set) var headline: String
    /// The summary of the same text; `nil` if it has none. Never in another language than the headline.
    package internal(set) var summary: String?
    /// Whether headline or summary was cut.
    package let isTruncated: Bool

    /// The summary for templates: the headline if there is no summary, because a template may show only the summary.
    var shownSummary: String { summary ?? headline }
}
