import NewsflashBasics
public import NotificationHubsCore

/// A kind of news that a subscriber can switch on, and the tag that devices register for it.
///
/// ```swift
/// for category in NewsCategory.breakingNews {
///     print(category.name)            // World, Politics, Business, …
/// }
/// let weather = try NewsCategory("Weather")
/// ```
public struct NewsCategory: Hashable, Sendable, CustomStringConvertible {
    /// The tag that a device registers and a sender addresses.
    ///
    /// ```swift
    /// NewsCategory.sports.tag         // Sports
    /// ```
    public let tag: Tag

    /// Creates a custom category.
    ///
    /// ```swift
    /// let weather = try NewsCategory("Weather")
    /// ```
    ///
    /// - Parameter name: The text of the tag: 1 to 120 letters, digits and `_ @ # . : -`.
    /// - Throws: ``SubscriptionError`` for an invalid tag, and for tags that only the back end or the hub may set.
    public init(_ name: String) throws(SubscriptionError) {
        guard !name.hasPrefix("$"), !name.lowercasedASCII.hasPrefix("username:") else {
            throw SubscriptionError(
                .invalidValue,
                "tags that begin with username: or $ are set by the back end and the hub: choose another name"
            )
        }
        do throws(HubValueError) {
            tag = try Tag(name)
        } catch {
            throw SubscriptionError(.invalidValue, "this cannot be a category: \(error.message)")
        }
    }

    private init(known name: String) {
        tag = Tag(unchecked: name)
    }

    /// The name to show if the app has no word of its own.
    ///
    /// ```swift
    /// NewsCategory.science.name       // "Science"
    /// ```
    public var name: String { tag.description }

    /// The name.
    public var description: String { name }
}

extension NewsCategory {
    /// The six categories of the breaking-news tutorial, in its order.
    ///
    /// ```swift
    /// List(NewsCategory.breakingNews, id: \.name) { Toggle($0.name, isOn: isOn($0)) }
    /// ```
    public static let breakingNews: [NewsCategory] = [.world, .politics, .business, .technology, .science, .sports]

    /// World events: `[.world]`.
    public static let world = NewsCategory(known: "World")
    /// Parties, elections and parliaments: `[.politics]`.
    public static let politics = NewsCategory(known: "Politics")
    /// Companies and markets: `[.business]`.
    public static let business = NewsCategory(known: "Business")
    /// Machines and programs: `[.technology]`.
    public static let technology = NewsCategory(known: "Technology")
    /// Research and discoveries: `[.science]`.
    public static let science = NewsCategory(known: "Science")
    /// Matches and results: `[.sports]`.
    public static let sports = NewsCategory(known: "Sports")
}
