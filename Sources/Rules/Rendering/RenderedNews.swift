/// What readers are told of an event, in every offered language.
package struct RenderedNews: Sendable, Equatable {
    /// One for each offered language, in the order of the configuration.
    package let locales: [RenderedText]
    /// Place of the default language in ``locales``.
    package let defaultIndex: Int
    /// As which it is sent; `nil` for the notice of a secure event.
    var kind: TextKind?

    /// The text in the default language.
    package var standard: RenderedText { locales[defaultIndex] }
    /// The text in a language as the configuration writes it.
    package subscript(locale locale: String) -> RenderedText? {
        place(ofLocale: locale).map { locales[$0] }
    }
    /// Whether the text of any language was cut.
    package var isTruncated: Bool {
        for place in locales.indices where locales[place].isTruncated { return true }
        return false
    }

    /// The place in ``locales`` of the text for a send.
    ///
    /// - Parameter locale: The language of its readers as the configuration writes it; `nil` for all readers.
    /// - Returns: That of the default language where there is none for the readers' own.
    package func place(forReadersOf locale: String?) -> Int {
        locale.flatMap { place(ofLocale: $0) } ?? defaultIndex
    }

    /// The place in ``locales`` of a language as the configuration writes it.
    func place(ofLocale locale: String) -> Int? {
        for place in locales.indices where locales[place].locale == locale { return place }
        return nil
    }
}

/// What readers of one language are told.
package struct RenderedText: Sendable, Equatable {
    /// The language that was offered, as the configuration writes it.
    package internal(set) var locale: String
    /// The language that the event had for it, as the event writes it; for outcomes and for the count of fallbacks.
    package let textFrom: String
    /// The headline in the words of its kind; never empty.
    package internal(set) var headline: String
    /// The summary of the same text; `nil` where it has none. Never one of another language than the headline.
    package internal(set) var summary: String?
    /// Whether headline or summary was cut.
    package let isTruncated: Bool

    /// What templates show for a summary: the headline where there is none, since a template may show the summary alone.
    var shownSummary: String { summary ?? headline }
}
