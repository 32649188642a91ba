/// Why a call to a hub did not come to what was asked, or never left.
public struct HubError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What happened.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The short label for metrics.
        public var rawValue: String

        /// Makes a code.
        ///
        /// - Parameter rawValue: A short label in snake case.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The hub's name cannot be one.
        public static let invalidHubName = Code(rawValue: "invalid_hub_name")
        /// The message cannot go to this audience; nothing was sent.
        public static let invalidMessage = Code(rawValue: "invalid_message")
        /// The registration, the installation or its id cannot be; nothing was sent.
        public static let invalidDevice = Code(rawValue: "invalid_device")
        /// The hub or the way to it said no; see ``HubError/reply``.
        public static let notAccepted = Code(rawValue: "not_accepted")
        /// The hub is there, but not what was asked for in it.
        public static let missing = Code(rawValue: "missing")
        /// The hub did what was asked, but its answer is not of the known form.
        public static let unreadableAnswer = Code(rawValue: "unreadable_answer")
        /// The task was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
    }

    /// What happened.
    public let code: Code
    /// For the person on call: what failed and what to do. Without credentials.
    public let message: String
    /// What came back last, where something was sent.
    public let reply: HubReply?
    /// What was asked of the hub; nothing where there is no request yet.
    public let operation: HubClientOperation?
    /// How many requests were sent.
    public let attempts: Int
    /// Whether the hub may have done what was asked, in any of the attempts.
    public let mayHaveBeenAccepted: Bool

    /// Whether the same request may succeed later without anyone's doing.
    public var isRetriable: Bool {
        switch code {
        case .notAccepted: reply?.status != 412 && reply?.verdict.isRetriable == true
        case .cancelled: true
        default: false
        }
    }

    /// The short label for metrics: what the hub or the way to it said, else ``code``.
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

    /// The message with the label.
    public var description: String { "\(message) [\(code.rawValue)]" }
}

/// That the hub has taken a message. What became of it on the devices it does not say.
public struct HubAcceptance: Sendable, Equatable {
    /// Names the message for telemetry; only on the standard tier.
    public let notificationID: String?
    /// The service's own name for the request; support asks for it.
    public let trackingID: String?
    /// The service's name for the chain of requests; support asks for it.
    public let correlationID: String?

    init(_ reply: HubReply) {
        self.notificationID = reply.notificationID
        self.trackingID = reply.trackingID
        self.correlationID = reply.correlationID
    }
}
