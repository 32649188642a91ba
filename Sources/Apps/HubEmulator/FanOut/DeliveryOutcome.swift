/// The outcome of a notification for one device, with the service's names.
///
/// Source: https://learn.microsoft.com/rest/api/notificationhubs/get-notification-message-telemetry
package struct DeliveryOutcome: RawRepresentable, Hashable, Sendable {
    /// The name in the telemetry.
    package var rawValue: String

    /// Creates an outcome.
    ///
    /// - Parameter rawValue: The name in the telemetry; the service's list is open-ended.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The push service accepted it.
    package static let success = DeliveryOutcome(rawValue: "Success")
    /// The payload exceeds the platform's limit.
    package static let invalidNotificationSize = DeliveryOutcome(rawValue: "InvalidNotificationSize")
    /// The platform cannot parse the payload.
    package static let invalidNotificationFormat = DeliveryOutcome(rawValue: "InvalidNotificationFormat")
    /// The same handle already has this notification.
    package static let skipped = DeliveryOutcome(rawValue: "Skipped")
    /// It expired before it could be delivered.
    package static let dropped = DeliveryOutcome(rawValue: "Dropped")

    /// Whether the push service reported the handle as invalid; such outcomes are in the feedback container.
    var isOfDeadChannel: Bool { ["BadChannel", "ExpiredChannel", "WrongToken"].contains(rawValue) }

    /// The text in the response to a test send.
    var sentence: String {
        switch rawValue {
        case "Success": "The Notification was successfully sent to the Push Notification System"
        case "InvalidNotificationSize", "InvalidNotificationFormat": "The Notification payload is invalid"
        case "InvalidCredentials": "The Token obtained from the Token Provider is wrong"
        case "BadChannel", "ExpiredChannel", "WrongToken":
            "The Push Notification System handle for the registration is invalid"
        case "Skipped": "The Notification was skipped, because the handle has it already"
        default: "The Notification could not be sent to the Push Notification System: \(rawValue)"
        }
    }
}
