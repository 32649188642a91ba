import NewsflashStrictXML
public import NewsflashTimestamps
import NotificationHubsCore

/// The telemetry of one message. The numbers grow until the state is final.
///
/// ```swift
/// if let telemetry = try await hub.telemetry(of: id), telemetry.isFinal {
///     print(telemetry.count(of: "Success"), telemetry.outcomes[.apns] ?? [:])
/// }
/// ```
public struct NotificationTelemetry: Sendable, Equatable, CustomStringConvertible {
    /// The message's ID.
    public let id: String
    /// The progress of the message: `Enqueued`, `Scheduled` (waits for its time), `Processing`, `Completed`, `Canceled`,
    /// `Abandoned` (not sent in time), `NoTargetFound` (no device matches), `Unknown`, or a newer one.
    public let state: String
    /// When the hub accepted the message.
    public let enqueued: Timestamp?
    /// When the hub sent to the first device.
    public let started: Timestamp?
    /// When the hub sent to the last device.
    public let ended: Timestamp?
    /// The message itself. Contains text of news: do not log it.
    public let body: String?
    /// The tag expression; `nil` for a broadcast.
    public let tags: String?
    /// The platforms by the hub's names: `apple`, or for templates `appletemplate`.
    public let targetPlatforms: [String]
    /// The number of devices by platform and outcome: `Success` (passed to the push service), `Skipped` (sent to the same
    /// handle before), `WrongToken`, `ExpiredChannel`, …
    ///
    /// Source: https://learn.microsoft.com/rest/api/notificationhubs/get-notification-message-telemetry
    public let outcomes: [PushPlatform: [String: Int]]
    /// The link to the push services' errors. It contains a signature: do not log it.
    public let errorDetailsURL: String?
    /// The hub's response as received: XML, `NotificationDetails`.
    public let document: [UInt8]

    /// Whether the state is final.
    public var isFinal: Bool { ["Completed", "Canceled", "Abandoned", "NoTargetFound"].contains(state) }

    /// Creates telemetry, for a test double.
    ///
    /// - Parameters:
    ///   - id: The message's ID.
    ///   - state: The hub's name of the state.
    ///   - outcomes: The number of devices by platform and outcome.
    public init(id: String, state: String, outcomes: [PushPlatform: [String: Int]] = [:]) {
        self.id = id
        self.state = state
        self.outcomes = outcomes
        (enqueued, started, ended, body, tags, errorDetailsURL) = (nil, nil, nil, nil, nil, nil)
        (targetPlatforms, document) = ([], [])
    }

    /// Returns the number of devices with an outcome, over all platforms.
    ///
    /// - Parameter outcome: The outcome, for example `Success`.
    /// - Returns: The sum.
    public func count(of outcome: String) -> Int {
        outcomes.values.reduce(0) { $0.addingReportingOverflow($1[outcome] ?? 0).partialValue }
    }

    /// ID, state and numbers, without the message.
    public var description: String {
        let counts = outcomes.sorted { $0.key.rawValue < $1.key.rawValue }.map { platform, counts in
            let numbers = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            return "\(platform.rawValue): \(numbers.joined(separator: ", "))"
        }
        return (["\(id) \(state)"] + counts).joined(separator: "; ")
    }
}

extension NotificationTelemetry {
    /// Decodes the response. Its format is that of the data contracts of the .NET and Java SDKs. Members of another form are
    /// skipped; ``document`` contains them.
    ///
    /// - Parameters:
    ///   - document: The response.
    ///   - id: The message's ID in the request.
    /// - Throws: ``HubDocumentError`` if it is another document.
    init(document: [UInt8], id: String) throws(HubDocumentError) {
        let details = try HubDocument(document, root: "NotificationDetails")
        self.id = details.text("NotificationId") ?? id
        // The .NET SDK uses the British spelling.
        let state = details.text("State") ?? "Unknown"
        self.state = state == "Cancelled" ? "Canceled" : state
        self.enqueued = details.time("EnqueueTime")
        self.started = details.time("StartTime")
        self.ended = details.time("EndTime")
        self.body = details.text("NotificationBody")
        self.tags = details.text("Tags")
        let platforms = details.text("TargetPlatforms") ?? ""
        self.targetPlatforms = platforms.split(separator: ",").map { String($0.trimmed) }
        var outcomes: [PushPlatform: [String: Int]] = [:]
        for counts in details.element.elements {
            guard let platform = Self.platform(of: String(counts.localName)) else { continue }
            for outcome in HubDocument(counts).elements("Outcome") {
                guard let name = outcome.text("Name"), let count = outcome.count("Count") else { continue }
                let sum = outcomes[platform, default: [:]][name, default: 0]
                    .addingReportingOverflow(count)
                outcomes[platform, default: [:]][name] = sum.overflow ? .max : sum.partialValue
            }
        }
        self.outcomes = outcomes
        self.errorDetailsURL = details.text("PnsErrorDetailsUri")
        self.document = document
    }

