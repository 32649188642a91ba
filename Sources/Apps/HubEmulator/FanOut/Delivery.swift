package import NotificationHubs
package import Timestamps

/// What one device got of one send, or why it got nothing.
package struct Delivery: Sendable {
    /// Grows by one a delivery, from one.
    package var sequence: Int64 = 0
    /// The send's ``SendRecord/sequence``.
    package var send: Int64
    /// The hub's name of the message.
    package var notificationID: String
    /// The hub, as a key: in lower case.
    var hub: String
    /// When the fan-out came to it.
    package var time: Timestamp
    /// The registration; nothing for a handle that only a direct send knows.
    var registration: RegistrationName?
    /// The installation that the registration, or the handle of a direct send, belongs to.
    package var installationID: String?
    /// The push service.
    package var platform: PushPlatform
    /// Where the device is reached.
    package var handle: String
    /// The template's name, where it has one.
    package var template: String?
    /// What became of it.
    package var outcome: DeliveryOutcome
    /// Headers and body for the push service; shared by all devices that get the same.
    package var notification: PlatformNotification

    /// The registration's id.
    package var registrationID: String? { registration?.description }
}

/// Headers and body as a push service gets them.
package final class PlatformNotification: Sendable {
    /// Such as `apns-collapse-id`; names in lower case.
    package let headers: [NamedValue]
    /// The payload.
    package let body: [UInt8]
    /// Why the platform does not take it, if it does not.
    package let fault: PayloadFault?
    /// What looks wrong in the template that made it, such as an expression amid plain text.
    package let warnings: [String]

    /// Makes a notification and holds it to its platform.
    ///
    /// - Parameters:
    ///   - headers: Names in lower case.
    ///   - body: The payload.
    ///   - platform: Where it goes.
    ///   - bound: Where body or headers were made only so far, since that is too large for any platform.
    ///   - warnings: What looks wrong in the template that made it.
    package init(
        headers: [NamedValue],
        body: [UInt8],
        platform: PushPlatform,
        cutAt bound: Int? = nil,
        warnings: [String] = []
    ) {
        self.headers = headers
        self.body = body
        self.warnings = warnings
        self.fault =
            if let bound {
                PayloadCheck.fault(ofMoreThan: bound, headers: headers, for: platform)
            } else {
                PayloadCheck.fault(in: body, headers: headers, for: platform)
            }
    }

    /// The payload as text.
    package var text: String { String(decoding: body, as: UTF8.self) }
}
