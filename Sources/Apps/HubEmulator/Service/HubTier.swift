/// What a namespace pays for.
package enum HubTier: String, Sendable, CaseIterable {
    /// No batch sends, no notification ids.
    case free
    /// No notification ids.
    case basic
    /// Everything.
    case standard

    /// The most devices of the namespace.
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