    /// Returns the platform of an element of counts, such as `FcmV1OutcomeCounts`; it may be one that this version does not
    /// know.
    private static func platform(of element: String) -> PushPlatform? {
        let suffix = "OutcomeCounts"
        guard element.hasSuffix(suffix), element.count > suffix.count else { return nil }
        return PlatformFacts.all.first { $0.outcomeElements.contains(element) }?.platform
            ?? PushPlatform(rawValue: String(element.dropLast(suffix.count)))
    }
}

/// The outcome of a test send on each of its devices, at most ten.
///
/// ```swift
/// let outcome = try await hub.test(message, to: .tags(TagExpression(parsing: "testers")))
/// print(outcome.success, outcome.failure)
/// ```
public struct TestSendOutcome: Sendable, Equatable, CustomStringConvertible {
    /// The number of devices for which the message was passed to the push service.
    public let success: Int
    /// The number of other devices.
    public let failure: Int
    /// The results, one for each device.
    public let results: [Result]
    /// The hub's IDs of the message.
    public let acceptance: HubAcceptance
    /// The hub's response as received: XML, `NotificationOutcome`.
    public let document: [UInt8]

    /// The outcome of a test send on one device.
    ///
    /// ```swift
    /// for result in try await hub.test(message, to: .broadcast).results { print(result.platform, result.outcome) }
    /// ```
    public struct Result: Sendable, Equatable {
        /// The platform by the hub's name: `apple`, or for a template `appletemplate`.
        public let platform: String
        /// The device's handle.
        public let handle: String
        /// The ID of the registration that was used.
        public let registrationID: String
        /// The push service's response, as reported by the hub.
        public let outcome: String

        /// Creates a result, for a test double.
        public init(platform: String, handle: String, registrationID: String = "", outcome: String) {
            self.platform = platform
            self.handle = handle
            self.registrationID = registrationID
            self.outcome = outcome
        }
    }

    /// Creates an outcome, for a test double.
    ///
    /// - Parameters:
    ///   - success: The number of devices for which the message was passed to the push service.
    ///   - failure: The number of other devices.
    ///   - results: The results, one for each device.
    public init(success: Int, failure: Int = 0, results: [Result] = []) {
        self.success = success
        self.failure = failure
        self.results = results
        self.acceptance = HubAcceptance()
        self.document = []
    }

    /// Decodes the response to a test send. Its format is that of the data contract of the .NET SDK.
    ///
    /// - Throws: ``HubDocumentError`` if it is another document, or does not contain the numbers.
    init(document: [UInt8], acceptance: HubAcceptance) throws(HubDocumentError) {
        let outcome = try HubDocument(document, root: "NotificationOutcome")
        guard let success = outcome.count("Success"), let failure = outcome.count("Failure") else {
            throw HubDocumentError("Success or Failure is not a count")
        }
        self.success = success
        self.failure = failure
        self.results = (outcome.elements("Results").first?.elements("RegistrationResult") ?? []).map { result in
            Result(
                platform: result.text("ApplicationPlatform") ?? "",
                handle: result.text("PnsHandle") ?? "",
                registrationID: result.text("RegistrationId") ?? "",
                outcome: result.text("Outcome") ?? ""
            )
        }
        self.acceptance = acceptance
        self.document = document
    }

    /// The two numbers, without handles.
    public var description: String { "\(success) sent, \(failure) not sent" }
}
