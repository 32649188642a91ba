package import NewsflashHTTPTransport
import NewsflashTimestamps
import NotificationHubs

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

    /// Whether it changes stored devices, hubs or sends.
    var changesWhatIsKept: Bool {
        switch self {
        case .registration(.create), .registration(.put), .registration(.delete): true
        case .installation(.put), .installation(.patch), .installation(.delete): true
        case .management(.put), .management(.delete): true
        case .schedule, .cancelScheduledSend: true
        case .registration, .installation, .management, .send, .telemetry, .feedbackContainer: false
        }
    }
}

/// A valid request about an installation.
enum InstallationWork {
    case get(String)
    case put(PreparedInstallation)
    case patch(String, InstallationPatch)
    case delete(String)
}

/// A valid request about registrations.
enum RegistrationWork {
    /// Creates an id for a later write.
    case createID
    case create(PreparedRegistration)
    case put(RegistrationName, PreparedRegistration, condition: ETagCondition?)
    case get(RegistrationName)
    case delete(RegistrationName, condition: ETagCondition?)
    case list(RegistrationList)
}

/// The condition in `If-Match`.
enum ETagCondition: Equatable {
    /// `*`: the registration must exist, with any ETag.
    case any
    case exactly(Int64)

    /// Parses `*`, `"3"`, `W/"3"` and `3`, because SDKs differ.
    ///
    /// - Throws: 400 for anything else.
    init(_ text: String) throws(HubFailure) {
        var digits = text[...]
        if digits.hasPrefix("W/") { digits = digits.dropFirst(2) }
        if digits.count >= 2, digits.first == "\"", digits.last == "\"" { digits = digits.dropFirst().dropLast() }
        if digits == "*" {
            self = .any
        } else if let number = Int64(digits) {
            self = .exactly(number)
        } else {
            throw HubFailure(400, "The value of the header If-Match is not an ETag.")
        }
    }

    func holds(for etag: Int64) -> Bool {
        switch self {
        case .any: true
        case .exactly(let wanted): wanted == etag
        }
    }
}

/// A valid request about the hubs themselves.
enum ManagementWork {
    case describe
    /// `If-Match: *` updates; without the header, the request creates.
    case put(isUpdate: Bool, HubSettings)
    case delete
    case list
    /// Import and export jobs; refused, because the emulator has no blob storage.
    case jobs
}

/// The settings in a hub's description that the emulator keeps; `nil` if a description lacks them.
struct HubSettings {
    var timeToLive: RegistrationTimeToLive?
    /// The elements of credentials.
    var credentials: String?
}

/// A received request, independent of the server.
package struct EmulatedRequest: Sendable, Equatable {
    /// The method.
    package var method: String
    /// The target as sent: percent-encoded, with the query; an absolute URL if the client sent one.
    package var target: String
    /// The header fields.
    package var headers: HTTPHeaders
    /// The body.
    package var body: [UInt8]
    /// Whether it arrived over HTTPS.
    package var isSecure = false

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - target: The target as sent.
    ///   - headers: The header fields.
    ///   - body: The body; empty if there is none.
    package init(method: String, target: String, headers: HTTPHeaders = [], body: [UInt8] = []) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
    }
}

/// A response, and when and how to send it.
package struct EmulatedAnswer: Sendable, Equatable {
    /// The response.
    package var response: HTTPResponse
    /// The delay before the response is sent.
    package var delay: Duration = .zero
    /// The point at which the connection is cut, after the delay; `nil` if it is not cut.
    package var cut: Fault.Cut?
    /// Whether a fault determined the response.
    package var isByFault = false
    /// The reason if the request was refused.
    var failure: HubFailure?
    /// Probable mistakes in an accepted request.
    var warnings: [String] = []
}
