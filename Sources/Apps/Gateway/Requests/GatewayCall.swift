import NotificationHubs

/// What a request asks for.
enum GatewayCall: Sendable, Equatable {
    /// An id for the registration of a device; others with its handle go.
    case newRegistration(handle: String?)
    case putRegistration(id: String)
    case deleteRegistration(id: String)
    case readInstallation(id: String)
    case putInstallation(id: String)
    case patchInstallation(id: String)
    case deleteInstallation(id: String)
    /// A message from one user to another, on one platform.
    case notify(platform: NotificationPlatform, recipient: GatewayUser, isTest: Bool)
    /// A message from a user to all devices of his own.
    case notifySelf
    case publishEvent(source: String?)
    case readOutcome(event: String)
    case readNotification(token: String)

    /// What the audit log calls it.
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

    /// What it is about, for the audit log: an id or a user, never a handle or a text.
    var subject: String? {
        switch self {
        case .putRegistration(let id), .deleteRegistration(let id), .readInstallation(let id),
            .putInstallation(let id), .patchInstallation(let id), .deleteInstallation(let id),
            .readOutcome(let id):
            id
        case .notify(_, let recipient, _): recipient.name
        // The first two are known only when they are done, and a token is as good as a key to what it names.
        case .newRegistration, .publishEvent, .notifySelf, .readNotification: nil
        }
    }

    /// The types of body that it takes.
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

    /// The most bytes of its body.
    var maximumBodyBytes: Int {
        switch self {
        case .publishEvent: 256 << 10
        case .putInstallation, .patchInstallation: 64 << 10
        default: 16 << 10
        }
    }
}

/// Whether a request has a body, and of which types.
enum BodyRule: Sendable, Equatable {
    case required(Set<String>)
    case optional(Set<String>)
    case ignored
}
