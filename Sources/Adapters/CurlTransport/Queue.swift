/// First in, first out, with a way back in at the front; moves each element once.
struct Queue<Element> {
    private var incoming: [Element] = []
    /// The front, in reverse.
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

    /// Takes out all for which the closure says yes, in order.
    mutating func removeAll(where isUnwanted: (Element) -> Bool) -> [Element] {
        guard outgoing.contains(where: isUnwanted) || incoming.contains(where: isUnwanted) else { return [] }
        let removed = outgoing.reversed().filter(isUnwanted) + incoming.filter(isUnwanted)
        outgoing.removeAll(where: isUnwanted)
        incoming.removeAll(where: isUnwanted)
        return removed
    }

    /// Shows all, in no certain order.
    func forEach(_ body: (Element) -> Void) {
        outgoing.forEach(body)
        incoming.forEach(body)
    }
}
