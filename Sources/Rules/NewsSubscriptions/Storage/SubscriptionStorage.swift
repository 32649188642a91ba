/// Where the choice and what is known of the registration are kept on the device.
///
/// No key, password or token is among it. ``FileSubscriptionStorage`` keeps it in a file, `UserDefaultsSubscriptionStorage`
/// in the app's defaults on Apple's platforms. Another place takes two functions:
///
/// ```swift
/// struct TableStorage: SubscriptionStorage {
///     let table: Table
///     func strings(forKey key: String) throws(SubscriptionError) -> [String]? { table[key] }
///     func store(_ strings: [String]?, forKey key: String) throws(SubscriptionError) { table[key] = strings }
/// }
/// ```
public protocol SubscriptionStorage: Sendable {
    /// What was stored under a key.
    ///
    /// ```swift
    /// try storage.strings(forKey: "BreakingNewsCategories")     // ["Sports", "World"]
    /// ```
    ///
    /// - Parameter key: Such as `BreakingNewsCategories`.
    /// - Returns: Nothing where nothing was stored.
    /// - Throws: ``SubscriptionError`` where it cannot be read now.
    func strings(forKey key: String) throws(SubscriptionError) -> [String]?

    /// Stores strings in the place of what was there.
    ///
    /// ```swift
    /// try storage.store(["Sports", "World"], forKey: "BreakingNewsCategories")
    /// ```
    ///
    /// - Parameters:
    ///   - strings: Nothing to forget what was stored.
    ///   - key: Such as `BreakingNewsCategories`.
    /// - Throws: ``SubscriptionError`` where they could not be stored.
    func store(_ strings: [String]?, forKey key: String) throws(SubscriptionError)
}
