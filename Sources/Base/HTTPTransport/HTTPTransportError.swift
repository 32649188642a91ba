/// The reason why a request has no response.
public struct HTTPTransportError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of the error. Further codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The short label for metrics.
        public var rawValue: String

        /// Creates a code.
        ///
        /// - Parameter rawValue: The label, in snake case.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The URL or a header cannot be sent.
        public static let invalidRequest = Code(rawValue: "invalid_request")
        /// The host name has no address.
        public static let cannotResolve = Code(rawValue: "cannot_resolve")
        /// No connection could be opened in time, or it was refused.
        public static let cannotConnect = Code(rawValue: "cannot_connect")
        /// The peer's certificate or the TLS handshake was refused.
        public static let tlsFailed = Code(rawValue: "tls_failed")
        /// The first byte or the complete response did not arrive in time.
        public static let timedOut = Code(rawValue: "timed_out")
        /// The connection ended before the response was complete.
        public static let connectionLost = Code(rawValue: "connection_lost")
        /// The response is larger than allowed.
        public static let responseTooLarge = Code(rawValue: "response_too_large")
        /// The caller cancelled the request, or the transport was shut down.
        public static let cancelled = Code(rawValue: "cancelled")
        /// It was too late to start the request; see ``HTTPExchange/notAfter``.
        public static let notSentInTime = Code(rawValue: "not_sent_in_time")
        /// Any other error.
        public static let other = Code(rawValue: "other")
    }

    /// The kind of the error.
    public var code: Code
    /// The message for people: what failed, for which host, what to do. Contains no credentials.
    public var message: String
    /// Whether the server may have received the complete request, so that sending it again may repeat its effect.
    public var mayHaveBeenReceived: Bool

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of the error.
    ///   - message: The message for people; without credentials.
    ///   - mayHaveBeenReceived: Whether the server may have received the complete request.
    public init(_ code: Code, _ message: String, mayHaveBeenReceived: Bool) {
        self.code = code
        self.message = message
        self.mayHaveBeenReceived = mayHaveBeenReceived
    }

    /// The message, followed by the code.
    public var description: String { "\(message) [\(code.rawValue)]" }
}
