extension OfferedLocales {
    /// The offered language that suits a subscriber best.
    ///
    /// - Parameter languages: The subscriber's languages, the preferred first; invalid tags are skipped.
    /// - Returns: The language as written in the configuration; the default one if no form of the subscriber's is offered.
    package func best(for languages: [String]) -> String {
        for language in languages {
            guard let tag = LanguageTag(language, allowingUnderscores: true) else { continue }
            if let place = LocaleFallback(for: tag).choose(among: fallbacks.map(\.key)) { return offered[place] }
        }
        return self.default
    }
}
