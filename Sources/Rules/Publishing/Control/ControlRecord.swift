package import Timestamps

/// An order to the workers of a group, as a person or a brake gives it: the latest of a scope is in force.
///
/// The control topic keeps it, so that it outlives restarts and reaches every worker; ``ControlRecordCodec`` writes and reads
/// it.
package struct ControlRecord: Sendable, Equatable {
    package enum Act: String, Sendable, CaseIterable {
        /// Nothing of the scope is sent; it waits in the ledger.
        case hold
        /// All of the scope may go again, what a brake keeps included.
        case release
    }

    /// Who gives an order.
    package enum Author: Sendable, Equatable {
        case person(String)
        /// A worker whose brake was tripped.
        case brake
    }

    package var act: Act
    package var scope: HoldScope
    package var author: Author
    /// For people: why. Never words of news.
    package var reason: String
    package var at: Timestamp

    package init(_ act: Act, _ scope: HoldScope, by author: Author, reason: String, at: Timestamp) {
        self.act = act
        self.scope = scope
        self.author = author
        self.reason = reason
        self.at = at
    }
}
