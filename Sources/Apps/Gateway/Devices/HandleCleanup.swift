import NewsflashBasics
import NotificationHubs

/// A record of the hub with an ID: a registration, or an installation with its registrations.
enum DeviceRecord: Sendable, Hashable {
    case registration(String)
    case installation(String)

    /// Returns the record to which a listed registration belongs. An installation's registrations are not records, because the
    /// hub
    /// creates them again as long as the installation exists.
    init(of registration: Registration) {
        self = Self.installation(of: registration).map { .installation($0) } ?? .registration(registration.id)
    }

    /// The ID of the installation to which a registration belongs; `nil` if it is independent.
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

/// The rule "one handle, one user" for all endpoints: a handle belongs to the user who registered it last. All other records with
/// the handle are removed, so that the device gets no messages of other users and no message twice. A Firebase registration token
/// and its installation ID are one handle.
struct HandleCleanup: Sendable, Equatable {
    /// The records to delete, each once.
    private(set) var removed: [DeviceRecord] = []
    /// The ID of the user's own registration, to be reused; `nil` if a new ID is needed.
    private(set) var kept: String?
    /// Whether another user has written the same record meanwhile.
    private(set) var isLost = false

    /// Decides before a user gets an ID for a device. All records are removed except one registration of the user, and
    /// installations of the user or without an owner, for example the subscriptions of an app that uses the hub directly.
    ///
    /// - Parameters:
    ///   - found: All registrations of the device, as returned by the hub.
    ///   - user: The user who requests the ID.
    init(_ found: [Registration], beforeWriteOf user: GatewayUser) {
        for registration in found {
            let owner = DeviceOwner(tags: registration.description.tags)
            let record = DeviceRecord(of: registration)
            switch record {
            case .installation where owner.admits(user): continue
            // A template registration cannot become a native one under the same ID.
            case .registration(let id)
            where kept == nil && owner.isUser(user) && registration.description.template == nil:
                kept = id
            case .installation, .registration: remove(record)
            }
        }
    }

    /// Decides after a user has written a record with the handle. All other records that have an owner are removed.
    ///
    /// - Parameters:
    ///   - found: All registrations of the device, as returned by the hub.
    ///   - written: The record that was written.
    ///   - user: The user who wrote it.
    ///   - previous: The previous owner: the hub may return the previous state of an installation for some moments.
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
