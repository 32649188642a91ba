/// A line: who comes first goes first, in constant time on average.
struct WaitingLine<Element> {
    private var elements: [Element?] = []
    /// Those before it have gone.
    private var start = 0

    var count: Int { elements.count - start }

    /// Who goes next.
    var first: Element? { start < elements.count ? elements[start] : nil }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    mutating func popFirst() -> Element? {
        guard start < elements.count else { return nil }
        let first = elements[start].take()
        start += 1
        // Not with each that goes: behind it there may be thousands.
        if start > 64, start * 2 > elements.count {
            elements.removeFirst(start)
            start = 0
        }
        return first
    }

    /// Takes some out, wherever they stand.
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

extension WaitingLine: Sendable where Element: Sendable {}
