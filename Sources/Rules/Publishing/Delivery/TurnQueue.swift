/// Waiting things of several partitions, which take turns: first in, first out within a partition.
///
/// So the backlog of one partition, as after a colleague's crash, keeps no other waiting. Every step but the pausing of a
/// partition in constant time.
package struct TurnQueue<Element: Sendable>: Sendable {
    private struct Waiting: Sendable {
        var queue = RingQueue<Element>()
        var isPaused = false
    }

    /// What goes before all turns.
    private var urgent = RingQueue<Element>()
    /// By the partition's number.
    private var partitions: [Waiting] = []
    /// The partitions of which something waits and that are not paused, in the order of their turns.
    private var turns = RingQueue<Int>()
    /// How many may have their turn: what waits of paused partitions does not count.
    package private(set) var count = 0

    package init() {}

    package var isEmpty: Bool { count == 0 }

    /// Whether something waits that goes before all turns.
    package var hasUrgent: Bool { !urgent.isEmpty }

    package mutating func append(_ element: Element, of partition: PartitionID) {
        let index = makeRoom(for: partition)
        if !partitions[index].isPaused {
            if partitions[index].queue.isEmpty { turns.append(index) }
            count += 1
        }
        partitions[index].queue.append(element)
    }

    /// Puts something back that had had its turn: before what came after it.
    ///
    /// - Parameters:
    ///   - element: What comes back.
    ///   - partition: Its partition.
    ///   - isOlder: Whether one of the partition that waits came before it. Asked of the first few only.
    package mutating func putBack(_ element: Element, of partition: PartitionID, after isOlder: (Element) -> Bool) {
        let index = makeRoom(for: partition)
        if !partitions[index].isPaused {
            if partitions[index].queue.isEmpty { turns.prepend(index) }
            count += 1
        }
        partitions[index].queue.insert(element, after: isOlder)
    }

    package mutating func prepend(_ element: Element) {
        urgent.prepend(element)
        count += 1
    }

    package mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        count -= 1
        if let element = urgent.popFirst() { return element }
        guard let index = turns.popFirst() else { return nil }
        let element = partitions[index].queue.popFirst()
        if !partitions[index].queue.isEmpty { turns.append(index) }
        return element
    }

    /// Looks at what is likely to have its turn next: of each partition that has turns as many.
    ///
    /// - Parameters:
    ///   - limit: How many at most.
    ///   - body: Looks at one; returns whether it wants to see another.
    package func look(atMost limit: Int, _ body: (Element) -> Bool) {
        guard !turns.isEmpty else { return }
        let depth = max(1, limit / turns.count)
        for turn in 0..<min(limit, turns.count) {
            guard let index = turns[turn] else { return }
            for place in 0..<min(depth, partitions[index].queue.count) {
                guard let element = partitions[index].queue[place], body(element) else { return }
            }
        }
    }

    /// Lets nothing of a partition have its turn, or lets it again; what goes before all turns is not asked.
    package mutating func pause(_ partition: PartitionID, _ isPaused: Bool) {
        let index = makeRoom(for: partition)
        guard partitions[index].isPaused != isPaused else { return }
        partitions[index].isPaused = isPaused
        guard !partitions[index].queue.isEmpty else { return }
        if isPaused {
            turns.removeAll { $0 == index }
            count -= partitions[index].queue.count
        } else {
            turns.append(index)
            count += partitions[index].queue.count
        }
    }

    private mutating func makeRoom(for partition: PartitionID) -> Int {
        let index = Int(partition.index)
        while partitions.count <= index { partitions.append(Waiting()) }
        return index
    }
}
