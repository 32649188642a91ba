/// Waiting elements of several partitions, which take turns: first in, first out within a partition.
///
/// A backlog in one partition, for example after another worker's crash, does not delay the others. All operations except
/// pausing, putting back and removing take constant time.
package struct TurnQueue<Element: Sendable>: Sendable {
    private struct Waiting: Sendable {
        var queue = RingQueue<Element>()
        var isPaused = false
    }

    /// The elements that go before all turns.
    private var urgent = RingQueue<Element>()
    private var partitions = PerPartition(Waiting())
    /// The partitions that have waiting elements and are not paused, in the order of their turns.
    private var turns = RingQueue<PartitionID>()
    /// The number of elements that may have their turn, without those of paused partitions.
    package private(set) var count = 0

    package init() {}

    package var isEmpty: Bool { count == 0 }

    /// Whether an element waits that goes before all turns.
    package var hasUrgent: Bool { !urgent.isEmpty }

    package mutating func append(_ element: Element, of partition: PartitionID) {
        if !partitions[partition].isPaused {
            if partitions[partition].queue.isEmpty { turns.append(partition) }
            count += 1
        }
        partitions[partition].queue.append(element)
    }

    /// Puts an element back that had its turn: after those of its partition that came before it. Only the first few elements
    /// are compared.
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

    /// Removes the elements of a partition that meet a condition, except those that go before all turns. The time is
    /// proportional to the number of the partition's elements.
    package mutating func remove(of partition: PartitionID, where isMet: (Element) -> Bool) {
        let before = partitions[partition].queue.count
        partitions[partition].queue.removeAll(where: isMet)
        guard !partitions[partition].isPaused else { return }
        count -= before - partitions[partition].queue.count
        if before > 0, partitions[partition].queue.isEmpty { turns.removeAll { $0 == partition } }
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

    /// Pauses or resumes a partition. Elements that go before all turns are not affected.
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
