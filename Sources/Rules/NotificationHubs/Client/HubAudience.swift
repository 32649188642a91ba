public import NotificationHubsCore

/// The devices that a send addresses.
public enum HubAudience: Sendable, Equatable {
    /// Every device of the hub that the format reaches. Nothing else is ever converted to a broadcast.
    case broadcast
    /// Devices whose tags match the expression.
    case tags(TagExpression)
    /// One device by its handle, registered or not.
    case device(DeviceHandle)
    /// 1 to 1,000 devices of one platform by their handles, registered or not; not on the free tier.
    case devices([String])
}

/// A platform's identifier of a device: token, registration ID, channel or endpoint.
public struct DeviceHandle: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The handle, as issued by the platform.
    public let text: String
    /// The keys of a browser's subscription; `nil` for other platforms.
    public let browserKeys: BrowserKeys?

    /// Creates a handle.
    ///
    /// - Parameters:
    ///   - text: The handle, as issued by the platform; for a browser, the endpoint of the subscription.
    ///   - browserKeys: The keys of a browser's subscription.
    public init(_ text: String, browserKeys: BrowserKeys? = nil) {
        self.text = text
        self.browserKeys = browserKeys
    }

    /// Creates a handle without browser keys.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// The keys that encrypt a push to a browser.
    public struct BrowserKeys: Sendable, Hashable {
        /// The public key of the subscription, `p256dh`.
        public let p256dh: String
        /// The shared secret of the subscription, `auth`.
        public let auth: String

        /// Creates the keys.
        ///
        /// - Parameters:
        ///   - p256dh: The browser's public key, in base64url.
        ///   - auth: The browser's shared secret, in base64url.
        public init(p256dh: String, auth: String) {
            self.p256dh = p256dh
            self.auth = auth
        }
    }
}
