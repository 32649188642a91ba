/// The registrations that have a tag, as an index: what it names must be looked at again.
///
/// Removing leaves the entry where it is, since a million removals from the middle of an array would take minutes; when
/// more than half may be stale, the owner rebuilds it.
struct Postings {
    private(set) var slots: [UInt32] = []
    /// How many registrations have the tag.
    private(set) var live = 0

    mutating func insert(_ slot: UInt32) {
        slots.append(slot)
        live += 1
    }

    mutating func remove() {
        live -= 1
    }

    /// Whether rebuilding is worth it.
    var isStale: Bool { slots.count > 64 && slots.count > 2 * live }

    /// Keeps what still holds, each slot once, in order.
    mutating func rebuild(where holds: (UInt32) -> Bool) {
        slots = slots.filter(holds).sortedAndUnique()
        live = slots.count
    }
}

extension [UInt32] {
    /// The same in order without repetition.
    func sortedAndUnique() -> [UInt32] {
        var isAscending = true
        for index in indices.dropFirst() where self[index] <= self[index - 1] {
            isAscending = false
            break
        }
        guard !isAscending else { return self }
        var unique: [UInt32] = []
        unique.reserveCapacity(count)
        for slot in sorted() where slot != unique.last { unique.append(slot) }
        return unique
    }
}
