import Timestamps

/// One hub of the namespace with its devices.
struct HostedHub {
    /// As its creator spelled it.
    let name: String
    let created: Timestamp
    var registry = DeviceRegistry()
}
