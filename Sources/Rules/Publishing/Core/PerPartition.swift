/// A value for each partition, found by its number and changed in place. A dictionary would copy a large value to change it.
struct PerPartition<Value> {
    /// By the number of the partition, as far as a value was set.
    private(set) var values: [Value] = []
    private let initial: Value

    /// Makes a table in which each partition has the same value.
    init(_ initial: Value) { self.initial = initial }

    subscript(id: PartitionID) -> Value {
        get { Int(id.index) < values.count ? values[Int(id.index)] : initial }
        _modify {
            while values.count <= Int(id.index) { values.append(initial) }
            yield &values[Int(id.index)]
        }
    }

    /// The partitions that have a value of their own, in order.
    var ids: LazyMapCollection<Range<Int>, PartitionID> { values.indices.lazy.map { PartitionID(Int32($0)) } }
}

extension PerPartition: Sendable where Value: Sendable {}
