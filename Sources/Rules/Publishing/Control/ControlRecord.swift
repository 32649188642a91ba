package import Timestamps

/// An order to the workers of a group, as a person or a volume limit gives it: of each scope, the one with the highest offset
/// in the control topic is in force.
///
/// The control topic keeps it, so that it outlives restarts and reaches every worker; ``ControlOrderCodec`` writes and reads
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
    /// When it was given, by the clock of whoever gave it. It does not decide which order is in force. A worker that starts
    /// later takes it for the moment of a release, after which volume limits count.
    package var at: Timestamp

    package init(_ act: Act, _ scope: HoldScope, by author: Author, reason: String, at: Timestamp) {
        self.act = act
        self.scope = scope
        self.author = author
        self.reason = reason
        self.at = at
    }

    /// The release that a record without a value is: somebody deleted the order of a scope.
    ///
    /// Compaction deletes the order before it, so a worker that starts later does not find that order.
    ///
    /// - Parameters:
    ///   - scope: Of the record's key.
    ///   - at: When the record was written.
    /// - Returns: The release.
    package static func deletion(of scope: HoldScope, at: Timestamp) -> ControlRecord {
        ControlRecord(.release, scope, by: .person("somebody"), reason: "the order was deleted from the topic", at: at)
    }
}
