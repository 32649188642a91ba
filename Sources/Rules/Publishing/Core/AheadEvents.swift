/// Events that were found ahead of the reader and are under way, by the places of their records.
struct AheadEvents: Sendable {
    /// How many records of one story may be done with others before them not read, since the ledger lists them one by one.
    static let longestTrail = 64

    private struct Place: Hashable {
        var partition: PartitionID
        var offset: Int64
    }

    private var ids: [Place: EventID] = [:]

    var count: Int { ids.count }

    func contains(_ offset: Int64, of partition: PartitionID) -> Bool {
        !ids.isEmpty && ids[Place(partition: partition, offset: offset)] != nil
    }

    mutating func insert(_ id: EventID, at place: RecordPlace) {
        ids[Place(partition: place.partition, offset: place.offset)] = id
    }

    /// Forgets the event at a place, because the reader has come to it or it has ended.
    @discardableResult
    mutating func remove(_ offset: Int64, of partition: PartitionID) -> EventID? {
        ids.isEmpty ? nil : ids.removeValue(forKey: Place(partition: partition, offset: offset))
    }

    /// Forgets a partition that has left, or whose offsets went back.
    mutating func forget(_ partition: PartitionID) {
        ids = ids.filter { $0.key.partition != partition }
    }
}
