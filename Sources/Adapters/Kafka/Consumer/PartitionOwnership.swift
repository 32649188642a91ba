package import NewsflashTopicPartitions

/// The partitions that are ours, and the commits that may be sent. Both are decided under one lock, so that nothing is
/// committed for a partition after it was given up.
///
/// In a cooperative group a commit that meets a new generation costs the whole assignment (see ``CommitGate``), and a broker
/// gives no warning: it accepts commits of the old generation until it knows the new one. So commits are collected there, at
/// most one is in flight, one is sent per second, and none while `Membership` reports a change, which makes such a commit very
/// unlikely. Commits within a revocation do not use this type.
package struct PartitionOwnership: Sendable {
    /// The minimum time between commits of a member of a cooperative group.
    package static let interval = Duration.seconds(1)

    private var epochs: [TopicPartition: UInt64] = [:]
    private var held: [TopicPartition: Int64] = [:]
    private var isCooperative = false
    private var gate: CommitGate
    private let patience: Duration
    /// When the next commit may be sent; at the end of `patience` while one is in flight.
    private var next: ContinuousClock.Instant?
    /// The number of the last assignment; the first is 1.
    private(set) package var epoch: UInt64 = 0

    /// Starts without partitions.
    ///
    /// - Parameter patience: The maximum time that the gate for commits stays closed, and that an answer may take.
    package init(patience: Duration) {
        self.patience = patience
        self.gate = CommitGate(patience: patience)
    }

    /// The partitions that are ours, in order.
    package var partitions: [TopicPartition] { epochs.keys.sorted() }

    /// Adopts partitions.
    ///
    /// - Parameters:
    ///   - partitions: The assigned partitions; may be empty, which still counts for the gate.
    ///   - isCooperative: Whether the group currently uses the cooperative protocol.
    ///   - now: The current time.
    package mutating func assign(
        _ partitions: [TopicPartition],
        isCooperative: Bool,
        at now: ContinuousClock.Instant
    ) {
        self.isCooperative = isCooperative
        epoch += 1
        for partition in partitions { epochs[partition] = epoch }
        gate.partitionsWereAssigned(at: now)
    }

    /// Gives up partitions and the waiting commits for them.
    ///
    /// - Parameters:
    ///   - partitions: The partitions to give up.
    ///   - isLost: Whether others may own them already.
    ///   - now: The current time.
    /// - Returns: The offsets that waited and are never sent.
    package mutating func release(
        _ partitions: [TopicPartition],
        isLost: Bool,
        at now: ContinuousClock.Instant
    ) -> [TopicPartition: Int64] {
        var unsent: [TopicPartition: Int64] = [:]
        for partition in partitions {
            epochs[partition] = nil
            unsent[partition] = held.removeValue(forKey: partition)
        }
        if isCooperative { gate.partitionsWereRevoked(isLost: isLost, at: now) }
        return unsent
    }

    /// Returns the number of the assignment with which a partition came; `nil` if it is not ours.
    package func epoch(of partition: TopicPartition) -> UInt64? { epochs[partition] }

    /// Starts again with a partition that is ours: waiting or unanswered commits for it no longer count.
    package mutating func renew(_ partition: TopicPartition) {
        guard epochs[partition] != nil else { return }
        epoch += 1
        epochs[partition] = epoch
        held[partition] = nil
    }

    /// Accepts offsets to commit; ``dequeueOffsets(at:)`` returns them when they may be sent.
    ///
    /// - Parameter offsets: The next offset to read, for each partition.
    /// - Returns: The partitions that are not ours, for which nothing is ever sent.
    package mutating func admit(_ offsets: [TopicPartition: Int64]) -> [TopicPartition] {
        held.merge(offsets.filter { epochs[$0.key] != nil }) { $1 }
        return offsets.keys.filter { epochs[$0] == nil }
    }

    /// Records an answer. Offsets that were refused because the group is changing wait for the gate, unless newer ones do.
    ///
    /// - Parameters:
    ///   - offsets: The sent offsets.
    ///   - isRefused: Whether the group is changing or has changed.
    ///   - sentEpoch: ``epoch`` when they were sent; partitions that were assigned later are ignored.
    ///   - now: The current time.
    package mutating func commitWasAnswered(
        _ offsets: [TopicPartition: Int64],
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

    /// Removes and returns the waiting offsets that may be sent.
    ///
    /// - Returns: The offsets to send now; they are not returned again.
    package mutating func dequeueOffsets(at now: ContinuousClock.Instant) -> [TopicPartition: Int64] {
        gate.timePassed(to: now)
        guard !held.isEmpty, !isCooperative || (gate.isOpen && now >= next ?? now) else { return [:] }
        if isCooperative { next = now + patience }
        defer { held = [:] }
        return held
    }

    /// Returns the time until a waiting commit may be sent without another event.
    ///
    /// - Returns: `nil` if nothing waits, or it waits for the group.
    package func delay(from now: ContinuousClock.Instant) -> Duration? {
        held.isEmpty || !gate.isOpen ? nil : next.map { max(.zero, $0 - now) }
    }
}

/// Delays commits while a cooperative group changes.
///
/// With librdkafka 2.0.2 and the cooperative strategy a commit that meets a new generation of the group costs the member its
/// whole assignment. The dangerous time begins at the first refusal with `REBALANCE_IN_PROGRESS` or at a revocation. It ends
/// with the next assignment; after a revocation with the one after that, because the group then joins once more. A commit
/// inside the revocation itself is safe and does not pass the gate.
package struct CommitGate: Sendable, Equatable {
    private enum State: Equatable {
        case open
        case closed(assignmentsMissing: Int, until: ContinuousClock.Instant)
    }

    private var state = State.open
    private let patience: Duration

    /// Creates an open gate.
    ///
    /// - Parameter patience: The maximum time for which the gate is closed without an assignment. After it commits continue
    ///   even if no assignment comes.
    package init(patience: Duration) {
        self.patience = patience
    }

    /// Whether commits may pass.
    package var isOpen: Bool { state == .open }

    /// Closes the gate, because a commit was refused while the group is changing.
    package mutating func commitWasRefused(at now: ContinuousClock.Instant) {
        guard isOpen else { return }
        state = .closed(assignmentsMissing: 1, until: now + patience)
    }

    /// Closes the gate, because partitions are revoked.
    ///
    /// - Parameters:
    ///   - isLost: Whether the assignment is already lost, so that there is no second round.
    ///   - now: The current time.
    package mutating func partitionsWereRevoked(isLost: Bool, at now: ContinuousClock.Instant) {
        state = .closed(assignmentsMissing: isLost ? 1 : 2, until: now + patience)
    }

    /// Opens the gate if this is the assignment that it waits for.
    package mutating func partitionsWereAssigned(at now: ContinuousClock.Instant) {
        guard case .closed(let missing, _) = state else { return }
        state = missing > 1 ? .closed(assignmentsMissing: missing - 1, until: now + patience) : .open
    }

    /// Opens the gate if the assignment that it waits for did not come in time.
    package mutating func timePassed(to now: ContinuousClock.Instant) {
        guard case .closed(_, let end) = state, now >= end else { return }
        state = .open
    }
}
