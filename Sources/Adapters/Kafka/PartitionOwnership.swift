/// Which partitions are ours, and which commits may go out: decided under one lock, so that nothing is committed for a
/// partition after it was given up.
package struct PartitionOwnership: Sendable {
    /// What becomes of a wish to commit.
    package struct Admission: Sendable, Equatable {
        /// To be sent now.
        package var now: [KafkaTopicPartition: Int64] = [:]
        /// Not ours, so never sent.
        package var refused: [KafkaTopicPartition] = []
    }

    private var epochs: [KafkaTopicPartition: UInt64] = [:]
    private var held: [KafkaTopicPartition: Int64] = [:]
    private var lastEpoch: UInt64 = 0
    private var isCooperative = false
    private var gate: CommitGate

    /// Starts without partitions.
    ///
    /// - Parameter patience: How long the gate for commits stays shut at most.
    package init(patience: Duration) {
        self.gate = CommitGate(patience: patience)
    }

    /// The partitions that are ours, in order.
    package var partitions: [KafkaTopicPartition] { epochs.keys.sorted() }

    /// Whether a partition is ours.
    package func owns(_ partition: KafkaTopicPartition) -> Bool { epochs[partition] != nil }

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
        lastEpoch += 1
        for partition in partitions { epochs[partition] = lastEpoch }
        gate.partitionsWereAssigned(at: now)
    }

    /// Gives partitions up; commits for them that wait are forgotten.
    ///
    /// - Parameters:
    ///   - partitions: What goes.
    ///   - isLost: Whether others may own them already.
    ///   - now: The present instant.
    package mutating func release(_ partitions: [KafkaTopicPartition], isLost: Bool, at now: ContinuousClock.Instant) {
        for partition in partitions {
            epochs[partition] = nil
            held[partition] = nil
        }
        if isCooperative { gate.partitionsWereRevoked(isLost: isLost, at: now) }
    }

    /// Decides on a wish to commit.
    ///
    /// - Parameter offsets: The next offset to read, for each partition.
    /// - Returns: What to send now and what is not ours; the rest waits for the gate.
    package mutating func admit(_ offsets: [KafkaTopicPartition: Int64]) -> Admission {
        var admission = Admission()
        for (partition, offset) in offsets {
            if !owns(partition) {
                admission.refused.append(partition)
            } else if gate.isOpen {
                admission.now[partition] = offset
            } else {
                held[partition] = offset
            }
        }
        return admission
    }

    /// Takes note of a refusal because the group is changing; the offsets wait for the gate unless newer ones do.
    ///
    /// - Parameters:
    ///   - offsets: What was refused.
    ///   - epoch: ``epoch`` when it was sent; partitions that came since then are left alone.
    ///   - now: The present instant.
    package mutating func commitWasRefused(
        _ offsets: [KafkaTopicPartition: Int64],
        sentIn epoch: UInt64,
        at now: ContinuousClock.Instant
    ) {
        guard isCooperative else { return }
        gate.commitWasRefused(at: now)
        for (partition, offset) in offsets {
            guard let owned = epochs[partition], owned <= epoch, held[partition] == nil else { continue }
            held[partition] = offset
        }
    }

    /// The number of the last assignment.
    package var epoch: UInt64 { lastEpoch }

    /// What waited for the gate, once it is open.
    ///
    /// - Parameter now: The present instant.
    /// - Returns: Offsets to send now; they are not given again.
    package mutating func takeHeld(at now: ContinuousClock.Instant) -> [KafkaTopicPartition: Int64] {
        gate.timePassed(to: now)
        guard gate.isOpen, !held.isEmpty else { return [:] }
        defer { held = [:] }
        return held
    }
}
