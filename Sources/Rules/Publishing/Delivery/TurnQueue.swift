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
    private var partitions = PerPartition(Waiting())
    /// The partitions of which something waits and that are not paused, in the order of their turns.
    private var turns = RingQueue<PartitionID>()
    /// How many may have their turn: what waits of paused partitions does not count.
    package private(set) var count = 0

    package init() {}

    package var isEmpty: Bool { count == 0 }

    /// Whether something waits that goes before all turns.
    package var hasUrgent: Bool { !urgent.isEmpty }

    package mutating func append(_ element: Element, of partition: PartitionID) {
        if !partitions[partition].isPaused {
            if partitions[partition].queue.isEmpty { turns.append(partition) }
            count += 1
        }
        partitions[partition].queue.append(element)
    }

    /// Puts something back that had had its turn: behind those of its partition that came before it. Only the first few are
    /// compared.
    package mutating func putBack(_ element: Element, of partition: PartitionID, after isOlder: (Element) -> Bool) {
        if !partitions[partition].isPaused {
            if partitions[partition].queue.isEmpty { turns.prepend(partition) }
            count += 1
        }
        partitions[partition].queue.insert(element, after: isOlder)
    }

    package mutating func prepend(_ element: Element) {
        urgent.prepend(element)
        count += 1
    }

    package mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        count -= 1
        if let element = urgent.popFirst() { return element }
        guard let partition = turns.popFirst() else { return nil }
        let element = partitions[partition].queue.popFirst()
        if !partitions[partition].queue.isEmpty { turns.append(partition) }
        return element
    }

    /// Lets nothing of a partition have its turn, or lets it again; what goes before all turns is not asked.
    package mutating func pause(_ partition: PartitionID, _ isPaused: Bool) {
        guard partitions[partition].isPaused != isPaused else { return }
        partitions[partition].isPaused = isPaused
        guard !partitions[partition].queue.isEmpty else { return }
        if isPaused {
            turns.removeAll { $0 == partition }
            count -= partitions[partition].queue.count
        } else {
            turns.append(partition)
            count += partitions[partition].queue.count
        }
    }
}
