/// What became of a notification on the way to one device; the service's own names.
///
/// Source: https://learn.microsoft.com/rest/api/notificationhubs/get-notification-message-telemetry
package struct DeliveryOutcome: RawRepresentable, Hashable, Sendable {
    /// The name in telemetry.
    package var rawValue: String

    /// Makes an outcome.
    ///
    /// - Parameter rawValue: The name in telemetry; the service's list is not closed.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The push service took it.
    package static let success = DeliveryOutcome(rawValue: "Success")
    /// The payload is larger than the platform takes.
    package static let invalidNotificationSize = DeliveryOutcome(rawValue: "InvalidNotificationSize")
    /// The platform does not understand the payload.
    package static let invalidNotificationFormat = DeliveryOutcome(rawValue: "InvalidNotificationFormat")
    /// The same handle already has this message.
    package static let skipped = DeliveryOutcome(rawValue: "Skipped")
    /// It had expired before it could be handed over.
    package static let dropped = DeliveryOutcome(rawValue: "Dropped")

    /// Whether a push service said that the handle is no more: what the feedback container tells.
    var isOfDeadChannel: Bool { ["BadChannel", "ExpiredChannel", "WrongToken"].contains(rawValue) }

    /// What a test send says of it.
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
