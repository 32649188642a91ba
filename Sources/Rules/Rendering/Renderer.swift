package import NewsEvents

/// Turns an event's texts into what readers of each offered language are shown.
///
/// Where the event lacks a language, readers get, in this order: a text of their language (``LocaleFallback``), one of the
/// default language, one of the event's own language, the event's first.
package struct Renderer: Sendable {
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
    package func render(_ event: NewsEvent, as kind: TextKind, category: String? = nil) -> RenderedNews? {
        var sources = TextSources(event, locales: locales)
        if sources.texts.isEmpty { return nil }
        let words = rules[kind]
        let facts = words.hasFacts ? PatternFacts(of: event, category: category ?? "") : nil
        let count = locales.offered.count
        var choices: [(text: Int, pattern: Int)] = []
        choices.reserveCapacity(count)
        var rendered: [RenderedText] = []
        rendered.reserveCapacity(count)
        for index in 0..<count {
            let choice = sources.choose(forLocale: index)
            let foreign = choice.isForeign ? sources.fallback(ofText: choice.text) : nil
            let place = words.place(forLocale: index, foreignText: foreign)
            // Many languages share one text when an event has few.
            let same = choices.firstIndex { $0.text == choice.text && $0.pattern == place }
            choices.append((choice.text, place))
            if let same {
                rendered.append(rendered[same].offered(as: locales.offered[index]))
                continue
            }
            sources.prepare(choice.text)
            let composer = HeadlineComposer(words: words, place: place, facts: facts, limits: limits)
            rendered.append(composer.compose(sources.texts[choice.text], locale: locales.offered[index]))
        }
        return RenderedNews(locales: rendered, defaultIndex: locales.defaultIndex)
    }
}

extension RenderedText {
    fileprivate func offered(as locale: String) -> RenderedText {
        var text = self
        text.locale = locale
        return text
    }
}
