import NewsflashTopicPartitions

/// The messages of each partition that were handed out, that the owner asked to commit, and that are committed. Only processed
/// messages are committed, and only while the partition is ours.
///
/// At most one commit of a partition is in flight, and the newest offset goes next, so a commit after each message does not
/// need a separate request.
struct CommitTracker: Sendable {
    /// The state of the commits that a caller waits for.
    enum CommitState: Equatable {
        case confirmed
        case pending
        /// A partition was revoked before the group had confirmed.
        case gone(TopicPartition)
    }

    private struct Entry {
        /// The messages that were handed out since the partition was assigned.
        var handedOut: ClosedRange<Int64>
        var asked: Int64?
        var underWay: Int64?
    }

    private var entries: [TopicPartition: Entry] = [:]
    /// Answers to revocations that the group has not confirmed.
    private var leaving: [TopicPartition: Int64] = [:]
    private var confirmed: [TopicPartition: Int64] = [:]
    /// Whether sending is paused because the group could not accept a commit.
    private var isResting = false

    /// Records that a message was handed out.
    mutating func handOut(_ partition: TopicPartition, _ offset: Int64) {
        let first = min(entries[partition]?.handedOut.lowerBound ?? offset, offset)
        entries[partition, default: Entry(handedOut: offset...offset)].handedOut = first...offset
    }

    /// Records an offset to commit.
    ///
    /// - Parameters:
    ///   - partition: Any partition, ours or not.
    ///   - next: The next offset to read.
    /// - Returns: False if the messages before it were not handed out since the partition was assigned: others process them, or
    ///   they will be handed out again.
    mutating func ask(_ partition: TopicPartition, _ next: Int64) -> Bool {
        guard let entry = entries[partition], next > entry.handedOut.lowerBound, next - 1 <= entry.handedOut.upperBound
        else { return false }
        entries[partition]?.asked = max(entry.asked ?? next, next)
        return true
    }

    /// Returns the offsets to send now; they count as in flight.
    mutating func beginCommit() -> [TopicPartition: Int64] {
        guard !isResting else { return [:] }
        var offsets: [TopicPartition: Int64] = [:]
        for (partition, entry) in entries {
            guard let asked = entry.asked, entry.underWay == nil, confirmed[partition] != asked else { continue }
            offsets[partition] = asked
            entries[partition]?.underWay = asked
        }
        return offsets
    }

    /// Records the group's answer to a commit.
    mutating func wereAnswered(_ offsets: [TopicPartition: Int64], isCommitted: Bool) {
        for (partition, offset) in offsets {
            entries[partition]?.underWay = nil
            // The answer to an earlier commit may come after that of the last commit before the revocation.
            if let revocation = leaving[partition], offset >= revocation { leaving[partition] = nil }
            if isCommitted { confirmed[partition] = max(confirmed[partition] ?? offset, offset) }
        }
    }

    /// Pauses sending until ``goOn()``.
    mutating func rest() {
        isResting = true
    }

    /// Continues sending.
    mutating func goOn() {
        isResting = false
    }

    /// Releases partitions that the group revokes.
    ///
    /// - Returns: The requested offsets that may be committed with the revocation.
    mutating func release(_ partitions: [TopicPartition]) -> [TopicPartition: Int64] {
        var offsets: [TopicPartition: Int64] = [:]
        for partition in partitions {
            guard let asked = entries.removeValue(forKey: partition)?.asked, confirmed[partition] != asked else {
                continue
            }
            offsets[partition] = asked
            leaving[partition] = asked
        }
        return offsets
    }

    /// Forgets lost partitions, which others own already.
    mutating func lose(_ partitions: [TopicPartition]) {
        for partition in partitions {
            entries[partition] = nil
            leaving[partition] = nil
        }
    }

    /// Forgets the committed offsets of newly assigned partitions: others may have continued from there, or gone back.
    mutating func begin(_ partitions: [TopicPartition]) {
        for partition in partitions { confirmed[partition] = nil }
    }

    /// Whether all messages of a partition that were handed out were requested to be committed.
    func isDone(_ partition: TopicPartition) -> Bool {
        guard let entry = entries[partition] else { return true }
        return entry.asked == entry.handedOut.upperBound + 1
    }

    /// The requested offsets that are not confirmed.
    var unconfirmed: [TopicPartition: Int64] {
        entries.compactMapValues(\.asked).merging(leaving) { $1 }.filter { confirmed[$0.key] != $0.value }
    }

    /// Returns the state of offsets that were once ``unconfirmed``.
    func state(of targets: [TopicPartition: Int64]) -> CommitState {
        var state = CommitState.confirmed
        for (partition, target) in targets {
            if let offset = confirmed[partition], offset >= target { continue }
            let isPending = leaving[partition] != nil || entries[partition]?.asked.map { $0 >= target } == true
            guard isPending else { return .gone(partition) }
            state = .pending
        }
        return state
    }
}
