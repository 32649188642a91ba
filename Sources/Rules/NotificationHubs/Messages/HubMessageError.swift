/// Why a message cannot be built. Never shows the message's text.
public struct HubMessageError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The short label for metrics.
        public var rawValue: String

        /// Makes a code.
        ///
        /// - Parameter rawValue: A short label in snake case.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// There is no body.
        public static let empty = Code(rawValue: "message_empty")
        /// The body is over ``HubMessage/maximumBytes``.
        public static let tooLarge = Code(rawValue: "message_too_large")
        /// A header cannot be sent or is not the caller's to set.
        public static let invalidHeader = Code(rawValue: "message_invalid_header")
        /// The name of a template property is not allowed or stands twice.
        public static let invalidProperty = Code(rawValue: "message_invalid_property")
        /// The body is not what the platform takes.
        public static let invalidBody = Code(rawValue: "message_invalid_body")
        /// There are no device handles, too many, or one that cannot be.
        public static let invalidHandle = Code(rawValue: "message_invalid_handle")
    }

    /// What is wrong.
    public let code: Code
    /// What is wrong and what is allowed.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    static func tooLarge(_ count: Int) -> HubMessageError {
        HubMessageError(.tooLarge, "the message has \(count) bytes, the hub takes at most \(HubMessage.maximumBytes)")
    }

    /// The message with the label.
    public var description: String { "\(message) [\(code.rawValue)]" }
}
