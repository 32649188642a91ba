import NotificationHubsCore

/// The choice and the state of the registration, in the words of a storage.
struct SubscriptionRecords: Sendable {
    /// The tutorial's key: an app that was built after it keeps its readers' choices.
    static let categoriesKey = "BreakingNewsCategories"
    static let languageKey = "BreakingNewsLanguage"
    static let registrationKey = "BreakingNewsRegistration"

    let storage: any SubscriptionStorage

    /// The stored choice. A category or language that cannot be one is passed over: another version wrote it.
    func choice() throws(SubscriptionError) -> NewsChoice {
        let names = try storage.strings(forKey: Self.categoriesKey) ?? []
        let language = try storage.strings(forKey: Self.languageKey) ?? []
        return NewsChoice(
            Set(names.compactMap { try? NewsCategory($0) }),
            language: language.count == 2 ? try? NewsLanguage(locale: language[0], name: language[1]) : nil
        )
    }

    func store(_ choice: NewsChoice) throws(SubscriptionError) {
        try storage.store(choice.tags.map(\.description), forKey: Self.categoriesKey)
        try storage.store(choice.language.map { [$0.locale, $0.name] }, forKey: Self.languageKey)
    }

    /// The state of the registration at a place; none where it was at another place, whose id is worth nothing here.
    func state(at place: String) throws(SubscriptionError) -> RegistrationState {
        guard let text = try storage.strings(forKey: Self.registrationKey)?.first,
            let kept = KeptRegistration(text), kept.place == place
        else { return .none }
        return kept.state
    }

    func store(_ state: RegistrationState, at place: String) throws(SubscriptionError) {
        let text = KeptRegistration(place: place, state: state).text
        try storage.store(state == .none ? nil : [text], forKey: Self.registrationKey)
    }
}
