import Publishing
import Timestamps

/// What a worker is doing, as `/status` shows it.
struct WorkerStatus: Sendable {
    var version: String
    /// The name that it keeps in its group over restarts, where it has one.
    var instance: String?
    var group: String
    var startedAt: Timestamp
    /// `nil` before the publishing thread's first turn.
    var publishing: PublishingStatus?
    var lags: [PartitionLag]
    /// What is worth knowing and keeps it from nothing.
    var notes: [String]
    /// The latest gaps in the source.
    var losses: [LostRecords.Loss] = []
}
