/// A value for each partition, indexed by its number and changed in place. A dictionary would copy a large value to change it.
struct PerPartition<Value> {
    /// The initial value, then the values of the partitions by their numbers, up to the highest that was set.
    private var slots: [Value]

    /// Creates a table in which each partition has the same value.
    init(_ initial: Value) { slots = [initial] }

    /// The values of ``ids``.
    var values: ArraySlice<Value> { slots.dropFirst() }

    // Yields the value, because a getter would copy it. The accessors do little more than yield, so that they are inlined: a
    // call would allocate its frame.
    subscript(id: PartitionID) -> Value {
        _read { yield slots[Int(id.index) + 1 < slots.count ? Int(id.index) + 1 : 0] }
        _modify {
            makeRoom(for: id)
            yield &slots[Int(id.index) + 1]
        }
    }

    /// The partitions with a stored value, in order.
    var ids: LazyMapCollection<Range<Int>, PartitionID> { (0..<slots.count - 1).lazy.map { PartitionID(Int32($0)) } }

    private mutating func makeRoom(for id: PartitionID) {
        while slots.count <= Int(id.index) + 1 { slots.append(slots[0]) }
    }
}

extension PerPartition: Sendable where Value: Sendable {}
