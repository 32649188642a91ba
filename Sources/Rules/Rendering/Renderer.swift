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

    /// The offered locales for which an event has a text in their own language, as the configuration writes them.
    ///
    /// - Parameter event: Any.
    /// - Returns: None if no text has a headline that can be seen.
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
    ///   - event: What happened.
    ///   - kind: The kind whose words it gets and which `{kind}` stands for; a correction of something never sent is an alert.
    /// - Returns: `nil` if no text has a headline that can be seen.
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
