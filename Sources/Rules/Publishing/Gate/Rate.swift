/// So many in so long a time.
package struct Rate: Sendable, Equatable {
    /// At least one.
    package let count: Int
    package let per: Duration

    /// Makes a rate.
    ///
    /// - Parameters:
    ///   - count: How many may be; fewer than one count as one.
    ///   - per: In how long a time.
    package init(_ count: Int, per: Duration) {
        self.count = max(count, 1)
        self.per = per
    }
}
