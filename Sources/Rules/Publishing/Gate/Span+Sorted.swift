extension Span {
    /// So many elements are put in order without a list of their places.
    private static var few: Int { 16 }

    /// Goes through the places of the elements in an order, those that are equal in it as they stand.
    ///
    /// An event has few texts and categories: to look for the next again and again takes less than a sorted copy.
    ///
    /// - Parameters:
    ///   - precedes: Whether what lies at the first place comes before what lies at the second.
    ///   - body: Called once for each.
    @inline(__always)
    func forEachPlace(by precedes: (Int, Int) -> Bool, _ body: (Int) -> Void) {
        guard count <= Self.few else {
            for place in indices.sorted(by: precedes) { body(place) }
            return
        }
        // A bit for each that is done.
        var done: UInt = 0
        for _ in indices {
            var next: Int?
            for place in indices where (done & 1 << UInt(place)) == 0 {
                if let found = next, !precedes(place, found) { continue }
                next = place
            }
            guard let next else { return }
            done |= 1 << UInt(next)
            body(next)
        }
    }
}
