package import NotificationHubs

/// One thing that changes about a namespace and the devices of its hubs, to be kept.
///
/// With devices, hubs are told apart by their names as written: give each in one spelling.
package enum DeviceChange: Sendable, Equatable {
    /// A registration is new or has changed; `installationID` says which installation it was made of, if any.
    case put(Registration, installationID: String?, hub: String)
    /// A registration is gone; nothing happens where there was none.
    case remove(registrationID: String, hub: String)
    /// An installation is new or has changed. Registrations made of it are changes of their own.
    case putInstallation(Installation, hub: String)
    /// An installation is gone; nothing happens where there was none. Registrations made of it stay.
    case removeInstallation(id: String, hub: String)
    /// All registrations and installations of a hub are gone.
    case removeAll(hub: String)
    /// A hub is new or has changed; its devices are changes of their own.
    case putHub(KeptHub)
    /// A hub is gone; nothing happens where there was none. Its devices stay.
    case removeHub(name: String)
    /// The namespace has these policies.
    case putRules([AccessRule])
}

/// One thing that a hub knew of its devices when it ended.
package enum StoredDevice: Sendable, Hashable {
    /// A registration, and which installation it was made of, if any.
    case registration(Registration, installationID: String?, hub: String)
    /// An installation.
    case installation(Installation, hub: String)
}
