/// Why a send was not accepted, or never left.
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
        /// The hub or the way to it said no; see ``HubError/reply``.
        public static let notAccepted = Code(rawValue: "not_accepted")
    }

    /// What happened.
    public let code: Code
    /// For the person on call: what failed and what to do. Without credentials.
    public let message: String
    /// What came back, where something was sent.
    public let reply: HubReply?
    /// Whether the same request may succeed later.
    public var isRetriable: Bool { reply?.verdict.isRetriable ?? false }

    init(_ code: Code, _ message: String, reply: HubReply? = nil) {
        self.code = code
        self.message = message
        self.reply = reply
    }

    init(_ error: HubMessageError) {
        self.init(.invalidMessage, error.description)
    }

    init(_ reply: HubReply) {
        self.init(.notAccepted, reply.description, reply: reply)
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
