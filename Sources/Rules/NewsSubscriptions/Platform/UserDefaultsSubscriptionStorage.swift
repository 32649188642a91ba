#if canImport(Darwin)
public import Foundation

// Unchecked, because Foundation says of UserDefaults that it may be used from any thread, and does not mark it so.
/// Keeps the choice in the app's defaults, where an app that was built after the tutorial has it already.
///
/// ```swift
/// let news = NewsSubscriber(registrar: registrar, storage: UserDefaultsSubscriptionStorage())
/// ```
public struct UserDefaultsSubscriptionStorage: SubscriptionStorage, @unchecked Sendable {
    private let defaults: UserDefaults

    /// Names the defaults.
    ///
    /// ```swift
    /// let shared = UserDefaultsSubscriptionStorage(UserDefaults(suiteName: "group.org.example.news") ?? .standard)
    /// ```
    ///
    /// - Parameter defaults: The app's own; those of a group for an app with extensions.
    public init(_ defaults: UserDefaults = .standard) {
        self.defaults = defaults
    }

    /// What was stored under a key: `try storage.strings(forKey: "BreakingNewsCategories")`.
    ///
    /// - Parameter key: Such as `BreakingNewsCategories`.
    /// - Returns: Nothing where nothing was stored.
    /// - Throws: Nothing; the protocol allows it.
    public func strings(forKey key: String) throws(SubscriptionError) -> [String]? {
        defaults.stringArray(forKey: key)
    }

    /// Stores strings: `try storage.store(["World"], forKey: "BreakingNewsCategories")`.
    ///
    /// - Parameters:
    ///   - strings: Nothing to forget what was stored.
    ///   - key: Such as `BreakingNewsCategories`.
    /// - Throws: Nothing; the protocol allows it.
    public func store(_ strings: [String]?, forKey key: String) throws(SubscriptionError) {
        if let strings {
            defaults.set(strings, forKey: key)
        } else {
            defaults.removeObject(forKey: key)
        }
    }
}
#endif
