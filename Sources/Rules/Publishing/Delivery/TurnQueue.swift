/// Waiting things of several partitions, which take turns: first in, first out within a partition.
///
/// So the backlog of one partition, as after a colleague's crash, keeps no other waiting. Every step in constant time.
package struct TurnQueue<Element: Sendable>: Sendable {
    /// What goes before all turns.
    private var urgent = RingQueue<Element>()
    /// By the partition's number.
    private var queues: [RingQueue<Element>] = []
    /// The partitions of which something waits, in the order of their turns.
    private var turns = RingQueue<Int>()
    package private(set) var count = 0

    package init() {}

    package var isEmpty: Bool { count == 0 }

    /// Whether something waits that goes before all turns.
    package var hasUrgent: Bool { !urgent.isEmpty }

    package mutating func append(_ element: Element, of partition: PartitionID) {
        let index = Int(partition.index)
        while queues.count <= index { queues.append(RingQueue()) }
        if queues[index].isEmpty { turns.append(index) }
        queues[index].append(element)
        count += 1
    }

    /// Puts something back that had had its turn: before what came after it.
    ///
    /// - Parameters:
    ///   - element: What comes back.
    ///   - partition: Its partition.
    ///   - isOlder: Whether one of the partition that waits came before it. Asked of the first few only.
    package mutating func putBack(_ element: Element, of partition: PartitionID, after isOlder: (Element) -> Bool) {
        let index = Int(partition.index)
        while queues.count <= index { queues.append(RingQueue()) }
        if queues[index].isEmpty { turns.prepend(index) }
        queues[index].insert(element, after: isOlder)
        count += 1
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
        let element = queues[index].popFirst()
        if !queues[index].isEmpty { turns.append(index) }
        return element
    }
}
