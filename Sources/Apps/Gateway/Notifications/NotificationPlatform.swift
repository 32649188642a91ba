import NotificationHubs

/// The platforms of the parameter `pns`.
enum NotificationPlatform: String, Sendable, CaseIterable {
    case apns
    case gcm
    case fcmv1
    case wns

    /// The platform in the hub's library.
    var platform: PushPlatform {
        switch self {
        case .apns: .apns
        case .gcm: .gcm
        case .fcmv1: .fcmv1
        case .wns: .wns
        }
    }

    /// All names, for messages.
    static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
