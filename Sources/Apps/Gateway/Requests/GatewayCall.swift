import NotificationHubs

/// A decoded request.
enum GatewayCall: Sendable, Equatable {
    /// Issues an ID for the registration of a device; other registrations with its handle are removed.
    case newRegistration(handle: String?)
    case putRegistration(id: String)
    case deleteRegistration(id: String)
    case readInstallation(id: String)
    case putInstallation(id: String)
    case patchInstallation(id: String)
    case deleteInstallation(id: String)
    /// Sends a message from one user to another, on one platform.
    case notify(platform: NotificationPlatform, recipient: GatewayUser, isTest: Bool)
    /// Sends a message from a user to all his own devices.
    case notifySelf
    case publishEvent(source: String?)
    case readOutcome(event: String)
    case readNotification(token: String)

    /// The name of the action in the audit log.
    var action: String {
        switch self {
        case .newRegistration: "registration.create"
        case .putRegistration: "registration.put"
        case .deleteRegistration: "registration.delete"
        case .readInstallation: "installation.read"
        case .putInstallation: "installation.put"
        case .patchInstallation: "installation.patch"
        case .deleteInstallation: "installation.delete"
        case .notify(_, _, isTest: true): "notification.test"
        case .notify, .notifySelf: "notification.send"
        case .publishEvent: "event.publish"
        case .readOutcome: "event.read"
        case .readNotification: "notification.read"
        }
    }

    /// The subject for the audit log: an ID or a user, never a handle or a text.
    var subject: String? {
        switch self {
        case .putRegistration(let id), .deleteRegistration(let id), .readInstallation(let id),
            .putInstallation(let id), .patchInstallation(let id), .deleteInstallation(let id),
            .readOutcome(let id):
            id
        case .notify(_, let recipient, _): recipient.name
        // The ID or event of the first two is known only afterwards, and a token grants access to its notification.
        case .newRegistration, .publishEvent, .notifySelf, .readNotification: nil
        }
    }

    /// The allowed media types of the body.
    var body: BodyRule {
        switch self {
        case .putRegistration, .putInstallation, .notify: .required(["application/json"])
        case .patchInstallation: .required(["application/json", "application/json-patch+json"])
        case .publishEvent: .required(["application/json", "application/cloudevents+json"])
        case .notifySelf: .optional(["application/json"])
        case .newRegistration, .deleteRegistration, .readInstallation, .deleteInstallation, .readOutcome,
            .readNotification:
            .ignored
        }
    }

    /// The maximum size of the body in bytes.
    var maximumBodyBytes: Int {
        switch self {
        case .publishEvent: 256 << 10
        case .putInstallation, .patchInstallation: 64 << 10
        default: 16 << 10
        }
    }
}

/// Whether a request has a body, and its allowed media types.
enum BodyRule: Sendable, Equatable {
    case required(Set<String>)
    case optional(Set<String>)
    case ignored
}
