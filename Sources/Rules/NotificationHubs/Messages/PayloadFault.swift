/// Why a push service would not take a payload. The hub has accepted the send by then: it shows in telemetry and test
/// sends only.
public struct PayloadFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// The outcome of the notification, as telemetry names it.
    public enum Kind: String, Sendable, CaseIterable {
        /// Over the platform's limit.
        case invalidSize = "InvalidNotificationSize"
        /// Not what the platform reads.
        case invalidFormat = "InvalidNotificationFormat"
    }

    /// The outcome.
    public let kind: Kind
    /// What is wrong, in words; shows no text of the payload but names.
    public let message: String

    /// The message with the outcome.
    public var description: String { "\(message) [\(kind.rawValue)]" }
}
