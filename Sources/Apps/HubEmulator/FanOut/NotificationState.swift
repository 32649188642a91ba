/// The state of a notification in its telemetry.
///
/// Source: https://learn.microsoft.com/rest/api/notificationhubs/get-notification-message-telemetry
package enum NotificationState: String, Sendable {
    /// Accepted but not processed yet.
    case enqueued = "Enqueued"
    /// The fan-out is in progress.
    case processing = "Processing"
    /// Every target has its outcome.
    case completed = "Completed"
    /// No registration matches.
    case noTargetFound = "NoTargetFound"
    /// Scheduled for a later time.
    case scheduled = "Scheduled"
    /// Scheduled and then cancelled.
    case canceled = "Canceled"
    /// The fan-out exceeded its time limit.
    case abandoned = "Abandoned"
    /// The service's state if it does not know; never used by the emulator.
    case unknown = "Unknown"

    /// Whether the state cannot change any more.
    package var isFinal: Bool {
        switch self {
        case .enqueued, .processing, .scheduled, .unknown: false
        case .completed, .noTargetFound, .canceled, .abandoned: true
        }
    }
}
