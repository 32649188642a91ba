extension Array {
    /// So many elements are put in order without a copy.
    private static var few: Int { 8 }

    /// Goes through the elements in an order, those that are equal in it as they stand.
    ///
    /// An event has few texts and categories: to look for the next again and again takes less than a sorted copy.
    ///
    /// - Parameters:
    ///   - precedes: Whether the first comes before the second.
    ///   - body: Called once for each.
    @inline(__always)
    func forEachSorted(by precedes: (Element, Element) -> Bool, _ body: (Element) -> Void) {
        guard count <= Self.few else {
            for element in sorted(by: precedes) { body(element) }
            return
        }
        // A bit for each that is done.
        var done: UInt = 0
        for _ in indices {
            var next: Int?
            for index in indices where (done & 1 << UInt(index)) == 0 {
                if let found = next, !precedes(self[index], self[found]) { continue }
                next = index
            }
            guard let next else { return }
            done |= 1 << UInt(next)
            body(self[next])
        }
    }
}
