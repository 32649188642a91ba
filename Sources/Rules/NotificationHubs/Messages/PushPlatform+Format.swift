public import NotificationHubsCore

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
