/// The number of requests that a crash may repeat: requests in flight, and requests that a hub accepted and that no confirmed
/// record of the ledger contains.
///
/// Unconfirmed requests of a dead broker are counted separately, up to the same bound again. While the ledger confirms nothing
/// at all, express goes on up to twice the bound.
package struct RiskLimit: Sendable, Equatable {
    /// The bound for all requests.
    package var total: Int
    /// The part of ``total`` that is reserved for express and for appointments.
    package var reserve: Int

    package init(total: Int = 100, reserve: Int = 8) {
        self.total = total
        self.reserve = reserve
    }

    /// The bound that a number of requests in flight needs: 100, and five more for every three above 100, because the ledger
    /// takes some milliseconds to confirm what a hub accepted. 8 % of the bound is the reserve.
    ///
    /// - Parameter concurrency: The maximum number of requests in flight.
    package init(forConcurrency concurrency: Int) {
        let total = max(100, 100 + (concurrency - 100) * 5 / 3)
        self.init(total: total, reserve: total * 8 / 100)
    }
}
