/// A queue, first in, first out, to which elements can also be added at the front; moves each element once.
struct Queue<Element> {
    private var incoming: [Element] = []
    /// The front of the queue, in reverse.
    private var outgoing: [Element] = []

    var count: Int { incoming.count + outgoing.count }
    var first: Element? { outgoing.last ?? incoming.first }
    var isEmpty: Bool { incoming.isEmpty && outgoing.isEmpty }

    mutating func append(_ element: Element) {
        incoming.append(element)
    }

    mutating func prepend(_ element: Element) {
        outgoing.append(element)
    }

    mutating func popFirst() -> Element? {
        if outgoing.isEmpty {
            swap(&incoming, &outgoing)
            outgoing.reverse()
        }
        return outgoing.popLast()
    }

    /// Removes and returns all elements that fulfil a condition, in order.
    mutating func removeAll(where isUnwanted: (Element) -> Bool) -> [Element] {
        guard outgoing.contains(where: isUnwanted) || incoming.contains(where: isUnwanted) else { return [] }
        let removed = outgoing.reversed().filter(isUnwanted) + incoming.filter(isUnwanted)
        outgoing.removeAll(where: isUnwanted)
        incoming.removeAll(where: isUnwanted)
        return removed
    }

    /// Calls a closure with all elements, in no particular order.
    func forEach(_ body: (Element) -> Void) {
        outgoing.forEach(body)
        incoming.forEach(body)
    }
}
