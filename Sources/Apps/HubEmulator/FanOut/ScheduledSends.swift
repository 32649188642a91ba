import Timestamps

/// Sends that wait for their time: the next in constant time, coming and going in logarithmic time.
struct ScheduledSends {
    struct Entry {
        var due: Timestamp
        /// The hub's name of the message.
        var id: String
        var fanOut: FanOut
    }

    /// Where an entry stands in the order: those of the same time as they came.
    private struct Place {
        var due: Timestamp
        var sequence: Int64

        func isBefore(_ other: Place) -> Bool { due == other.due ? sequence < other.sequence : due < other.due }
    }

    private var entries: [Int64: Entry] = [:]
    /// A binary heap. Who was taken back stands there until it comes to the top, or until half of the heap has gone.
    private var heap: [Place] = []

    var count: Int { entries.count }

    /// When the next is due. Its entry is there: whatever was taken back is dropped from the top.
    var nextDue: Timestamp? { heap.first?.due }

    /// Takes a send in, whose number is that of no other.
    mutating func insert(_ entry: Entry) {
        entries[entry.fanOut.message.sequence] = entry
        heap.append(Place(due: entry.due, sequence: entry.fanOut.message.sequence))
        rise(from: heap.count - 1)
    }

    /// Takes out the next if it is due.
    mutating func popDue(now: Timestamp) -> Entry? {
        guard let place = heap.first, place.due <= now else { return nil }
        let entry = entries.removeValue(forKey: place.sequence)
        dropGone()
        return entry
    }

    /// Takes one out.
    ///
    /// - Returns: Whether it was there and is what is meant.
    mutating func remove(_ sequence: Int64, where isMeant: (Entry) -> Bool) -> Bool {
        guard let entry = entries[sequence], isMeant(entry) else { return false }
        entries[sequence] = nil
        dropGone()
        return true
    }

    /// Takes several out.
    ///
    /// - Returns: Their sequence numbers, in order.
    mutating func removeAll(where isMeant: (Entry) -> Bool) -> [Int64] {
        let removed = entries.values.filter(isMeant).map(\.fanOut.message.sequence).sorted()
        for sequence in removed { entries[sequence] = nil }
        dropGone()
        return removed
    }

    private mutating func dropGone() {
        if heap.count > 64, heap.count > 2 * entries.count {
            // An array in order is a heap.
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

    /// Moves the top down to where it belongs.
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
