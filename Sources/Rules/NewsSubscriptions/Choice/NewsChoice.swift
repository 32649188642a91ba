import NotificationHubsCore

/// What a reader has chosen: categories, and perhaps a language.
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
    /// The language of the texts; nothing for the sender's one text for all.
    ///
    /// ```swift
    /// choice.language?.locale         // "fr"
    /// ```
    public var language: NewsLanguage?

    /// Makes a choice.
    ///
    /// ```swift
    /// let choice = NewsChoice([.world, .sports], language: .french)
    /// ```
    ///
    /// - Parameters:
    ///   - categories: Those that are switched on.
    ///   - language: Nothing for the sender's one text for all.
    public init(_ categories: Set<NewsCategory> = [], language: NewsLanguage? = nil) {
        self.categories = categories
        self.language = language
    }

    /// The tags to register, in an order that does not change.
    var tags: [Tag] {
        categories.map(\.tag).sorted { $0.description < $1.description }
    }
}
