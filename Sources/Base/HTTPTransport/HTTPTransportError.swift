/// Why a request has no answer.
public struct HTTPTransportError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What went wrong, closed enough to decide on, open enough to grow.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The short label for metrics.
        public var rawValue: String

        /// Makes a code.
        ///
        /// - Parameter rawValue: A short label in snake case.
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
        /// The first byte or the whole answer did not come in time.
        public static let timedOut = Code(rawValue: "timed_out")
        /// The connection ended before the answer was whole.
        public static let connectionLost = Code(rawValue: "connection_lost")
        /// The answer is larger than allowed.
        public static let responseTooLarge = Code(rawValue: "response_too_large")
        /// The caller cancelled it, or the transport was shut down first.
        public static let cancelled = Code(rawValue: "cancelled")
        /// It was too late to begin with it; see ``HTTPExchange/notAfter``.
        public static let notSentInTime = Code(rawValue: "not_sent_in_time")
        /// Anything else.
        public static let other = Code(rawValue: "other")
    }

    /// What went wrong.
    public var code: Code
    /// For a person: what failed, against which host, what to do. Holds no credentials.
    public var message: String
    /// Whether the server may have received the request whole, so that sending it again may do its work twice.
    public var mayHaveBeenReceived: Bool

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: What went wrong.
    ///   - message: For a person; no credentials.
    ///   - mayHaveBeenReceived: Whether the server may have the whole request.
    public init(_ code: Code, _ message: String, mayHaveBeenReceived: Bool) {
        self.code = code
        self.message = message
        self.mayHaveBeenReceived = mayHaveBeenReceived
    }

    /// The message with its label.
    public var description: String { "\(message) [\(code.rawValue)]" }
}
