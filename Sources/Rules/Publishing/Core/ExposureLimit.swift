/// How many pushes a crash may double: requests under way, and events that the hub took and the ledger does not know.
///
/// What a dead broker leaves unconfirmed counts apart, up to as many; and while the ledger confirms nothing at all, what is
/// urgent goes on to twice as many.
package struct ExposureLimit: Sendable, Equatable {
    /// The bound for all.
    package var total: Int
    /// Of these, what is kept for flashes, withdrawals and appointments, so that they find room while others fill theirs.
    package var reserve: Int

    package init(total: Int = 100, reserve: Int = 8) {
        self.total = total
        self.reserve = reserve
    }

    /// The room that a number of requests at once needs: a hundred, and beyond a hundred at once five for every three, as the
    /// ledger takes some milliseconds to confirm what the hub took. Eight in a hundred are the reserve.
    ///
    /// - Parameter concurrency: How many requests may be under way.
    package init(forConcurrency concurrency: Int) {
        let total = max(100, 100 + (concurrency - 100) * 5 / 3)
        self.init(total: total, reserve: total * 8 / 100)
    }
}
