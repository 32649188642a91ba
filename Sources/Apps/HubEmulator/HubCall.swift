/// A request to the hub with what its target says.
struct HubCall {
    let request: EmulatedRequest
    let target: RequestTarget
    /// As the client knows the hub: with the port, where there is one.
    let host: String
    /// As the configuration spells it.
    let hubName: String
    let apiVersion: String
    /// What it asks for; nothing where there is nothing to ask for.
    let operation: HubOperation?

    /// What the signer's policy must allow; nothing where there is nothing to protect.
    var claim: Claim? { operation?.claim }
}

/// Work that is in order but for the right to ask for it.
enum HubWork {
    case send(ReadSend)
}
