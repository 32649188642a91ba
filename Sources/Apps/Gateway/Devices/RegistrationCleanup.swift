import ASCII
import NotificationHubs

/// What becomes of the registrations that a device has when its user asks for an id.
struct RegistrationCleanup: Sendable, Equatable {
    /// The user's own, to be written anew; nothing where an id has to be asked for.
    private(set) var kept: String?
    /// To be deleted, whosever they are: the device is in this user's hand now, and nobody else's messages may reach it.
    private(set) var registrations: [String] = []
    /// Installations of other users on this device, to be deleted as a whole.
    private(set) var installations: [String] = []

    /// Decides on all registrations with a handle.
    ///
    /// - Parameters:
    ///   - found: As the hub has them.
    ///   - user: Who asks.
    init(_ found: [Registration], for user: GatewayUser) {
        for registration in found {
            let owner = DeviceOwner(tags: registration.description.tags)
            if let installation = Self.installation(of: registration) {
                // The hub makes these of an installation, and makes them again as long as it is there. The user's own
                // and those of nobody, such as the choice of news, are no registrations of this kind and stay.
                if !owner.admits(user), !installations.contains(installation) { installations.append(installation) }
                continue
            }
            // One with a template could not become a native one under the same id.
            if kept == nil, owner == .user(user.name), registration.description.template == nil {
                kept = registration.id
            } else {
                registrations.append(registration.id)
            }
        }
    }

    /// The installation behind a registration.
    static func installation(of registration: Registration) -> String? {
        let prefix = "$installationid:{"
        for tag in registration.description.tags {
            let text = tag.description
            guard text.prefix(prefix.count).isEqualIgnoringASCIICase(to: prefix), text.hasSuffix("}") else { continue }
            return String(text.dropFirst(prefix.count).dropLast())
        }
        return nil
    }
}
