/// A FIFO queue with amortized constant time.
struct FIFOQueue<Element> {
    private var elements: [Element?] = []
    /// The index of the first element; earlier ones were removed.
    private var start = 0

    var count: Int { elements.count - start }

    /// The next element.
    var first: Element? { start < elements.count ? elements[start] : nil }

    /// The element that was added last.
    var last: Element? { count > 0 ? elements[elements.count - 1] : nil }

    /// The elements in their order.
    var all: some Sequence<Element> { elements[start...].lazy.compactMap(\.self) }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    mutating func popFirst() -> Element? {
        guard start < elements.count else { return nil }
        let first = elements[start].take()
        start += 1
        // Not after each removal, because thousands of elements may follow.
        if start > 64, start * 2 > elements.count {
            elements.removeFirst(start)
            start = 0
        }
        return first
    }

    /// Removes all matching elements.
    mutating func removeAll(where isWanted: (Element) -> Bool) -> [Element] {
        var removed: [Element] = []
        var left: [Element?] = []
        for case let element? in elements[start...] {
            if isWanted(element) { removed.append(element) } else { left.append(element) }
        }
        elements = left
        start = 0
        return removed
    }
}

extension FIFOQueue: Sendable where Element: Sendable {}
