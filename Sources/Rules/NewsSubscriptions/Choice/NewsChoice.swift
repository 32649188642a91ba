import NotificationHubsCore

/// A subscriber's choice: categories, and possibly a language.
///
/// ```swift
/// let choice = try await news.choice()
/// sportsSwitch.isOn = choice.categories.contains(.sports)
/// ```
public struct NewsChoice: Hashable, Sendable {
    /// The categories that are switched on; empty before the first choice.
    ///
    /// ```swift
    /// choice.categories.contains(.world)
    /// ```
    public var categories: Set<NewsCategory>
    /// The language of the texts; `nil` for the sender's single text for everyone.
    ///
    /// ```swift
    /// choice.language?.locale         // "fr"
    /// ```
    public var language: NewsLanguage?

    /// Creates a choice.
    ///
    /// ```swift
    /// let choice = NewsChoice([.world, .sports], language: .french)
    /// ```
    ///
    /// - Parameters:
    ///   - categories: The categories that are switched on.
    ///   - language: `nil` for the sender's single text for everyone.
    public init(_ categories: Set<NewsCategory> = [], language: NewsLanguage? = nil) {
        self.categories = categories
        self.language = language
    }

    /// The tags to register, in a stable order.
    var tags: [Tag] {
        categories.map(\.tag).sorted { $0.description < $1.description }
    }
}
