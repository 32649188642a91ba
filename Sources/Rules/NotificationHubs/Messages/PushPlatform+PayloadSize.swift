public import NotificationHubsCore

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
