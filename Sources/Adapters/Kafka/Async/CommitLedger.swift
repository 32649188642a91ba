/// What of each partition was handed out, was asked to be committed, and is committed: only what was done, and only while the
/// partition is ours.
///
/// One commit of a partition is under way at a time, and the newest offset asked for goes next, so that a commit after each
/// message costs no request of its own.
struct CommitLedger: Sendable {
    /// How the commits that somebody waits for stand.
    enum Standing: Equatable {
        case confirmed
        case pending
        /// A partition left before the group had confirmed.
        case gone(KafkaTopicPartition)
    }

    private struct Entry {
        /// The messages handed out since the partition came.
        var handedOut: ClosedRange<Int64>
        var asked: Int64?
        var underWay: Int64?
    }

    private var entries: [KafkaTopicPartition: Entry] = [:]
    /// Answers to revocations that the group has not confirmed.
    private var leaving: [KafkaTopicPartition: Int64] = [:]
    private var confirmed: [KafkaTopicPartition: Int64] = [:]
    /// Whether nothing is sent for a moment, since the group could not take it.
    private var isResting = false

    /// Takes note that a message is in somebody's hands.
    mutating func handOut(_ partition: KafkaTopicPartition, _ offset: Int64) {
        let first = min(entries[partition]?.handedOut.lowerBound ?? offset, offset)
        entries[partition, default: Entry(handedOut: offset...offset)].handedOut = first...offset
    }

    /// Takes a wish to commit.
    ///
    /// - Parameters:
    ///   - partition: Any.
    ///   - next: The next offset to read.
    /// - Returns: False where the messages before it were not handed out since the partition came: they are others' to do, or
    ///   will be handed out again.
    mutating func ask(_ partition: KafkaTopicPartition, _ next: Int64) -> Bool {
        guard let entry = entries[partition], next > entry.handedOut.lowerBound, next - 1 <= entry.handedOut.upperBound
        else { return false }
        entries[partition]?.asked = max(entry.asked ?? next, next)
        return true
    }

    /// What is to be sent now; it counts as under way.
    mutating func takeUnsent() -> [KafkaTopicPartition: Int64] {
        guard !isResting else { return [:] }
        var offsets: [KafkaTopicPartition: Int64] = [:]
        for (partition, entry) in entries {
            guard let asked = entry.asked, entry.underWay == nil, confirmed[partition] != asked else { continue }
            offsets[partition] = asked
            entries[partition]?.underWay = asked
        }
        return offsets
    }

    /// Takes the group's answer to a commit.
    mutating func wereAnswered(_ offsets: [KafkaTopicPartition: Int64], isCommitted: Bool) {
        for (partition, offset) in offsets {
            entries[partition]?.underWay = nil
            // The answer to an earlier commit may come behind the farewell's.
            if let farewell = leaving[partition], offset >= farewell { leaving[partition] = nil }
            if isCommitted { confirmed[partition] = max(confirmed[partition] ?? offset, offset) }
        }
    }

    /// Sends nothing until ``goOn()``.
    mutating func rest() {
        isResting = true
    }

    /// Sends again.
    mutating func goOn() {
        isResting = false
    }

    /// Lets partitions go that the group takes away in good order.
    ///
    /// - Parameter partitions: Those that leave.
    /// - Returns: What was asked for and may be committed with the farewell.
    mutating func release(_ partitions: [KafkaTopicPartition]) -> [KafkaTopicPartition: Int64] {
        var offsets: [KafkaTopicPartition: Int64] = [:]
        for partition in partitions {
            guard let asked = entries.removeValue(forKey: partition)?.asked, confirmed[partition] != asked else {
                continue
            }
            offsets[partition] = asked
            leaving[partition] = asked
        }
        return offsets
    }

    /// Forgets partitions that are others' already.
    mutating func lose(_ partitions: [KafkaTopicPartition]) {
        for partition in partitions {
            entries[partition] = nil
            leaving[partition] = nil
        }
    }

    /// Forgets what was committed of partitions that come: others may have gone on from there, or back.
    mutating func begin(_ partitions: [KafkaTopicPartition]) {
        for partition in partitions { confirmed[partition] = nil }
    }

    /// Whether all that was handed out of a partition is asked to be committed.
    func isDone(_ partition: KafkaTopicPartition) -> Bool {
        guard let entry = entries[partition] else { return true }
        return entry.asked == entry.handedOut.upperBound + 1
    }

    /// All that was asked for and is not confirmed.
    var unconfirmed: [KafkaTopicPartition: Int64] {
        entries.compactMapValues(\.asked).merging(leaving) { $1 }.filter { confirmed[$0.key] != $0.value }
    }

    /// How what was once ``unconfirmed`` stands.
    func standing(of targets: [KafkaTopicPartition: Int64]) -> Standing {
        var standing = Standing.confirmed
        for (partition, target) in targets {
            if let offset = confirmed[partition], offset >= target { continue }
            let isPending = leaving[partition] != nil || entries[partition]?.asked.map { $0 >= target } == true
            guard isPending else { return .gone(partition) }
            standing = .pending
        }
        return standing
    }
}
