import Timestamps

/// A hub of the namespace with its devices.
struct HostedHub {
    /// The name as its creator spelled it.
    let name: String
    let created: Timestamp
    /// The hub's own access rules, in addition to those of the namespace.
    var rules: [AccessRule] = []
    /// The lifetime of registrations.
    var timeToLive = RegistrationTimeToLive.never
    var registry = DeviceRegistry()
}
