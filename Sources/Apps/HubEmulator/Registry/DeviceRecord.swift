import NotificationHubs
import Timestamps

/// A registration in the form that a million of them are kept in.
struct DeviceRecord {
    var name: RegistrationName
    var etag: Int64
    var expiration: Timestamp?
    var channel: PushChannel
    /// Spellings in the order of the registration, without `$InstallationId:{…}`.
    var tags: [TagTable.Spelling]
    /// Which template makes its notifications; nothing in a native registration.
    var template: TemplateTable.Number?
    /// The installation that it came from.
    var installation: InstallationTable.Number?
    /// What few registrations have.
    var rare: Rare?

    /// Shared by copies; never changed.
    final class Rare: Sendable {
        let pushVariables: [NamedValue]
        let secondaryTileName: String?

        init(pushVariables: [NamedValue], secondaryTileName: String?) {
            self.pushVariables = pushVariables
            self.secondaryTileName = secondaryTileName
        }
    }

    var pushVariables: [NamedValue] { rare?.pushVariables ?? [] }

    func isExpired(at now: Timestamp) -> Bool {
        expiration.map { $0 <= now } ?? false
    }
}
