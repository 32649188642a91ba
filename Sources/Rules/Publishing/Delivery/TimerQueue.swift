/// Timers on one clock; the earliest comes first, equal ones in the order in which they were set.
package struct TimerQueue<Clock: Comparable & Sendable, Element: Sendable>: Sendable {
    private struct Entry {
        var due: Clock
        var sequence: UInt64
        var element: Element

        func isBefore(_ other: Entry) -> Bool {
            due < other.due || (due == other.due && sequence < other.sequence)
        }
    }

    /// A binary heap.
    private var heap: [Entry] = []
    private var sequence: UInt64 = 0

    package init() {}

    /// When the first timer is due.
    package var nextDue: Clock? { heap.first?.due }

    package var count: Int { heap.count }

    package mutating func set(_ element: Element, at due: Clock) {
        sequence += 1
        heap.append(Entry(due: due, sequence: sequence, element: element))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].isBefore(heap[parent]) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    /// Removes and returns the earliest element if it is due.
    package mutating func popDue(at now: Clock) -> Element? {
        guard let first = heap.first, first.due <= now else { return nil }
        heap[0] = heap[heap.count - 1]
        heap.removeLast()
        siftDown(0)
        return first.element
    }

    /// Removes timers that are not needed any more. The time is proportional to the number of timers.
    package mutating func removeAll(where isUnneeded: (Element) -> Bool) {
        heap.removeAll { isUnneeded($0.element) }
        for parent in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(parent) }
    }

    private mutating func siftDown(_ start: Int) {
        var parent = start
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].isBefore(heap[least])
            {
                least = child
            }
            guard least != parent else { break }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
