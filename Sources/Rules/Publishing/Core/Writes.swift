import Timestamps

/// Records that are on their way to the broker.
struct Writes: Sendable {
    /// What a list of records is for.
    enum Purpose: Sendable {
        /// The end of an event.
        case end(EventID)
        /// Keeping a waiting event in the ledger.
        case park(RecordPlace)
        /// The end of a record that could not be read.
        case unreadable(RecordPlace)
        /// A story's record alone: a repair, or a tombstone.
        case ledger
    }

    /// One list of records that are confirmed together.
    struct Pending: Sendable {
        var purpose: Purpose
        var partition: PartitionID
        var story: StoryID?
        /// As it was handed out last, but for the ledger's record, which is made anew each time.
        var order: WriteOrder
        var failures = 0
        /// When it was handed out first.
        var since: Instant
        /// Whether the hub may have taken what the ledger does not know yet: a crash now, and it is sent again.
        var isAtRisk = false
        /// Whether an event ended unsent, so that what follows it in its story waits until the ledger knows.
        var isAwaitedByStory = false
    }

    private var pending = NumberTable<Pending>()
    /// Those of them that are at risk.
    var exposure = Exposure()

    var count: Int { pending.count }

    /// When the oldest was handed out first.
    var oldest: Instant? { pending.elements.lazy.map(\.value.since).min() }

    subscript(id: WriteID) -> Pending? { pending[id.number] }

    func contains(_ id: WriteID) -> Bool { pending.contains(id.number) }

    mutating func insert(_ write: consuming Pending) {
        if write.isAtRisk { exposure.began(in: write.partition, now: write.since) }
        pending.insert(write, at: write.order.id.number)
    }

    mutating func remove(_ id: WriteID, now: Instant) -> Pending? {
        let write = pending.removeValue(at: id.number)
        if let write, write.isAtRisk { exposure.ended(in: write.partition, now: now) }
        return write
    }

    /// Whether the ledger is still to confirm that it keeps the event of a record.
    func isParking(_ place: RecordPlace) -> Bool {
        pending.elements.contains { _, write in
            guard case .park(let parked) = write.purpose else { return false }
            return parked == place
        }
    }

    /// Takes note that the ledger has its record, whatever becomes of the others of the list.
    ///
    /// - Returns: The story that has waited for that.
    mutating func isRemembered(_ id: WriteID, now: Instant) -> StoryID? {
        let before = pending.update(id.number) { write in
            defer {
                write.isAtRisk = false
                write.isAwaitedByStory = false
            }
            return (
                partition: write.isAtRisk ? write.partition : nil,
                story: write.isAwaitedByStory ? write.story : nil
            )
        }
        if let partition = before?.partition { exposure.ended(in: partition, now: now) }
        return before?.story
    }

    /// Counts a failure.
    ///
    /// - Returns: How many there were, this one included.
    mutating func failed(_ id: WriteID) -> Int {
        pending.update(id.number) { write in
            write.failures += 1
            return write.failures
        } ?? 0
    }

    func contains(of partitions: Set<PartitionID>) -> Bool {
        pending.elements.contains { partitions.contains($0.value.partition) }
    }

    mutating func forget(_ partitions: Set<PartitionID>) {
        pending.filter { !partitions.contains($0.partition) }
        exposure.forget(partitions)
    }
}
