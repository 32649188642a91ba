import Publishing

/// Notices a worker that has work, names no reason to wait, and does nothing.
///
/// A value without I/O: it is asked every ``interval``. It counts looks and not time, since a process that was stopped has
/// done nothing for as long as it likes.
struct ProgressWatch: Sendable {
    /// What has been done so far; the same twice means that nothing was done between.
    struct Work: Sendable, Equatable {
        /// Requests and records that were ordered since the start.
        var orders: UInt64
        /// Where the reader is in each partition.
        var positions: [SourcePartition: Int64]
    }

    enum Verdict: Sendable, Equatable {
        /// Something moves, or nothing has to.
        case fine
        /// Nothing has moved for so long.
        case stalled(Duration)
        /// Nothing has moved for so long that only a new start can help.
        case lost(Duration)
    }

    /// How often to look.
    static let interval = Duration.seconds(5)
    /// How often to ask the leaders whether there is anything to read: twice in the time that a stall must last.
    static let askingInterval = Duration.seconds(30)
    /// How often nothing may have moved: a minute, longer than any wait between two attempts.
    static let patience = 12
    /// How often nothing may have moved before a new start is worth more than waiting: five minutes.
    static let longestStall = 60

    private var work: Work?
    private var stillLooks = 0

    /// Looks once more.
    ///
    /// - Parameters:
    ///   - work: What has been done.
    ///   - isDue: Whether there is something to do, and nothing that is known of keeps it from being done.
    /// - Returns: What that says.
    mutating func look(at work: Work, isDue: Bool) -> Verdict {
        stillLooks = isDue && work == self.work ? stillLooks + 1 : 0
        self.work = work
        let pause = Self.interval * stillLooks
        if stillLooks >= Self.longestStall { return .lost(pause) }
        return stillLooks >= Self.patience ? .stalled(pause) : .fine
    }
}
