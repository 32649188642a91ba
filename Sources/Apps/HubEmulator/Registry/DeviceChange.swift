import NotificationHubs

/// What has to be written so that the devices of a hub are the same after a restart.
enum DeviceChange: Sendable, Equatable {
    /// A registration was created or written anew.
    case put(Registration, installationID: String?, hub: String)
    /// A registration went.
    case remove(registrationID: String, hub: String)
    /// An installation was created or written anew; its registrations come as ``put(_:installationID:hub:)``.
    case putInstallation(Installation, hub: String)
    /// An installation went; its registrations come as ``remove(registrationID:hub:)``.
    case removeInstallation(id: String, hub: String)
    /// A hub and all its devices went.
    case removeAll(hub: String)
}
