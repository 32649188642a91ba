extension Span where Element: ~Copyable {
    /// Calls `body` with each element borrowed.
    ///
    /// A plain loop would copy the element and retain its strings and arrays. The element may also be of a non-copyable type.
    @inline(__always)
    func forEachBorrowed(_ body: (borrowing Element) -> Void) {
        for index in indices { body(self[index]) }
    }
}
