/// How many requests a crash may repeat: those in flight, and those that a hub accepted and that no confirmed record of the
/// ledger has.
///
/// Unconfirmed requests of a dead broker are counted separately, up to the same bound again. While the ledger confirms nothing
/// at all, express goes on up to twice the bound.
package struct ExposureLimit: Sendable, Equatable {
    /// The bound for all.
    package var total: Int
    /// Of these, what is reserved for express and for appointments.
    package var reserve: Int

    package init(total: Int = 100, reserve: Int = 8) {
        self.total = total
        self.reserve = reserve
    }

    /// The bound that a number of requests in flight needs: 100, and five more for every three above 100, because the
    /// ledger takes some milliseconds to confirm what a hub accepted. 8 % of it are the reserve.
    ///
    /// - Parameter concurrency: How many requests may be in flight.
    package init(forConcurrency concurrency: Int) {
        let total = max(100, 100 + (concurrency - 100) * 5 / 3)
        self.init(total: total, reserve: total * 8 / 100)
    }
}
