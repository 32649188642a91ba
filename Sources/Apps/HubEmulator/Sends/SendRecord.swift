package import HTTPTransport
package import NotificationHubs
package import Timestamps

/// An accepted send.
package struct SendRecord: Sendable {
    /// The sequence number, from one; a reset does not restart it.
    package var sequence: Int64
    /// The time of acceptance.
    package var time: Timestamp
    /// The name of the hub that it was sent to.
    package var hub: String
    /// By tags, to one handle, or to many.
    package var kind: SendKind
    /// Whether it was a test send.
    package var isTest: Bool
    /// The format of the body.
    package var format: PushFormat
    /// The tag expression; `nil` for a broadcast and for direct sends.
    package var expression: TagExpression?
    /// The handles of a direct send.
    package var handles: [String]
    /// The headers that are forwarded to the platforms.
    package var headers: HTTPHeaders
    /// The body; for a batch, only the notification.
    package var body: [UInt8]
    /// The client's tracking id, if it sent one.
    package var clientTrackingID: String?
    /// The hub's tracking id for the request.
    package var trackingID: String
    /// The hub's id of the notification; returned in `Location` in the standard tier only.
    package var notificationID: String
    /// The time that the hub took to accept it.
    package var acceptance: Duration = .zero
    /// Its progress and outcomes.
    package var progress = SendProgress()

    /// Whether it is a probe, which only tests the hub and reaches no device.
    package var isProbe: Bool { expression == TagExpression(.probe) }

    /// The body as text.
    package var text: String { String(decoding: body, as: UTF8.self) }
}
