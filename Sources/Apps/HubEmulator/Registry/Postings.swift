/// An index of the registrations with a tag. It may contain stale entries, so each result must be checked.
///
/// Removal leaves the entry in place, because removing a million entries from the middle of an array would take minutes. The
/// owner rebuilds the index when more than half of it may be stale.
struct Postings {
    private(set) var slots: [UInt32] = []
    /// The number of registrations with the tag.
    private(set) var live = 0

    mutating func insert(_ slot: UInt32) {
        slots.append(slot)
        live += 1
    }

    mutating func remove() {
        live -= 1
    }

    /// Whether more than half of the entries may be stale.
    var isStale: Bool { slots.count > 64 && slots.count > 2 * live }

    /// Removes stale and duplicate entries and sorts the rest.
    mutating func rebuild(where holds: (UInt32) -> Bool) {
        slots = slots.filter(holds).sortedAndUnique()
        live = slots.count
    }
}

extension [UInt32] {
    /// The elements in ascending order without duplicates.
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
