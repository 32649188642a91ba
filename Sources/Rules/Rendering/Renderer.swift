package import NewsEvents

/// Turns an event's texts into what readers of each offered language are shown.
///
/// Where the event lacks a language, readers get, in this order: a text of their language (``LocaleFallback``), one of the
/// default language, one of the event's own language, the event's first.
///
/// An object, since it is made once and asked for each event.
package final class Renderer: Sendable {
    private let locales: OfferedLocales
    private let rules: TextRules
    private let limits: TextLimits

    /// Makes a renderer.
    ///
    /// - Parameters:
    ///   - locales: The languages to render.
    ///   - rules: The words for each kind.
    ///   - limits: How long texts may be.
    package init(locales: OfferedLocales, rules: TextRules, limits: TextLimits = TextLimits()) {
        self.locales = locales
        self.rules = rules
        self.limits = limits
    }

    /// Renders an event.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - kind: In whose words it is told; a correction of something never sent goes as an alert, for one.
    ///   - category: What `{category}` stands for.
    /// - Returns: `nil` where no text has a headline that can be seen.
    package func render(_ event: borrowing NewsEvent, as kind: TextKind, category: String? = nil) -> RenderedNews? {
        var sources = TextSources(event, locales: locales)
        if sources.texts.isEmpty { return nil }
        let words = rules[kind]
        let facts = words.hasFacts ? PatternFacts(of: event, category: category ?? "") : nil
        let count = locales.offered.count
        let composer = HeadlineComposer(words: words, facts: facts, limits: limits)
        var rendered: [RenderedText] = []
        rendered.append(addingCapacity: count) { rendered in
            for index in 0..<count {
                let choice = sources.choose(forLocale: index)
                let foreign = choice.isForeign ? sources.fallback(ofText: choice.text) : nil
                let place = words.place(forLocale: index, foreignText: foreign)
                let locale = locales.offered[index]
                // Many languages share one text when an event has few.
                if let same = sources.rendering(ofText: choice.text, pattern: place) {
                    rendered.append(rendered[same].offered(as: locale))
                } else {
                    sources.prepare(choice.text)
                    sources.note(rendering: index, ofText: choice.text, pattern: place)
                    rendered.append(composer.compose(sources.texts.span[choice.text], place: place, locale: locale))
                }
            }
        }
        return RenderedNews(locales: rendered, defaultIndex: locales.defaultIndex)
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
