package import NotificationHubs

/// A change to a namespace or to the devices of its hubs, as given to storage.
///
/// Changes to devices compare hub names as written, so use one spelling for each hub.
package enum DeviceChange: Sendable, Equatable {
    /// A registration was created or changed; `installationID` is the installation that it belongs to, if any.
    case put(Registration, installationID: String?, hub: String)
    /// A registration was removed. Does nothing if it did not exist.
    case remove(registrationID: String, hub: String)
    /// An installation was created or changed. Its registrations are separate changes.
    case putInstallation(Installation, hub: String)
    /// An installation was removed. Does nothing if it did not exist. Its registrations stay.
    case removeInstallation(id: String, hub: String)
    /// All registrations and installations of a hub were removed.
    case removeAll(hub: String)
    /// A hub was created or changed; its devices are separate changes.
    case putHub(KeptHub)
    /// A hub was removed. Does nothing if it did not exist. Its devices stay.
    case removeHub(name: String)
    /// The access rules of the namespace were replaced.
    case putRules([AccessRule])
}

/// A stored registration or installation, as read at the start.
package enum StoredDevice: Sendable, Hashable {
    /// A registration, with the installation that it belongs to, if any.
    case registration(Registration, installationID: String?, hub: String)
    /// An installation.
    case installation(Installation, hub: String)
}
