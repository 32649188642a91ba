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

    /// Whether nothing more becomes of it.
    package var isFinal: Bool {
        switch self {
        case .enqueued, .processing, .scheduled: false
        case .completed, .noTargetFound, .canceled: true
        }
    }
}
