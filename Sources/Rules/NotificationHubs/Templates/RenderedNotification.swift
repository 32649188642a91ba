public import NotificationHubsCore

/// A notification for the push service, rendered from a message with a device's template.
public struct RenderedNotification: Sendable, Hashable {
    /// The payload: JSON or XML in UTF-8.
    public var body: [UInt8]
    /// The headers for the push service, in the template's order; values from the message are not checked.
    public var headers: [NamedValue]
    /// When the notification expires; only for Apple.
    public var expiry: String?
    /// The urgency of the notification; only for Apple.
    public var priority: String?
    /// Whether the notification is complete, and not cut off because of its size.
    public var isWhole = true

    /// Creates a notification.
    ///
    /// - Parameters:
    ///   - body: The payload.
    ///   - headers: The headers for the push service.
    ///   - expiry: When the notification expires.
    ///   - priority: The urgency of the notification.
    public init(body: [UInt8], headers: [NamedValue] = [], expiry: String? = nil, priority: String? = nil) {
        self.body = body
        self.headers = headers
        self.expiry = expiry
        self.priority = priority
    }
}
