/// The pricing tier of a namespace.
package enum HubTier: String, Sendable, CaseIterable {
    /// No batch sends and no notification ids.
    case free
    /// No notification ids.
    case basic
    /// All features.
    case standard

    /// The maximum number of devices in the namespace.
    ///
    /// Source: https://learn.microsoft.com/azure/notification-hubs/notification-hubs-push-notification-faq
    var maximumDevices: Int {
        switch self {
        case .free: 500
        case .basic: 200_000
        case .standard: 10_000_000
        }
    }
}
