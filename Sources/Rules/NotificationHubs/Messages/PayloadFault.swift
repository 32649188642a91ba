/// The reason why a push service rejects a payload. The hub has accepted the send by then, so the fault appears only in
/// telemetry and test sends.
public struct PayloadFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// The outcome of the notification, as in telemetry.
    public enum Kind: String, Sendable, CaseIterable {
        /// The payload exceeds the platform's limit.
        case invalidSize = "InvalidNotificationSize"
        /// The platform cannot decode the payload.
        case invalidFormat = "InvalidNotificationFormat"
    }

    /// The outcome.
    public let kind: Kind
    /// The fault; contains names from the payload, but no other text of it.
    public let message: String

    /// The message, followed by the outcome.
    public var description: String { "\(message) [\(kind.rawValue)]" }
}
