package import HTTPTransport
package import NotificationHubs
package import Timestamps

/// One accepted send.
package struct SendRecord: Sendable {
    /// Grows by one a send, from one; a reset does not begin it anew.
    package var sequence: Int64
    /// When it was accepted.
    package var time: Timestamp
    /// The name of the hub that it was sent to.
    package var hub: String
    /// By tags, to one handle, or to many.
    package var kind: SendKind
    /// Whether it was a test send.
    package var isTest: Bool
    /// What the body is written for.
    package var format: PushFormat
    /// Whom it is for; nothing for a broadcast and for direct sends.
    package var expression: TagExpression?
    /// The handles of a direct send.
    package var handles: [String]
    /// Those that travel on to the platforms.
    package var headers: HTTPHeaders
    /// The body; of a batch only the notification.
    package var body: [UInt8]
    /// What the client called the request, where it did.
    package var clientTrackingID: String?
    /// What the hub called the request.
    package var trackingID: String
    /// What the hub called the message; in `Location` on the standard tier only.
    package var notificationID: String
    /// How long the hub took to accept it.
    package var acceptance: Duration = .zero
    /// How far it is, and what became of it on its targets.
    package var progress = SendProgress()

    /// Whether it only asked if the hub takes requests, and is for nobody.
    package var isProbe: Bool { expression == TagExpression(.probe) }

    /// The body as text.
    package var text: String { String(decoding: body, as: UTF8.self) }
}
