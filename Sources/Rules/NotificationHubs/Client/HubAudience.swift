public import NotificationHubsCore

/// Whom a send is for.
public enum HubAudience: Sendable, Equatable {
    /// Every device of the hub that the format reaches. Has to be asked for by this name: nothing else becomes one.
    case broadcast
    /// Devices whose tags fulfil the expression.
    case tags(TagExpression)
    /// One device by its handle, registered or not.
    case device(DeviceHandle)
    /// 1 to 1,000 devices of one platform by their handles, registered or not; not on the free tier.
    case devices([String])
}

/// What a platform calls one device: token, registration id, channel or endpoint.
public struct DeviceHandle: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The handle as the platform gave it.
    public let text: String
    /// The keys of a browser's subscription; `nil` for other platforms.
    public let browserKeys: BrowserKeys?

    /// Takes a handle.
    ///
    /// - Parameters:
    ///   - text: As the platform gave it; for a browser the endpoint of the subscription.
    ///   - browserKeys: The keys of a browser's subscription.
    public init(_ text: String, browserKeys: BrowserKeys? = nil) {
        self.text = text
        self.browserKeys = browserKeys
    }

    /// Takes a handle without keys.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// The keys with which a push to a browser is encrypted.
    public struct BrowserKeys: Sendable, Hashable {
        /// The public key of the subscription, `p256dh`.
        public let p256dh: String
        /// The shared secret of the subscription, `auth`.
        public let auth: String

        /// Takes the keys.
        ///
        /// - Parameters:
        ///   - p256dh: As the browser gave it, base 64 for URLs.
        ///   - auth: As the browser gave it, base 64 for URLs.
        public init(p256dh: String, auth: String) {
            self.p256dh = p256dh
            self.auth = auth
        }
    }
}
