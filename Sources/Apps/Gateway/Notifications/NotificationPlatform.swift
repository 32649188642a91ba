import NotificationHubs

/// The platforms of `pns`.
enum NotificationPlatform: String, Sendable, CaseIterable {
    case apns
    case gcm
    case fcmv1
    case wns

    /// As the hub's library calls it.
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
