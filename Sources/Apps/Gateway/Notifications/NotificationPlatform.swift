/// The platforms of `pns`.
enum NotificationPlatform: String, Sendable, CaseIterable {
    case apns
    case gcm
    case fcmv1
    case wns

    /// All names, for messages.
    static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
