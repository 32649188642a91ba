/// The failure of an operation on a hub.
public struct HubError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of the error.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The short label for metrics.
        public var rawValue: String

        /// Creates a code.
        ///
        /// - Parameter rawValue: The label, in snake case.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The hub's name is invalid.
        public static let invalidHubName = Code(rawValue: "invalid_hub_name")
        /// The message cannot be sent to this audience; nothing was sent.
        public static let invalidMessage = Code(rawValue: "invalid_message")
        /// The registration, the installation or its ID is invalid; nothing was sent.
        public static let invalidDevice = Code(rawValue: "invalid_device")
        /// The hub refused the request, or the request did not reach it; see ``HubError/reply``.
        public static let notAccepted = Code(rawValue: "not_accepted")
        /// The hub exists, but the requested object does not.
        public static let missing = Code(rawValue: "missing")
        /// The hub carried out the operation, but its response has an unexpected form.
        public static let unreadableAnswer = Code(rawValue: "unreadable_answer")
        /// The task was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
    }

    /// The kind of the error.
    public let code: Code
    /// The message for the person on call: what failed and what to do. Contains no credentials.
    public let message: String
    /// The last reply, if a request was sent.
    public let reply: HubReply?
    /// The operation; `nil` if the error occurred before a request was created.
    public let operation: HubClientOperation?
    /// The number of requests sent.
    public let attempts: Int
    /// Whether the hub may have carried out the operation in any of the attempts.
    public let mayHaveBeenAccepted: Bool

    /// Whether the same request may succeed later without intervention.
    public var isRetriable: Bool {
        switch code {
        case .notAccepted: reply?.status != 412 && reply?.verdict.isRetriable == true
        case .cancelled: true
        default: false
        }
    }

    /// The short label for metrics: the reply's label for ``Code/notAccepted``, otherwise ``code``.
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
        self.operation = operation
        self.attempts = attempts
        self.mayHaveBeenAccepted = mayHaveBeenAccepted ?? reply?.mayHaveBeenAccepted ?? false
    }

    init(_ error: HubMessageError) {
        self.init(.invalidMessage, error.description)
    }

    init(_ error: DeviceError, operation: HubClientOperation) {
        self.init(.invalidDevice, "\(operation.phrase) was not tried: \(error)", operation: operation)
    }

    init(_ reply: HubReply) {
        self.init(.notAccepted, reply.description, reply: reply, operation: .send, attempts: 1)
    }

    /// The message, followed by the code.
    public var description: String { "\(message) [\(code.rawValue)]" }
}

/// The hub's confirmation that it accepted a message. Does not say what was delivered to the devices.
public struct HubAcceptance: Sendable, Equatable {
    /// The message's ID for telemetry; only on the standard tier.
    public let notificationID: String?
    /// The service's ID of the request, for support.
    public let trackingID: String?
    /// The service's ID of the chain of requests, for support.
    public let correlationID: String?

    init(_ reply: HubReply) {
        self.notificationID = reply.notificationID
        self.trackingID = reply.trackingID
        self.correlationID = reply.correlationID
    }
}
