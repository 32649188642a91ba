extension Span where Element: ~Copyable {
    /// Lends each element in turn.
    ///
    /// A loop over the places copies an element before it is handed to a function, with a count for each of its strings and
    /// lists. Here an element may be of a type that has no copies, so none is made.
    @inline(__always)
    func lendEach(_ body: (borrowing Element) -> Void) {
        for index in indices { body(self[index]) }
    }
}
