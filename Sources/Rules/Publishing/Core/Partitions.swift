import NewsflashTopicPartitions

/// Identifies a source partition by its index in the core's list. It is valid for the lifetime of the core.
package struct PartitionID: Hashable, Sendable {
    package var index: Int32

    package init(_ index: Int32) {
        self.index = index
    }
}

/// The source partitions.
struct Partitions: Sendable {
    private var all: [Partition] = []
    private var ids: [TopicPartition: PartitionID] = [:]
    /// Whether a watermark may have moved since the last commit.
    private(set) var hasMoved = false

    /// The identifier of a partition, which need not be ours.
    mutating func id(of source: TopicPartition) -> PartitionID {
        if let id = ids[source] { return id }
        let id = PartitionID(Int32(all.count))
        ids[source] = id
        all.append(Partition(source: source))
        return id
    }

    // Yields the partition, because a getter would copy it.
    subscript(id: PartitionID) -> Partition {
        _read { yield all[Int(id.index)] }
        _modify { yield &all[Int(id.index)] }
    }

    /// Our partitions, in order, with their phases and progress.
    var ours: [PublishingStatus.Partition] {
        all.filter { $0.phase != .away }
            .map { partition in
                PublishingStatus.Partition(
                    source: partition.source,
                    phase: partition.phase,
                    frontier: partition.tracker.frontier,
                    open: partition.tracker.openCount,
                    oldestOpenTime: partition.tracker.oldestOpenTime
                )
            }
            .sorted { $0.source < $1.source }
    }

    var isAnyDraining: Bool { all.contains { $0.phase == .draining } }

    /// The partitions that are being given back.
    var draining: [PartitionID] {
        all.indices.lazy.filter { all[$0].phase == .draining }.map { PartitionID(Int32($0)) }
    }

    /// Marks a record as processed.
    mutating func complete(_ place: RecordPosition) {
        guard self[place.partition].reading == place.reading else { return }
        self[place.partition].complete(place.offset)
        hasMoved = true
    }

    /// Begins the commits that are due.
    ///
    /// - Returns: The offsets to commit; each is returned once.
    mutating func beginCommits() -> [TopicPartition: Int64] {
        // The answer to a commit sets it again.
        hasMoved = false
        var offsets: [TopicPartition: Int64] = [:]
        for index in all.indices {
            if let offset = all[index].beginCommit() { offsets[all[index].source] = offset }
        }
        return offsets
    }

    /// Receives the answer to a commit.
    mutating func commitEnded(_ source: TopicPartition, succeeded: Bool) {
        guard let id = ids[source] else { return }
        self[id].commitEnded(succeeded: succeeded)
        // Records that were processed meanwhile must still be committed.
        hasMoved = true
    }
}
