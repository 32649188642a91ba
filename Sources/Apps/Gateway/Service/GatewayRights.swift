/// Who may do more than look after devices of one's own.
struct GatewayRights: Sendable, Equatable {
    /// Who may write events; nothing where the configuration does not say.
    let publishers: Set<String>?
    /// Who may notify others; nothing where the configuration does not say.
    let senders: Set<String>?
    /// Whether only this machine can reach the server: then whoever has signed in may do what nobody was named for.
    let isLocal: Bool

    func mayPublish(_ user: GatewayUser) -> Bool { publishers?.contains(user.name) ?? isLocal }

    func mayNotifyOthers(_ user: GatewayUser) -> Bool { senders?.contains(user.name) ?? isLocal }
}
