import Timestamps

/// A request to the hub with its parsed target.
struct HubCall {
    let request: EmulatedRequest
    let target: RequestTarget
    /// The host as the client addressed it, with the port if given.
    let host: String
    /// The name of the hub as spelled in the request; compared case-insensitively.
    let hubName: String
    let apiVersion: String
    /// The requested operation; `nil` if the target is unknown.
    let operation: HubOperation?
    /// The time of arrival.
    let received: ContinuousClock.Instant

    /// Returns the URL of a resource. Always https: the JavaScript SDK rejects any other scheme, even from an emulator.
    func location(_ path: String) -> String {
        "https://\(host)/\(hubName)/\(path)?api-version=\(apiVersion)"
    }
}

/// A valid request that has not been authorized yet.
enum HubWork {
    case send(ReadSend)
    case schedule(ReadSend, at: Timestamp)
    case cancelScheduledSend(sequence: Int64, id: String)
    case telemetry(sequence: Int64, id: String)
    case registration(RegistrationWork)
    case installation(InstallationWork)
    case feedbackContainer
    case management(ManagementWork)

    /// Whether it changes the stored devices or hubs.
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
