public import NotificationHubsCore

/// What a device's template makes of a message: what the push service is to get.
public struct RenderedNotification: Sendable, Hashable {
    /// The payload: JSON or XML in UTF-8.
    public var body: [UInt8]
    /// For the push service, in the template's order; values are as the message gave them, unchecked.
    public var headers: [NamedValue]
    /// When the notification loses its worth; only with Apple.
    public var expiry: String?
    /// How urgent it is; only with Apple.
    public var priority: String?
    /// Whether nothing was left out for its size.
    public var isWhole = true

    /// Makes a notification.
    ///
    /// - Parameters:
    ///   - body: The payload.
    ///   - headers: For the push service.
    ///   - expiry: When the notification loses its worth.
    ///   - priority: How urgent it is.
    public init(body: [UInt8], headers: [NamedValue] = [], expiry: String? = nil, priority: String? = nil) {
        self.body = body
        self.headers = headers
        self.expiry = expiry
        self.priority = priority
    }
}
