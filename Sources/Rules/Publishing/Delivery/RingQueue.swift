/// A first-in, first-out queue that can also insert near the front. Only `insert` and `removeAll` take more than constant time.
package struct RingQueue<Element: Sendable>: Sendable {
    private var slots: [Element?] = Array(repeating: nil, count: 8)
    private var head = 0
    package private(set) var count = 0

    package init() {}

    package var isEmpty: Bool { count == 0 }

    /// The next element.
    package var first: Element? { count > 0 ? slots[head] : nil }

    /// The element at a position.
    ///
    /// - Parameter place: The number of elements before it; below ``count``.
    package subscript(place: Int) -> Element? {
        get { slots[slot(place)] }
        set { slots[slot(place)] = newValue }
    }

    /// The slot of the element at a position, modulo the capacity.
    private func slot(_ place: Int) -> Int { (head + place) & (slots.count - 1) }

    package mutating func append(_ element: Element) {
        growIfFull()
        slots[slot(count)] = element
        count += 1
    }

    package mutating func prepend(_ element: Element) {
        insert(element) { _ in false }
    }

    /// Inserts an element after the first elements that meet a condition. The time is proportional to their number.
    package mutating func insert(_ element: Element, after isBefore: (Element) -> Bool) {
        var place = 0
        while place < count, let other = slots[slot(place)], isBefore(other) { place += 1 }
        growIfFull()
        head = slot(-1)
        for index in 0..<place { slots[slot(index)] = slots[slot(index + 1)].take() }
        slots[slot(place)] = element
        count += 1
    }

    package mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        let element = slots[head].take()
        head = slot(1)
        count -= 1
        return element
    }

    /// Removes the elements that meet a condition. The time is proportional to ``count``.
    package mutating func removeAll(where isMet: (Element) -> Bool) {
        for _ in 0..<count {
            guard let element = popFirst() else { return }
            if !isMet(element) { append(element) }
        }
    }

    /// Doubles the capacity, which stays a power of two.
    private mutating func growIfFull() {
        guard count == slots.count else { return }
        slots = (0..<count * 2).map { $0 < count ? slots[(head + $0) & (count - 1)] : nil }
        head = 0
    }
}
