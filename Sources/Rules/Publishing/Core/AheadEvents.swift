/// The events that the priority scan found ahead of the consumer, by the places of their records: those in progress, and those
/// that are processed before the consumer comes to them.
struct AheadEvents: Sendable {
    /// How many records of one story may be done with others before them not read, since the ledger lists them one by one.
    static let longestTrail = 64

    private struct Place: Hashable {
        var partition: PartitionID
        var offset: Int64
    }

    /// The most places of ``processed``: a few megabytes. The ledger knows the others.
    private static let mostProcessed = 100_000

    private var ids: [Place: EventID] = [:]
    private var processed: Set<Place> = []

    var count: Int { ids.count }

    func contains(_ offset: Int64, of partition: PartitionID) -> Bool {
        let place = Place(partition: partition, offset: offset)
        return ids[place] != nil || processed.contains(place)
    }

    mutating func insert(_ id: EventID, at place: RecordPlace) {
        ids[Place(partition: place.partition, offset: place.offset)] = id
    }

    /// Forgets the event at a place, because the reader has come to it or it has ended.
    @discardableResult
    mutating func remove(_ offset: Int64, of partition: PartitionID) -> EventID? {
        ids.isEmpty ? nil : ids.removeValue(forKey: Place(partition: partition, offset: offset))
    }

    /// Records that the event at a place is processed.
    mutating func finish(_ place: RecordPlace) {
        let place = Place(partition: place.partition, offset: place.offset)
        ids[place] = nil
        if processed.count < Self.mostProcessed { processed.insert(place) }
    }

    /// Forgets a processed event, because the consumer has come to it.
    ///
    /// - Returns: Whether it was one.
    mutating func takeProcessed(_ offset: Int64, of partition: PartitionID) -> Bool {
        !processed.isEmpty && processed.remove(Place(partition: partition, offset: offset)) != nil
    }

    /// Forgets a partition that has left, or whose offsets went back.
    mutating func forget(_ partition: PartitionID) {
        ids = ids.filter { $0.key.partition != partition }
        processed = processed.filter { $0.partition != partition }
    }
}
