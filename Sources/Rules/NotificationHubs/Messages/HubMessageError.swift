/// An invalid message. The error does not contain the message's text.
public struct HubMessageError: Error, Sendable, Equatable, CustomStringConvertible {
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

        /// There is no body.
        public static let empty = Code(rawValue: "message_empty")
        /// The body exceeds ``HubMessage/maximumBytes``.
        public static let tooLarge = Code(rawValue: "message_too_large")
        /// A header cannot be sent, or is reserved for the client.
        public static let invalidHeader = Code(rawValue: "message_invalid_header")
        /// The name of a template property is invalid or occurs twice.
        public static let invalidProperty = Code(rawValue: "message_invalid_property")
        /// The body is invalid for the platform.
        public static let invalidBody = Code(rawValue: "message_invalid_body")
        /// There are no device handles, too many, or an invalid one.
        public static let invalidHandle = Code(rawValue: "message_invalid_handle")
    }

    /// The kind of the error.
    public let code: Code
    /// The fault and the allowed values.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    static func tooLarge(_ count: Int) -> HubMessageError {
        HubMessageError(.tooLarge, "the message has \(count) bytes; the hub accepts at most \(HubMessage.maximumBytes)")
    }

    /// The message, followed by the code.
    public var description: String { "\(message) [\(code.rawValue)]" }
}
