import NotificationHubs
import Timestamps

/// A registration in a compact form, because a hub may keep a million of them.
struct DeviceRecord {
    var name: RegistrationName
    var etag: Int64
    var expiration: Timestamp?
    var channel: PushChannel
    /// The spellings of its tags in their original order, without `$InstallationId:{…}`.
    var tags: [TagTable.Spelling]
    /// The template that renders its notifications; `nil` for a native registration.
    var template: TemplateTable.Number?
    /// The installation that it belongs to, if any.
    var installation: InstallationTable.Number?
    /// Properties that few registrations have.
    var rare: Rare?

    /// Shared between copies and immutable.
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
