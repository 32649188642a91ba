/// A push service that delivers notifications to devices. The raw value is the `platform` of installations, in lower case.
///
/// A hub may return platforms that this version does not know; they keep their names.
///
/// ```swift
/// let platform = PushPlatform.fcmv1
/// print(platform.isRetired, platform.maximumPayloadBytes)
/// ```
public struct PushPlatform: RawRepresentable, Hashable, Sendable, CaseIterable {
    /// The name, in lower case.
    public let rawValue: String

    /// Creates a platform from any name, known or not.
    ///
    /// - Parameter rawValue: The name, in any case: clients use `fcmV1`, `fcmv1` and `FCMV1`.
    public init(rawValue: String) {
        self.rawValue = rawValue.lowercased()
    }

    /// Decodes the name of a known platform, ignoring case.
    ///
    /// - Parameter name: The name.
    public init?(name: String) {
        self.init(rawValue: name)
        guard isKnown else { return nil }
    }

    /// Apple Push Notification service.
    public static let apns = PushPlatform(rawValue: "apns")
    /// Firebase Cloud Messaging, HTTP version 1.
    public static let fcmv1 = PushPlatform(rawValue: "fcmv1")
    /// Firebase's old protocol, which Google switched off in 2024.
    public static let gcm = PushPlatform(rawValue: "gcm")
    /// Windows Push Notification Services.
    public static let wns = PushPlatform(rawValue: "wns")
    /// Windows Phone, discontinued.
    public static let mpns = PushPlatform(rawValue: "mpns")
    /// Amazon Device Messaging.
    public static let adm = PushPlatform(rawValue: "adm")
    /// Baidu.
    public static let baidu = PushPlatform(rawValue: "baidu")
    /// Web push (RFC 8030).
    public static let browser = PushPlatform(rawValue: "browser")
    /// Xiaomi.
    public static let xiaomi = PushPlatform(rawValue: "xiaomi")

    /// The known platforms.
    public static let allCases = PlatformFacts.all.map(\.platform)

    /// Whether this version knows the platform. Only devices of known platforms can be registered.
    public var isKnown: Bool { facts != nil }

    /// Whether the push service does not exist any more, so that nothing sent to it arrives.
    public var isRetired: Bool { facts?.isRetired ?? false }

    /// The format of native messages for the platform; `nil` if the platform is not known.
    package var format: PushFormat? { facts?.format }

    /// The maximum size of a payload in bytes, as accepted by the push service; 4096 if it is not known.
    ///
    /// Sources: Apple, https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification (5120
    /// for VoIP); Firebase, https://firebase.google.com/docs/cloud-messaging/customize-messages/set-message-type;
    /// Windows, https://learn.microsoft.com/rest/api/notificationhubs/send-wns-native-notification; Amazon,
    /// https://developer.amazon.com/docs/adm/send-message.html; browsers, RFC 8291: 4096 bytes including the encryption
    /// overhead.
    /// 4 KB is assumed for Baidu and Xiaomi; Windows Phone has 3 KB.
    public var maximumPayloadBytes: Int { facts?.maximumPayloadBytes ?? 4096 }
}
