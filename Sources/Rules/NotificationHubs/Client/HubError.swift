import NewsflashHTTPTransport
public import NewsflashTimestamps
public import NotificationHubsCore

/// The failure of an operation on a hub.
///
/// ```swift
/// do {
///     try await hub.send(message, to: .broadcast)
/// } catch {
///     print(error.label, error.status ?? 0, error.isRetriable, error.mayHaveBeenAccepted)
/// }
/// ```
public struct HubError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of an error.
    public typealias Code = HubErrorCode

    /// The kind of the error.
    public let code: Code
    /// The message for the person on call: what failed and what to do. Contains no credentials, no handle or ID of a device,
    /// and no text of a message. Of the response to a message it contains known phrases only; see ``serviceText``.
    public let message: String
    /// The last reply, if a request was sent.
    package let reply: HubReply?
    /// The status of the last response; `nil` without a response.
    public let status: Int?
    /// The operation; `nil` if the error occurred before a request was created.
    public let operation: HubClientOperation?
    /// The number of requests sent.
    public let attempts: Int
    /// Whether the hub may have carried out the operation in any of the attempts.
    public let mayHaveBeenAccepted: Bool

    /// The service's ID of the last request, for support.
    public var trackingID: String? { reply?.trackingID }
    /// The pause that the service requested.
    public var retryAfter: Duration? { reply?.retryAfter }
    /// The body of the last response if it was not a success, at most 8192 bytes. It may repeat anything of the request: do not
    /// log it.
    public var responseBody: [UInt8] { reply?.body ?? [] }
    /// The words of the service in ``responseBody``, for the person who can change the request: one line of at most 512
    /// characters, without credentials and device handles. A text of the message may be repeated there, so a program that sends
    /// news must not log it.
    public var serviceText: String { reply?.serviceText ?? "" }

    /// Whether the same request may succeed later without intervention.
    public var isRetriable: Bool {
        switch code {
        case .notAccepted: reply?.status != 412 && reply?.verdict.isRetriable == true
        case .cancelled: true
        default: false
        }
    }

    /// The short label for metrics: the reply's label for ``HubErrorCode/notAccepted``, otherwise ``code``.
    public var label: String {
        guard code == .notAccepted, let reply else { return code.rawValue }
        return switch reply.status {
        case 409: "conflict"
        case 412: "precondition_failed"
        default: reply.label
        }
    }

    init(
        _ code: Code,
        _ message: String,
        reply: HubReply? = nil,
        operation: HubClientOperation? = nil,
        attempts: Int = 0,
        mayHaveBeenAccepted: Bool? = nil
    ) {
        self.code = code
        self.message = message
        self.reply = reply
        self.status = reply?.status
        self.operation = operation
        self.attempts = attempts
        self.mayHaveBeenAccepted = mayHaveBeenAccepted ?? reply?.mayHaveBeenAccepted ?? false
    }

    /// Creates an error, for a test double.
    ///
    /// ```swift
    /// let busy = HubError(.notAccepted, "the hub is busy", operation: .send, status: 503)
    /// ```
    ///
    /// - Parameters:
    ///   - code: The kind of the error.
    ///   - message: The message for the person on call.
    ///   - operation: The operation.
    ///   - status: The status of the response; `nil` without a response.
    ///   - mayHaveBeenAccepted: Whether the hub may have carried out the operation.
    public init(
        _ code: Code,
        _ message: String,
        operation: HubClientOperation,
        status: Int?,
        mayHaveBeenAccepted: Bool = false
    ) {
        self.code = code
        self.message = message
        self.reply = status.map { HubReply(HTTPResponse(status: $0), now: Timestamp(seconds: 0)) }
        self.status = status
        self.operation = operation
        self.attempts = 1
        self.mayHaveBeenAccepted = mayHaveBeenAccepted
    }

    init(_ error: HubValueError) {
        self.init(.invalidMessage, error.description)
    }

    init(_ error: HubValueError, operation: HubClientOperation) {
        self.init(.invalidDevice, "\(operation.phrase) was not tried: \(error)", operation: operation)
    }

    /// The message, followed by the code.
    public var description: String { "\(message) [\(code.rawValue)]" }
}

