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
