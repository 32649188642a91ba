/// The address of an app on a device at its push service; the service's term is PNS handle.
public enum PushChannel: Hashable, Sendable {
    /// An Apple device token: an even number of hexadecimal digits.
    case apns(deviceToken: String)
    /// A Firebase registration token.
    case fcmv1(registrationID: String)
    /// A registration of Firebase's old protocol.
    case gcm(registrationID: String)
    /// A Windows channel.
    case wns(uri: String)
    /// A Windows Phone channel.
    case mpns(uri: String)
    /// An Amazon registration.
    case adm(registrationID: String)
    /// A Baidu user and channel.
    case baidu(userID: String, channelID: String)
    /// A subscription of a browser: its endpoint and keys (RFC 8291).
    case browser(endpoint: String, p256dh: String, auth: String)
    /// A Xiaomi registration.
    case xiaomi(registrationID: String)

    /// The platform of the channel.
    public var platform: PushPlatform {
        switch self {
        case .apns: .apns
        case .fcmv1: .fcmv1
        case .gcm: .gcm
        case .wns: .wns
        case .mpns: .mpns
        case .adm: .adm
        case .baidu: .baidu
        case .browser: .browser
        case .xiaomi: .xiaomi
        }
    }

    /// The text that identifies the channel within its platform: a token, an ID or a URI; for Baidu `userId-channelId`.
    public var handle: String {
        switch self {
        case .apns(let handle), .fcmv1(let handle), .gcm(let handle), .wns(let handle), .mpns(let handle),
            .adm(let handle), .xiaomi(let handle), .browser(let handle, _, _):
            handle
        case .baidu(let userID, let channelID): "\(userID)-\(channelID)"
        }
    }
}
