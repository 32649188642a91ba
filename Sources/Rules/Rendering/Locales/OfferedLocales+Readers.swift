extension OfferedLocales {
    /// The offered language that suits a reader best.
    ///
    /// - Parameter languages: The reader's, the preferred first; what is no language tag is passed over.
    /// - Returns: As the configuration writes it; the default one where none of the reader's is offered in any form.
    package func best(for languages: [String]) -> String {
        for language in languages {
            guard let tag = LanguageTag(language, allowingUnderscores: true) else { continue }
            if let place = LocaleFallback(for: tag).choose(among: fallbacks.map(\.key)) { return offered[place] }
        }
        return self.default
    }
}
