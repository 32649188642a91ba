import Timestamps

/// A request to the hub with what its target says.
struct HubCall {
    let request: EmulatedRequest
    let target: RequestTarget
    /// As the client knows the hub: with the port, where there is one.
    let host: String
    /// As the request spells it; compared without case.
    let hubName: String
    let apiVersion: String
    /// What it asks for; nothing where there is nothing to ask for.
    let operation: HubOperation?
    /// When it came in.
    let received: ContinuousClock.Instant

    /// Where a thing of the hub lies. Always https: the JavaScript SDK refuses another scheme, also from an emulator.
    func location(_ path: String) -> String {
        "https://\(host)/\(hubName)/\(path)?api-version=\(apiVersion)"
    }
}

/// Work that is in order but for the right to ask for it.
enum HubWork {
    case send(ReadSend)
    case schedule(ReadSend, at: Timestamp)
    case cancelScheduledSend(sequence: Int64, id: String)
    case telemetry(sequence: Int64, id: String)
    case registration(RegistrationWork)
    case installation(InstallationWork)
    case feedbackContainer
    case management(ManagementWork)

    /// Whether it changes what storage keeps.
    var changesWhatIsKept: Bool {
        switch self {
        case .registration(.create), .registration(.put), .registration(.delete): true
        case .installation(.put), .installation(.patch), .installation(.delete): true
        case .management(.put), .management(.delete): true
        case .registration, .installation, .management: false
        case .send, .schedule, .cancelScheduledSend, .telemetry, .feedbackContainer: false
        }
    }
}
