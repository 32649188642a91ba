import NewsflashTimestamps
import NotificationHubsCore

/// The storage on the device for the choice and the state of the registration.
///
/// It contains no key, password or token. ``FileSubscriptionStorage`` uses a file, `UserDefaultsSubscriptionStorage` the
/// app's defaults on Apple's platforms. A custom storage needs two functions:
///
/// ```swift
/// struct TableStorage: SubscriptionStorage {
///     let table: Table
///     func strings(forKey key: String) throws(SubscriptionError) -> [String]? { table[key] }
///     func store(_ strings: [String]?, forKey key: String) throws(SubscriptionError) { table[key] = strings }
/// }
/// ```
public protocol SubscriptionStorage: Sendable {
    /// Returns the strings stored under a key.
    ///
    /// ```swift
    /// try storage.strings(forKey: "BreakingNewsCategories")     // ["Sports", "World"]
    /// ```
    ///
    /// - Parameter key: A key such as `BreakingNewsCategories`.
    /// - Returns: `nil` if nothing was stored.
    /// - Throws: ``SubscriptionError`` if it cannot be read now.
    func strings(forKey key: String) throws(SubscriptionError) -> [String]?

    /// Stores strings and replaces the stored ones.
    ///
    /// ```swift
    /// try storage.store(["Sports", "World"], forKey: "BreakingNewsCategories")
    /// ```
    ///
    /// - Parameters:
    ///   - strings: The strings; `nil` to remove what was stored.
    ///   - key: A key such as `BreakingNewsCategories`.
    /// - Throws: ``SubscriptionError`` if they could not be stored.
    func store(_ strings: [String]?, forKey key: String) throws(SubscriptionError)
}

/// The choice and the state of registrations, in the form in which a storage has them.
///
/// A device has one registration. Former registrations at other places, as another user or of another kind, are in a list
/// until they are removed there.
struct SubscriptionRecords: Sendable {
    /// The tutorial's key, so that an app that was built like the tutorial keeps its subscribers' choices.
    static let categoriesKey = "BreakingNewsCategories"
    static let languageKey = "BreakingNewsLanguage"
    static let registrationKey = "BreakingNewsRegistration"
    static let formerKey = "BreakingNewsFormerRegistrations"
    static let optOutKey = "BreakingNewsOptOut"
    /// The maximum number of former registrations in the list; the oldest are dropped.
    static let maximumFormer = 32

    let storage: any SubscriptionStorage
    /// The digest of this device. Records of another device came with a backup, and that device still uses them.
    let device: String?

    /// The stored choice. An invalid category or language is ignored, because another version wrote it.
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

    /// Whether a user opted out, or the device did before anybody signed in.
    func hasOptedOut(_ owner: String) throws(SubscriptionError) -> Bool {
        let owners = try storage.strings(forKey: Self.optOutKey) ?? []
        return owners.contains(owner) || owners.contains("")
    }

    func optOut(_ owner: String) throws(SubscriptionError) {
        let owners = try storage.strings(forKey: Self.optOutKey) ?? []
        if !owners.contains(owner) { try storage.store(owners + [owner], forKey: Self.optOutKey) }
    }

    func optIn(_ owner: String) throws(SubscriptionError) {
        guard let owners = try storage.strings(forKey: Self.optOutKey) else { return }
        let others = owners.filter { $0 != owner && !$0.isEmpty }
        try storage.store(others.isEmpty ? nil : others, forKey: Self.optOutKey)
    }

    /// The state of the registration at a place; ``RegistrationState/none`` if the device is registered at another.
    func state(at place: RegistrationPlace) throws(SubscriptionError) -> RegistrationState {
        guard let kept = try registration(), kept.place == place else { return .none }
        return kept.state
    }

    func store(_ state: RegistrationState, at place: RegistrationPlace) throws(SubscriptionError) {
        let text = KeptRegistration(place: place, device: device, state: state).text
        try storage.store(state == .none ? nil : [text], forKey: Self.registrationKey)
        // The id is in use again: removing it as a former one would remove this registration.
        guard let id = state.id else { return }
        try storeFormer(try former().filter { $0.place.address != place.address || $0.state.id != id })
    }

    /// Makes a place the current one: a registration at another place becomes a former one, and a former one at this place is
    /// used again.
    ///
    /// - Returns: The state of the registration at the place.
    func enter(_ place: RegistrationPlace, now: Timestamp) throws(SubscriptionError) -> RegistrationState {
        if let kept = try registration() {
            if kept.place == place { return kept.state }
            // The list is stored first: a process that ends in between leaves both, and the next call does the same again.
            if let id = kept.state.id {
                let left = KeptRegistration(place: kept.place, device: device, state: .leaving(id: id, since: now))
                try storeFormer(try former().filter { $0.place != kept.place || $0.state.id != id } + [left])
            }
            try storage.store(nil, forKey: Self.registrationKey)
        }
        guard let again = try former().last(where: { $0.place == place }) else { return .none }
        try store(again.state, at: place)
        return again.state
    }

    /// The device's former registrations at other places, the oldest first.
    func former() throws(SubscriptionError) -> [KeptRegistration] {
        (try storage.strings(forKey: Self.formerKey) ?? []).compactMap { KeptRegistration($0) }.filter(isOurs)
    }

    func removeFormer(_ registration: KeptRegistration) throws(SubscriptionError) {
        try storeFormer(try former().filter { $0 != registration })
    }

    /// Adds registrations at a place that must be removed, because they are not the device's current one.
    func addFormer(_ ids: [String], at place: RegistrationPlace, now: Timestamp) throws(SubscriptionError) {
        guard !ids.isEmpty else { return }
        let added = ids.map { KeptRegistration(place: place, device: device, state: .leaving(id: $0, since: now)) }
        try storeFormer(try former() + added)
    }

    private func storeFormer(_ registrations: [KeptRegistration]) throws(SubscriptionError) {
        let texts = registrations.suffix(Self.maximumFormer).map(\.text)
        if texts.isEmpty, try storage.strings(forKey: Self.formerKey) == nil { return }
        try storage.store(texts.isEmpty ? nil : texts, forKey: Self.formerKey)
    }

    private func registration() throws(SubscriptionError) -> KeptRegistration? {
        (try storage.strings(forKey: Self.registrationKey)?.first).flatMap { KeptRegistration($0) }
            .flatMap { isOurs($0) ? $0 : nil }
    }

    private func isOurs(_ kept: KeptRegistration) -> Bool {
        kept.device == nil || device == nil || kept.device == device
    }
}
