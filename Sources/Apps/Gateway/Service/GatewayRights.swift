/// The users with more rights than the use of their own devices; only those in the configuration.
struct GatewayRights: Sendable, Equatable {
    /// The users who may publish events; `nil` if the configuration has no list.
    let publishers: Set<String>?
    /// The users who may notify others; `nil` if the configuration has no list.
    let senders: Set<String>?

    func mayPublish(_ user: GatewayUser) -> Bool { publishers?.contains(user.name) ?? false }

    func mayNotifyOthers(_ user: GatewayUser) -> Bool { senders?.contains(user.name) ?? false }
}
