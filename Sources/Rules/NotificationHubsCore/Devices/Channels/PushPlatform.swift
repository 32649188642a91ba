/// A push service that delivers notifications to devices. The raw value is the `platform` of installations.
public enum PushPlatform: String, Sendable, CaseIterable {
    /// Apple Push Notification service.
    case apns
    /// Firebase Cloud Messaging, HTTP version 1.
    case fcmv1
    /// Firebase's old protocol, which Google switched off in 2024.
    case gcm
    /// Windows Push Notification Services.
    case wns
    /// Windows Phone, discontinued.
    case mpns
    /// Amazon Device Messaging.
    case adm
    /// Baidu.
    case baidu
    /// Web push (RFC 8030).
    case browser
    /// Xiaomi.
    case xiaomi

    /// Decodes the name, ignoring case.
    ///
    /// - Parameter name: The name; clients use `fcmV1`, `fcmv1` and `FCMV1`.
    public init?(name: String) {
        self.init(rawValue: name.lowercased())
    }
}
