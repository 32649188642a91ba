import NewsflashTimestamps

/// The stories that the ledger must record, and when. Each partition gets one batch at a time, which contains the newest facts
/// of each changed story once.
struct LedgerSchedule {
    /// A batch that is not confirmed yet.
    struct Batch {
        /// One story of the batch, with the version of its facts.
        struct Entry {
            var story: Story
            var version: UInt64
            /// The requests that are not at risk any more once the batch is confirmed.
            var atRisk: Int
        }

        var id: WriteID
        var entries: [Entry]
        /// The stories to forget. Their tombstones are written before the entries.
        var forgotten: [String]
        /// The owner record of the batch; `nil` if it has none.
        var owner: LedgerOwner?
        /// Whether the owner record is that of the give-back.
        var isLeaving: Bool
        var since: Instant
    }

    private struct Partition {
        /// Changed stories, in the order of their first change since the last batch.
        var changed: [Story] = []
        var forgotten: [String] = []
        var owner: LedgerOwner?
        /// The owner record of the give-back. It is written last, when all facts are confirmed, because the next owner relies
        /// on them.
        var leavingOwner: LedgerOwner?
        var batch: Batch?
        var failures = 0
        /// The earliest time of the next batch, because of the batch before.
        var notBefore = Instant(nanoseconds: 0)
        /// When the most urgent change must be written.
        var wantedBy: Instant?

        var due: Instant { max(notBefore, wantedBy ?? notBefore) }

        var hasChanges: Bool { !changed.isEmpty || !forgotten.isEmpty || owner != nil }
        var hasWork: Bool { hasChanges || leavingOwner != nil }
        var mayGo: Bool { hasWork && batch == nil }
    }

    private var partitions = PerPartition(Partition())

    /// The minimum time between two batches of a partition. Each busy partition adds half of it, because a broker's work grows
    /// with the number of requests more than with that of records, and each request is for one partition.
    private let shortestInterval: Duration

    init(interval: Duration) { shortestInterval = interval }

    private var interval: Duration { max(shortestInterval, shortestInterval * openCount / 2) }

    /// The number of partitions with changes or an unconfirmed batch.
    var openCount: Int { partitions.values.count { $0.hasWork || $0.batch != nil } }

    /// When the oldest unconfirmed batch was written.
    var oldest: Instant? { partitions.values.lazy.compactMap { $0.batch?.since }.min() }

    /// When a batch is due, even without a confirmation; `nil` if none is.
    var due: Instant? { partitions.values.lazy.compactMap { $0.mayGo ? $0.due : nil }.min() }

    /// Whether a partition has nothing to write and no unconfirmed batch.
    func isDone(_ id: PartitionID) -> Bool {
        let partition = partitions[id]
        return !partition.hasWork && partition.batch == nil
    }

    /// Lists a story whose facts have changed.
    ///
    /// - Parameters:
    ///   - story: The story.
    ///   - instant: When the change must be written; `nil` for the next possible batch.
    mutating func changed(_ story: Story, by instant: Instant? = nil) {
        story.versions.change()
        let old = partitions[story.partition].hasWork ? partitions[story.partition].wantedBy : instant
        partitions[story.partition].wantedBy = old.flatMap { old in instant.map { min(old, $0) } }
        guard !story.versions.isListed else { return }
        story.versions.isListed = true
        partitions[story.partition].changed.append(story)
    }

    /// Lists a story whose record is removed from the ledger.
    mutating func forget(_ name: String, of partition: PartitionID) {
        partitions[partition].forgotten.append(name)
    }

    mutating func own(_ partition: PartitionID, _ owner: LedgerOwner) {
        partitions[partition].owner = owner
        partitions[partition].wantedBy = nil
    }

    /// Lists the owner record of a give-back, after all other changes.
    mutating func leave(_ partition: PartitionID, _ owner: LedgerOwner) {
        partitions[partition].leavingOwner = owner
        partitions[partition].wantedBy = nil
    }

    /// Whether a partition that is given up now has something to write. The record of the give-back cannot be written while a
    /// batch is unconfirmed.
    func hasLastBatch(of partition: PartitionID) -> Bool {
        partitions[partition].hasChanges || partitions[partition].mayGo
    }

    /// The partitions that may get a batch now.
    func ready(now: Instant) -> [PartitionID] {
        partitions.ids.filter { id in
            let partition = partitions[id]
            return partition.mayGo && partition.due <= now
        }
    }

    /// Creates the next batch of a partition that is ready or being given up. It is open until it is confirmed or has failed.
    mutating func beginBatch(of partition: PartitionID, id: WriteID, now: Instant) -> Batch {
        var state = partitions[partition]
        let isLeaving = !state.hasChanges
        if isLeaving { state.owner = state.leavingOwner.take() }
        let entries = state.changed.map { story in
            story.versions.isListed = false
            defer { story.versions.atRisk = 0 }
            return Batch.Entry(story: story, version: story.versions.latest, atRisk: story.versions.atRisk)
        }
        let batch = Batch(
            id: id,
            entries: entries,
            forgotten: state.forgotten,
            owner: state.owner,
            isLeaving: isLeaving,
            since: now
        )
        state.batch = batch
        state.changed = []
        state.forgotten = []
        state.owner = nil
        state.wantedBy = nil
        state.notBefore = now + interval
        partitions[partition] = state
        return batch
    }

    /// Ends the open batch of a partition, because it is confirmed.
    ///
    /// - Returns: The batch; `nil` if it is not awaited any more.
    mutating func confirm(_ id: WriteID, of partition: PartitionID) -> Batch? {
        guard let batch = partitions[partition].batch, batch.id == id else { return nil }
        partitions[partition].batch = nil
        partitions[partition].failures = 0
        return batch
    }

    /// Lists the content of a failed batch again.
    ///
    /// - Returns: The number of consecutive failures of the partition; `nil` if the batch is not awaited any more.
    mutating func failed(_ id: WriteID, of partition: PartitionID) -> Int? {
        var state = partitions[partition]
        guard let batch = state.batch, batch.id == id else { return nil }
        state.batch = nil
        state.failures += 1
        for entry in batch.entries {
            entry.story.versions.atRisk += entry.atRisk
            guard !entry.story.versions.isListed else { continue }
            entry.story.versions.isListed = true
            state.changed.append(entry.story)
        }
        state.forgotten += batch.forgotten
        if batch.isLeaving {
            state.leavingOwner = batch.owner
        } else {
            state.owner = state.owner ?? batch.owner
        }
        // The changes of a failed batch are due.
        state.wantedBy = nil
        partitions[partition] = state
        return state.failures
    }

    /// Delays the next batch of a partition until an instant.
    mutating func holdBack(_ partition: PartitionID, until instant: Instant) {
        partitions[partition].notBefore = instant
    }

    mutating func forget(_ gone: Set<PartitionID>) {
        for partition in gone { partitions[partition] = Partition() }
    }
}
