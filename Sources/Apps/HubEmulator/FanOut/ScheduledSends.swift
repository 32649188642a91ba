import NewsflashTimestamps

/// Scheduled sends. Finding the next takes constant time; insertion and removal take logarithmic time.
struct ScheduledSends {
    struct Entry {
        var due: Timestamp
        /// The hub's id of the notification.
        var id: String
        var fanOut: FanOut
    }

    /// The position of an entry in the order: by time, then by arrival.
    private struct Place {
        var due: Timestamp
        var sequence: Int64

        func isBefore(_ other: Place) -> Bool { due == other.due ? sequence < other.sequence : due < other.due }
    }

    private var entries: [Int64: Entry] = [:]
    /// A binary heap. Cancelled sends remain until they reach the top, or until they are more than half of the heap.
    private var heap: [Place] = []

    var count: Int { entries.count }

    /// The time of the next send. The top of the heap is never a cancelled send.
    var nextDue: Timestamp? { heap.first?.due }

    /// Adds a send; its number must be unique.
    mutating func insert(_ entry: Entry) {
        entries[entry.fanOut.message.sequence] = entry
        heap.append(Place(due: entry.due, sequence: entry.fanOut.message.sequence))
        rise(from: heap.count - 1)
    }

    /// Removes and returns the next send if it is due.
    mutating func popDue(now: Timestamp) -> Entry? {
        guard let place = heap.first, place.due <= now else { return nil }
        let entry = entries.removeValue(forKey: place.sequence)
        dropGone()
        return entry
    }

    /// Removes a send.
    ///
    /// - Returns: Whether it existed and `isMeant` accepted it.
    mutating func remove(_ sequence: Int64, where isMeant: (Entry) -> Bool) -> Bool {
        guard let entry = entries[sequence], isMeant(entry) else { return false }
        entries[sequence] = nil
        dropGone()
        return true
    }

    /// Removes all matching sends.
    ///
    /// - Returns: The sends, in ascending order of their numbers.
    mutating func removeAll(where isMeant: (Entry) -> Bool) -> [FanOut] {
        let removed = entries.values.filter(isMeant).map(\.fanOut).sorted { $0.message.sequence < $1.message.sequence }
        for fanOut in removed { entries[fanOut.message.sequence] = nil }
        dropGone()
        return removed
    }

    private mutating func dropGone() {
        if heap.count > 64, heap.count > 2 * entries.count {
            // A sorted array is a valid heap.
            heap = heap.filter { entries[$0.sequence] != nil }.sorted { $0.isBefore($1) }
        }
        while let top = heap.first, entries[top.sequence] == nil {
            heap.swapAt(0, heap.count - 1)
            heap.removeLast()
            sink()
        }
    }

    private mutating func rise(from start: Int) {
        var index = start
        while index > 0, heap[index].isBefore(heap[(index - 1) / 2]) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    /// Moves the top down to its place.
    private mutating func sink() {
        var index = 0
        while true {
            var first = index
            for child in [2 * index + 1, 2 * index + 2] where child < heap.count && heap[child].isBefore(heap[first]) {
                first = child
            }
            guard first != index else { return }
            heap.swapAt(index, first)
            index = first
        }
    }
}
