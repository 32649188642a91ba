import Publishing
import Timestamps

/// The latest status of the publishing core.
struct PublishingSnapshot: Sendable {
    /// `nil` before the first turn of the core.
    var status: PublishingStatus?
    /// The time of ``status``.
    var takenAt: Instant?
    /// Whether the core had received all records that were posted to it.
    var hasTakenAll = false
    /// The time of the thread's latest turn, even if it did nothing.
    var turnedAt: Instant?
    /// Whether something has happened that the status does not show yet.
    var isOutdated = false
    /// Whether partition ownership is not confirmed.
    var isUnsure = false
}
