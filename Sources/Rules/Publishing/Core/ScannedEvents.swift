/// The events that the priority scan found ahead of the consumer, by the positions of their records: events in progress, and
/// events that are processed before the consumer reaches them.
struct ScannedEvents: Sendable {
    /// The maximum number of processed records of one story after unread ones, because the ledger lists each of them.
    static let longestTrail = 64

    private struct Place: Hashable {
        var partition: PartitionID
        var offset: Int64
    }

    /// The maximum number of entries in ``processed``: a few megabytes. The ledger contains the others.
    private static let mostProcessed = 100_000

    private var ids: [Place: EventID] = [:]
    private var processed: Set<Place> = []

    var count: Int { ids.count }

    func contains(_ offset: Int64, of partition: PartitionID) -> Bool {
        let place = Place(partition: partition, offset: offset)
        return ids[place] != nil || processed.contains(place)
    }

    mutating func insert(_ id: EventID, at place: RecordPosition) {
        ids[Place(partition: place.partition, offset: place.offset)] = id
    }

    /// Forgets the event at a position, because the consumer has reached it or it has ended.
    @discardableResult
    mutating func remove(_ offset: Int64, of partition: PartitionID) -> EventID? {
        ids.isEmpty ? nil : ids.removeValue(forKey: Place(partition: partition, offset: offset))
    }

    /// Records that the event at a position is processed.
    mutating func finish(_ place: RecordPosition) {
        let place = Place(partition: place.partition, offset: place.offset)
        ids[place] = nil
        if processed.count < Self.mostProcessed { processed.insert(place) }
    }

    /// Forgets a processed event, because the consumer has reached it.
    ///
    /// - Returns: Whether the event at this position was processed.
    mutating func removeProcessed(_ offset: Int64, of partition: PartitionID) -> Bool {
        !processed.isEmpty && processed.remove(Place(partition: partition, offset: offset)) != nil
    }

    /// Forgets a partition that was given up, or whose offsets went back.
    mutating func forget(_ partition: PartitionID) {
        ids = ids.filter { $0.key.partition != partition }
        processed = processed.filter { $0.partition != partition }
    }
}
