#if canImport(Darwin)
public import Foundation

// Unchecked, because Foundation documents UserDefaults as safe on any thread but does not mark it as Sendable.
/// A storage in the app's defaults, where an app that was built like the tutorial already has the choice.
///
/// ```swift
/// let news = NewsSubscriber(registrar: registrar, storage: UserDefaultsSubscriptionStorage())
/// ```
public struct UserDefaultsSubscriptionStorage: SubscriptionStorage, @unchecked Sendable {
    private let defaults: UserDefaults

    /// Creates a storage in defaults.
    ///
    /// ```swift
    /// let shared = UserDefaultsSubscriptionStorage(UserDefaults(suiteName: "group.org.example.news") ?? .standard)
    /// ```
    ///
    /// - Parameter defaults: The app's own defaults; those of a group for an app with extensions.
    public init(_ defaults: UserDefaults = .standard) {
        self.defaults = defaults
    }

    /// Returns the strings stored under a key: `try storage.strings(forKey: "BreakingNewsCategories")`.
    ///
    /// - Parameter key: A key such as `BreakingNewsCategories`.
    /// - Returns: `nil` if nothing was stored.
    /// - Throws: Never, although the protocol allows it.
    public func strings(forKey key: String) throws(SubscriptionError) -> [String]? {
        defaults.stringArray(forKey: key)
    }

    /// Stores strings: `try storage.store(["World"], forKey: "BreakingNewsCategories")`.
    ///
    /// - Parameters:
    ///   - strings: The strings; `nil` to remove what was stored.
    ///   - key: A key such as `BreakingNewsCategories`.
    /// - Throws: Never, although the protocol allows it.
    public func store(_ strings: [String]?, forKey key: String) throws(SubscriptionError) {
        if let strings {
            defaults.set(strings, forKey: key)
        } else {
            defaults.removeObject(forKey: key)
        }
    }
}
#endif
