import Timestamps

/// One hub of the namespace with its devices.
struct HostedHub {
    /// As its creator spelled it.
    let name: String
    let created: Timestamp
    /// Its own policies, beside those of the namespace.
    var rules: [AccessRule] = []
    /// How long registrations live.
    var timeToLive = RegistrationTimeToLive.never
    var registry = DeviceRegistry()
}
