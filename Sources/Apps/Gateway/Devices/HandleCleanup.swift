import ASCII
import NotificationHubs

/// A record of the hub with an id: a registration, or an installation with all that it registers.
enum DeviceRecord: Sendable, Hashable {
    case registration(String)
    case installation(String)

    /// The record that a registration of a list belongs to. The hub makes registrations of an installation, and makes them
    /// again for as long as it is there.
    init(of registration: Registration) {
        self = Self.installation(of: registration).map { .installation($0) } ?? .registration(registration.id)
    }

    /// The installation that a registration belongs to; `nil` if it belongs to itself.
    private static func installation(of registration: Registration) -> String? {
        let prefix = "$installationid:{"
        for tag in registration.description.tags {
            let text = tag.description
            guard text.prefix(prefix.count).isEqualIgnoringASCIICase(to: prefix), text.hasSuffix("}") else { continue }
            return String(text.dropFirst(prefix.count).dropLast())
        }
        return nil
    }
}

/// The rule "one handle, one user", for all doors: a handle belongs to the user who registered it last. All else that the
/// hub has with it goes, so that nobody else's messages reach the device, and none reaches it twice.
struct HandleCleanup: Sendable, Equatable {
    /// To be deleted, each once.
    private(set) var removed: [DeviceRecord] = []
    /// A registration of the user's own, to be written again; `nil` if an id is needed.
    private(set) var kept: String?
    /// Whether somebody else has written the record that was just written.
    private(set) var isLost = false

    /// Decides before a user gets an id for a device: all go but a registration of the user's own, and installations that are
    /// the user's or nobody's, such as the choice of news of an app that asks the hub itself.
    ///
    /// - Parameters:
    ///   - found: All registrations with the handle, as the hub has them.
    ///   - user: The user who asks.
    init(_ found: [Registration], beforeWriteOf user: GatewayUser) {
        for registration in found {
            let owner = DeviceOwner(tags: registration.description.tags)
            let record = DeviceRecord(of: registration)
            switch record {
            case .installation where owner.admits(user): continue
            // One with a template could not become a native one under the same id.
            case .registration(let id)
            where kept == nil && owner.isUser(user) && registration.description.template == nil:
                kept = id
            case .installation, .registration: remove(record)
            }
        }
    }

    /// Decides after a user has written a record with the handle: all others go that have a user, whosever they are.
    ///
    /// - Parameters:
    ///   - found: All registrations with the handle, as the hub has them.
    ///   - written: The record that was written.
    ///   - user: The user who wrote it.
    ///   - previous: The owner before: the hub may show an installation as it was for some moments.
    init(
        _ found: [Registration],
        after written: DeviceRecord,
        by user: GatewayUser,
        previous: DeviceOwner = .nobody
    ) {
        for registration in found {
            let owner = DeviceOwner(tags: registration.description.tags)
            let record = DeviceRecord(of: registration)
            if record == written {
                isLost = isLost || !owner.admits(user) && owner != previous
            } else if owner != .nobody {
                remove(record)
            }
        }
    }

    private mutating func remove(_ record: DeviceRecord) {
        if !removed.contains(record) { removed.append(record) }
    }
}
