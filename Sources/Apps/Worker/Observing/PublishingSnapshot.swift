import Publishing
import Timestamps

/// What the publishing machine said of itself last.
struct PublishingSnapshot: Sendable {
    /// `nil` before its first turn.
    var status: PublishingStatus?
    /// When that was.
    var takenAt: Instant?
    /// Whether no record that was handed over waited for the machine then.
    var hasTakenAll = false
    /// When its thread turned last, though it may have done nothing.
    var turnedAt: Instant?
    /// Whether something has happened that it does not show yet.
    var isOutdated = false
    /// Whether it is not sure that our partitions are ours.
    var isUnsure = false
}
