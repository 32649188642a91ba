import NewsflashPublishing
import NewsflashTopicPartitions

/// Detects a worker that has work, has no known reason to wait, and makes no progress.
///
/// A value without I/O, asked every ``interval``. It counts checks instead of time, because a suspended process makes no
/// progress for any length of time.
struct StallDetector: Sendable {
    /// The work done so far. Two equal values mean that nothing was done in between.
    struct Work: Sendable, Equatable {
        /// The number of requests and records ordered since the start.
        var orders: UInt64
        /// The position of the consumer in each partition.
        var positions: [TopicPartition: Int64]
    }

    enum Verdict: Sendable, Equatable {
        /// Work progresses, or nothing is due.
        case fine
        /// No progress for this time.
        case stalled(Duration)
        /// No progress for this time; only a restart can help.
        case lost(Duration)
    }

    /// The interval between checks.
    static let interval = Duration.seconds(5)
    /// The interval between queries of the leaders for unread records: twice within the duration of a stall.
    static let askingInterval = Duration.seconds(30)
    /// The number of checks without progress that count as a stall: a minute, longer than any wait between two attempts.
    static let patience = 12
    /// The number of checks without progress before a restart is better than waiting: five minutes.
    static let longestStall = 60

    private var work: Work?
    private var stillLooks = 0

    /// Checks once.
    ///
    /// - Parameters:
    ///   - work: The work done so far.
    ///   - isDue: Whether work exists that no known condition delays.
    /// - Returns: The verdict.
    mutating func check(_ work: Work, isDue: Bool) -> Verdict {
        stillLooks = isDue && work == self.work ? stillLooks + 1 : 0
        self.work = work
        let pause = Self.interval * stillLooks
        if stillLooks >= Self.longestStall { return .lost(pause) }
        return stillLooks >= Self.patience ? .stalled(pause) : .fine
    }
}
