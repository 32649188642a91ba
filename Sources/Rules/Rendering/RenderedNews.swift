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
