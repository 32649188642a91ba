/// Which partitions are ours, and which commits may go out: decided under one lock, so that nothing is committed for a
/// partition after it was given up.
///
/// In a cooperative group a commit that meets a new generation costs the whole assignment (see ``CommitGate``), and a broker
/// gives no warning: it takes commits of the old generation up to the moment it knows the new one. So there commits are
/// collected, one is under way at a time and one goes out a second, and none while `Membership` knows of a change, which
/// leaves little to chance. Commits within a revocation do not come here.
package struct PartitionOwnership: Sendable {
    /// How often a member of a cooperative group commits at most.
    package static let interval = Duration.seconds(1)

    private var epochs: [KafkaTopicPartition: UInt64] = [:]
    private var held: [KafkaTopicPartition: Int64] = [:]
    private var isCooperative = false
    private var gate: CommitGate
    private let patience: Duration
    /// When the next commit may be sent; far away while one is under way.
    private var next: ContinuousClock.Instant?
    /// The number of the last assignment; the first is 1.
    private(set) package var epoch: UInt64 = 0

    /// Starts without partitions.
    ///
    /// - Parameter patience: How long the gate for commits stays shut at most, and how long an answer is waited for.
    package init(patience: Duration) {
        self.patience = patience
        self.gate = CommitGate(patience: patience)
    }

    /// The partitions that are ours, in order.
    package var partitions: [KafkaTopicPartition] { epochs.keys.sorted() }

    /// Takes partitions over.
    ///
    /// - Parameters:
    ///   - partitions: What came; may be empty, which counts for the gate.
    ///   - isCooperative: How the group shares now.
    ///   - now: The present instant.
    package mutating func assign(
        _ partitions: [KafkaTopicPartition],
        isCooperative: Bool,
        at now: ContinuousClock.Instant
    ) {
        self.isCooperative = isCooperative
        epoch += 1
        for partition in partitions { epochs[partition] = epoch }
        gate.partitionsWereAssigned(at: now)
    }

    /// Gives partitions up, with the commits for them that wait.
    ///
    /// - Parameters:
    ///   - partitions: What goes.
    ///   - isLost: Whether others may own them already.
    ///   - now: The present instant.
    /// - Returns: The offsets that waited and are never sent.
    package mutating func release(
        _ partitions: [KafkaTopicPartition],
        isLost: Bool,
        at now: ContinuousClock.Instant
    ) -> [KafkaTopicPartition: Int64] {
        var unsent: [KafkaTopicPartition: Int64] = [:]
        for partition in partitions {
            epochs[partition] = nil
            unsent[partition] = held.removeValue(forKey: partition)
        }
        if isCooperative { gate.partitionsWereRevoked(isLost: isLost, at: now) }
        return unsent
    }

    /// The number of the assignment with which a partition came; `nil` if it is not ours.
    package func epoch(of partition: KafkaTopicPartition) -> UInt64? { epochs[partition] }

    /// Starts again with a partition that is ours: commits for it that wait, or have no answer yet, do not count any more.
    package mutating func renew(_ partition: KafkaTopicPartition) {
        guard epochs[partition] != nil else { return }
        epoch += 1
        epochs[partition] = epoch
        held[partition] = nil
    }

    /// Takes a wish to commit; ``takeHeld(at:)`` says when to send it.
    ///
    /// - Parameter offsets: The next offset to read, for each partition.
    /// - Returns: The partitions that are not ours, for which nothing is ever sent.
    package mutating func admit(_ offsets: [KafkaTopicPartition: Int64]) -> [KafkaTopicPartition] {
        held.merge(offsets.filter { epochs[$0.key] != nil }) { $1 }
        return offsets.keys.filter { epochs[$0] == nil }
    }

    /// Takes note of an answer. What was refused because the group is changing waits for the gate, unless newer offsets do.
    ///
    /// - Parameters:
    ///   - offsets: What was sent.
    ///   - isRefused: Whether the group is changing or has changed.
    ///   - sentEpoch: ``epoch`` when it was sent; partitions that came since then are left alone.
    ///   - now: The present instant.
    package mutating func commitWasAnswered(
        _ offsets: [KafkaTopicPartition: Int64],
        isRefused: Bool,
        sentIn sentEpoch: UInt64,
        at now: ContinuousClock.Instant
    ) {
        guard isCooperative else { return }
        next = now + Self.interval
        guard isRefused else { return }
        gate.commitWasRefused(at: now)
        for (partition, offset) in offsets {
            guard let owned = epochs[partition], owned <= sentEpoch, held[partition] == nil else { continue }
            held[partition] = offset
        }
    }

    /// What waits and may go out.
    ///
    /// - Parameter now: The present instant.
    /// - Returns: Offsets to send now; they are not given again.
    package mutating func takeHeld(at now: ContinuousClock.Instant) -> [KafkaTopicPartition: Int64] {
        gate.timePassed(to: now)
        guard !held.isEmpty, !isCooperative || (gate.isOpen && now >= next ?? now) else { return [:] }
        if isCooperative { next = now + patience }
        defer { held = [:] }
        return held
    }

    /// How long until something that waits may go out by the clock alone.
    ///
    /// - Parameter now: The present instant.
    /// - Returns: Nil when nothing waits, or it waits for the group.
    package func delay(from now: ContinuousClock.Instant) -> Duration? {
        held.isEmpty || !gate.isOpen ? nil : next.map { max(.zero, $0 - now) }
    }
}