/// The hub's confirmation that it accepted a message. Does not say what was delivered to the devices.
///
/// ```swift
/// let sent = try await hub.send(message, to: .broadcast)
/// if let id = sent.notificationID, let telemetry = try await hub.telemetry(of: id) { print(telemetry) }
/// ```
public struct HubAcceptance: Sendable, Equatable {
    /// The message's ID for telemetry and for ``NotificationHubClient/cancelScheduled(_:)``; only on the standard tier.
    public let notificationID: String?
    /// The service's ID of the request, for support.
    public let trackingID: String?
    /// The service's ID of the chain of requests, for support.
    public let correlationID: String?
    /// When a scheduled message is sent: a whole second; `nil` for other messages.
    public let scheduledTime: Timestamp?

    /// Creates a confirmation, for a test double.
    ///
    /// - Parameters:
    ///   - notificationID: The message's ID.
    ///   - trackingID: The service's ID of the request.
    ///   - correlationID: The service's ID of the chain of requests.
    ///   - scheduledTime: When a scheduled message is sent.
    public init(
        notificationID: String? = nil,
        trackingID: String? = nil,
        correlationID: String? = nil,
        scheduledTime: Timestamp? = nil
    ) {
        self.notificationID = notificationID
        self.trackingID = trackingID
        self.correlationID = correlationID
        self.scheduledTime = scheduledTime
    }

    init(_ reply: HubReply, scheduled time: Timestamp? = nil) {
        self.init(
            notificationID: reply.notificationID,
            trackingID: reply.trackingID,
            correlationID: reply.correlationID,
            scheduledTime: time
        )
    }
}

// Messages for the person on call: what failed, where, why, what to do.

extension HubError {
    /// An operation that the hub did not accept, or that did not reach it.
    ///
    /// - Parameters:
    ///   - code: ``HubErrorCode/notAccepted`` or ``HubErrorCode/missing``.
    ///   - reply: The last reply.
    ///   - attempts: The attempts so far.
    ///   - hidden: Texts of the request that the message must not contain: the ID and the handle of a device.
    ///   - hubURL: The hub's URL.
    init(
        _ code: Code,
        _ reply: HubReply,
        _ attempts: HubAttempts,
        hiding hidden: [String] = [],
        at hubURL: String
    ) {
        let operation = attempts.operation
        let cause = code == .missing ? operation.absence : operation.cause(of: reply)
        // The response to a message may repeat words of news.
        let words = operation.sendsMessage || reply.body.isEmpty ? reply.detail : reply.serviceText(hiding: hidden)
        var text = "\(operation.phrase) at \(hubURL) failed: \(cause); \(reply.description(with: words))"
        if attempts.failures > 1 { text += "; \(attempts.failures) attempts" }
        if attempts.mayHaveBeenAccepted, reply.verdict != .unknown { text += "; one of them may have been carried out" }
        self.init(
            code,
            text,
            reply: reply,
            operation: operation,
            attempts: attempts.failures,
            mayHaveBeenAccepted: attempts.mayHaveBeenAccepted
        )
    }

    /// An operation whose task was cancelled.
    ///
    /// - Parameters:
    ///   - attempts: The attempts so far.
    ///   - reply: The last reply, if any.
    ///   - hubURL: The hub's URL.
    init(cancelled attempts: HubAttempts, last reply: HubReply?, at hubURL: String) {
        let state =
            attempts.mayHaveBeenAccepted
            ? "it may have been carried out or not" : "it was not carried out"
        self.init(
            .cancelled,
            "\(attempts.operation.phrase) at \(hubURL) was cancelled: \(state)",
            reply: reply,
            operation: attempts.operation,
            attempts: attempts.failures,
            mayHaveBeenAccepted: attempts.mayHaveBeenAccepted
        )
    }

    /// An operation that the hub carried out, but whose response cannot be decoded.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - fault: The fault of the response; does not quote it.
    ///   - answer: The hub's response.
    ///   - hubURL: The hub's URL.
    init(unreadable operation: HubClientOperation, _ fault: String, _ answer: HubAnswer, at hubURL: String) {
        self.init(
            .unreadableAnswer,
            "\(operation.phrase) at \(hubURL) got a response of an unknown format: \(fault); is there a hub at this address? "
                + "\(answer.reply)",
            reply: answer.reply,
            operation: operation,
            attempts: answer.attempts
        )
    }
}

