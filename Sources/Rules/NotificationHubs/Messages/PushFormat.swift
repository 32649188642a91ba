public import NotificationHubsCore

/// The format of a message: the value of `ServiceBusNotification-Format`.
public enum PushFormat: String, Sendable, CaseIterable {
    /// Named properties, from which the template of each device renders a notification for its platform.
    case template
    /// Apple's push service.
    case apple
    /// Firebase Cloud Messaging, version 1. The payload needs the outer `message`.
    case fcmv1
    /// Firebase's old protocol, which Google switched off in 2024.
    case gcm
    /// Windows: toasts, tiles, badges and raw notifications.
    case windows
    /// Windows Phone, discontinued.
    case windowsphone
    /// Amazon's devices.
    case adm
    /// Baidu.
    case baidu
    /// Web push.
    case browser
    /// Xiaomi.
    case xiaomi

    /// Decodes the header's value.
    ///
    /// - Parameter headerValue: The value, in any case: the REST documentation writes `fcmV1`, the SDKs `fcmv1`.
    public init?(headerValue: String) {
        self.init(rawValue: headerValue.lowercased())
    }

    /// Whether the body is JSON.
    public var isJSON: Bool {
        switch self {
        case .windows, .windowsphone: false
        case .template, .apple, .fcmv1, .gcm, .adm, .baidu, .browser, .xiaomi: true
        }
    }

    /// Returns the content type of a message.
    ///
    /// - Parameter wnsType: The value of `X-WNS-Type`, if any.
    /// - Returns: The content type given in the REST documentation.
    public func contentType(wnsType: String? = nil) -> String {
        switch self {
        case .windows: wnsType?.lowercased() == "wns/raw" ? "application/octet-stream" : "application/xml"
        case .windowsphone: "application/xml;charset=utf-8"
        case .template, .apple, .fcmv1, .gcm, .adm, .baidu, .browser, .xiaomi: "application/json;charset=utf-8"
        }
    }
}

extension PushPlatform {
    /// The format of native messages for the platform.
    public var format: PushFormat {
        switch self {
        case .apns: .apple
        case .fcmv1: .fcmv1
        case .gcm: .gcm
        case .wns: .windows
        case .mpns: .windowsphone
        case .adm: .adm
        case .baidu: .baidu
        case .browser: .browser
        case .xiaomi: .xiaomi
        }
    }
}

extension PushPlatform {
    /// The maximum size of a payload in bytes, as accepted by the push service.
    ///
    /// Sources: Apple, https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification (5120
    /// for VoIP); Firebase, https://firebase.google.com/docs/cloud-messaging/customize-messages/set-message-type;
    /// Windows, https://learn.microsoft.com/rest/api/notificationhubs/send-wns-native-notification; Amazon,
    /// https://developer.amazon.com/docs/adm/send-message.html; browsers, RFC 8291: 4096 bytes including the encryption
    /// overhead.
    /// 4 KB is assumed for Baidu and Xiaomi; Windows Phone has 3 KB.
    public var maximumPayloadBytes: Int {
        switch self {
        case .apns, .fcmv1, .gcm, .baidu, .xiaomi: 4096
        case .wns: 5120
        case .mpns: 3072
        case .adm: 6144
        case .browser: 3993
        }
    }

    /// Returns the maximum size of a payload with the given headers: Apple allows more for VoIP pushes.
    ///
    /// - Parameter headers: The headers of the payload.
    /// - Returns: The size in bytes; ``maximumPayloadBytes`` except for VoIP pushes.
    public func maximumPayloadBytes(headers: [NamedValue]) -> Int {
        let isCall = self == .apns && headers.value(of: "apns-push-type")?.lowercased() == "voip"
        return isCall ? 5120 : maximumPayloadBytes
    }
}
