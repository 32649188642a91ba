import Publishing
import Timestamps

/// The state of a worker, as `/status` shows it.
struct WorkerStatus: Sendable {
    var version: String
    /// The permanent name in the group, which survives restarts; `nil` if not configured.
    var instance: String?
    var group: String
    var startedAt: Timestamp
    /// `nil` before the publishing thread's first turn.
    var publishing: PublishingStatus?
    var lags: [PartitionLag]
    /// Conditions worth knowing that do not affect readiness.
    var notes: [String]
    /// The latest gaps in the source.
    var losses: [LostRecords.Loss] = []
}
