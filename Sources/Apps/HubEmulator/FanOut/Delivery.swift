package import NotificationHubs
package import Timestamps

/// The delivery of one send to one device, with its outcome.
package struct Delivery: Sendable {
    /// The sequence number, from one.
    package var sequence: Int64 = 0
    /// The send's ``SendRecord/sequence``.
    package var send: Int64
    /// The hub's id of the notification.
    package var notificationID: String
    /// The hub's name in lower case.
    var hub: String
    /// The time at which the fan-out processed the device.
    package var time: Timestamp
    /// The registration; `nil` for an unregistered handle of a direct send.
    var registration: RegistrationName?
    /// The installation that the registration, or the handle of a direct send, belongs to.
    package var installationID: String?
    /// The push service.
    package var platform: PushPlatform
    /// The handle of the device.
    package var handle: String
    /// The name of the template, if it has one.
    package var template: String?
    /// The outcome.
    package var outcome: DeliveryOutcome
    /// Headers and body for the push service; shared by all devices that receive the same notification.
    package var notification: PlatformNotification

    /// The registration's id.
    package var registrationID: String? { registration?.description }
}

/// Headers and body as sent to a push service.
package final class PlatformNotification: Sendable {
    /// The headers, such as `apns-collapse-id`; names in lower case.
    package let headers: [NamedValue]
    /// The payload.
    package let body: [UInt8]
    /// The reason if the platform would reject it.
    package let fault: PayloadFault?
    /// Possible mistakes in its template, such as an expression within plain text.
    package let warnings: [String]

    /// Creates a notification and validates it for its platform.
    ///
    /// - Parameters:
    ///   - headers: The headers; names in lower case.
    ///   - body: The payload.
    ///   - platform: The platform.
    ///   - bound: The size in bytes at which rendering stopped, if body or headers are too large for any platform.
    ///   - warnings: Possible mistakes in its template.
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
