/// How far a message is, as its telemetry says.
///
/// Source: https://learn.microsoft.com/rest/api/notificationhubs/get-notification-message-telemetry
package enum NotificationState: String, Sendable {
    /// Accepted, and not looked at yet.
    case enqueued = "Enqueued"
    /// On its way to its targets.
    case processing = "Processing"
    /// Every target has its outcome.
    case completed = "Completed"
    /// Nobody was meant.
    case noTargetFound = "NoTargetFound"
    /// Waits for its time.
    case scheduled = "Scheduled"
    /// Was scheduled and taken back.
    case canceled = "Canceled"
    /// Was not through with its targets in time.
    case abandoned = "Abandoned"
    /// What the service says where it cannot tell; the emulator always can.
    case unknown = "Unknown"

    /// Whether nothing more becomes of it.
    package var isFinal: Bool {
        switch self {
        case .enqueued, .processing, .scheduled, .unknown: false
        case .completed, .noTargetFound, .canceled, .abandoned: true
        }
    }
}
