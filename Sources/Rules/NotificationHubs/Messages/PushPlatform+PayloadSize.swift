public import NotificationHubsCore

extension PushPlatform {
    /// The most bytes of a payload that the push service takes.
    ///
    /// Sources: Apple, https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification (5120
    /// for VoIP); Firebase, https://firebase.google.com/docs/cloud-messaging/customize-messages/set-message-type;
    /// Windows, https://learn.microsoft.com/rest/api/notificationhubs/send-wns-native-notification; Amazon,
    /// https://developer.amazon.com/docs/adm/send-message.html; browsers, RFC 8291: 4096 bytes with what encryption adds.
    /// Baidu's and Xiaomi's are taken to be 4 KB, Windows Phone's is 3 KB.
    public var maximumPayloadBytes: Int {
        switch self {
        case .apns, .fcmv1, .gcm, .baidu, .xiaomi: 4096
        case .wns: 5120
        case .mpns: 3072
        case .adm: 6144
        case .browser: 3993
        }
    }

    /// The most bytes of a payload that goes with certain headers: Apple gives VoIP pushes more room.
    ///
    /// - Parameter headers: What goes with the payload.
    /// - Returns: ``maximumPayloadBytes`` for all others.
    public func maximumPayloadBytes(headers: [NamedValue]) -> Int {
        let isCall = self == .apns && headers.value(of: "apns-push-type")?.lowercased() == "voip"
        return isCall ? 5120 : maximumPayloadBytes
    }
}
