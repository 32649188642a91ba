import NewsflashTimestamps

/// Planned actions in the order of time; at one instant, in the order in which they were added.
struct EventQueue {
    private struct Entry {
        let time: Int64
        let number: UInt64
        let action: () -> Void

        func isBefore(_ other: Entry) -> Bool { (time, number) < (other.time, other.number) }
    }

    private var heap: [Entry] = []
    private var lastNumber: UInt64 = 0

    var nextTime: Instant? { heap.first.map { Instant(nanoseconds: $0.time) } }

    mutating func add(at time: Instant, _ action: @escaping () -> Void) {
        lastNumber += 1
        heap.append(Entry(time: time.nanoseconds, number: lastNumber, action: action))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].isBefore(heap[parent]) else { break }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    mutating func popFirst() -> (() -> Void)? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        guard !heap.isEmpty else { return first.action }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].isBefore(heap[least]) {
                least = child
            }
            guard least != parent else { break }
            heap.swapAt(parent, least)
            parent = least
        }
        return first.action
    }

    mutating func removeAll() { heap = [] }
}
