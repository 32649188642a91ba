/// The users who may do more than look after their own devices: only those whom the configuration names.
struct GatewayRights: Sendable, Equatable {
    /// The users who may write events; `nil` if the configuration does not say.
    let publishers: Set<String>?
    /// The users who may notify others; `nil` if the configuration does not say.
    let senders: Set<String>?

    func mayPublish(_ user: GatewayUser) -> Bool { publishers?.contains(user.name) ?? false }

    func mayNotifyOthers(_ user: GatewayUser) -> Bool { senders?.contains(user.name) ?? false }
}