extension HubReply {
    /// The words of the service without some texts of the request.
    fileprivate func serviceText(hiding hidden: [String]) -> String {
        hidden.filter { $0.utf8.count >= 8 }.reduce(serviceText) { text, part in
            text.replacing(part, with: "<redacted>").replacing(part.uppercased(), with: "<redacted>")
        }
    }
}

extension HubClientOperation {
    /// The operation as the start of an error message.
    var phrase: String {
        switch self {
        case .send: "sending a message"
        case .testSend: "a test send"
        case .scheduleSend: "scheduling a message"
        case .cancelScheduledSend: "cancelling a scheduled message"
        case .telemetry: "reading a message's telemetry"
        case .createRegistrationID: "requesting a registration ID"
        case .createRegistration: "creating a registration"
        case .upsertRegistration, .updateRegistration: "writing a registration"
        case .readRegistration: "reading a registration"
        case .deleteRegistration: "deleting a registration"
        case .listRegistrations: "listing registrations"
        case .listRegistrationsOfChannel: "listing a device's registrations"
        case .readInstallation: "reading an installation"
        case .putInstallation: "writing an installation"
        case .patchInstallation: "changing an installation"
        case .deleteInstallation: "deleting an installation"
        case .readFeedbackContainer: "reading the URL of the feedback container"
        case .submitJob: "submitting a job"
        case .readJob: "reading a job"
        case .listJobs: "listing jobs"
        case .readHub: "reading the hub's description"
        case .createHub: "creating the hub"
        case .updateHub: "changing the hub's settings"
        case .deleteHub: "deleting the hub"
        case .listHubs: "listing hubs"
        }
    }

    /// The message for an object that does not exist.
    var absence: String {
        switch self {
        case .cancelScheduledSend:
            "no such message is scheduled: it may have been sent or cancelled"
        case .telemetry: "the hub has no telemetry of the message, or not yet"
        case .readJob: "the hub has no such job"
        case .readInstallation, .putInstallation, .patchInstallation, .deleteInstallation:
            "the installation does not exist: write it completely"
        default: "the registration does not exist: create it again"
        }
    }

    /// The cause of a failure, and what to do.
    func cause(of reply: HubReply) -> String {
        switch reply.verdict {
        case .accepted: "the response could not be used"
        case .throttled: "the hub accepts no more calls for now: wait, and send fewer at a time"
        case .refused: refusal(reply)
        case .unauthorized:
            reply.status == 407
                ? "the proxy requires credentials: see the transport's proxy"
                : "the hub does not accept the token: check key, policy name and this machine's clock"
        case .forbidden:
            "the policy lacks the claim \(claim), or the tier lacks the operation, or its quota is used up"
        case .notFound: "no hub exists at this address: check the endpoint and the hub's name"
        case .gone: "the registration ID has expired: request a new one and register with it"
        case .unavailable: trouble(reply)
        case .notSent: "the request was not started: the time was over, or the transport is shut down"
        case .unknown: "the connection ended before the response: the request may have been carried out or not"
        }
    }

    private func refusal(_ reply: HubReply) -> String {
        if reply.status == nil { return "the request cannot be sent: check the endpoint" }
        return switch self {
        case .send, .testSend, .scheduleSend: "the hub refuses this message, and will refuse it again: change it"
        case .createRegistration, .upsertRegistration, .updateRegistration:
            "the hub refuses this registration: change it"
        case .putInstallation, .patchInstallation: "the hub refuses this installation: change it"
        default: "the hub refuses the request: check the ID"
        }
    }

    private func trouble(_ reply: HubReply) -> String {
        switch reply.status {
        case 409 where self == .createHub: "a hub of this name exists"
        case 409: "it conflicts with another write of the same object: wait before the next one"
        case 412: "it was changed after it was read: read it again, then decide"
        case nil: "the hub cannot be reached: check network, host name and proxy"
        default: "the hub, or a server in between, is unavailable: try again later"
        }
    }
}
