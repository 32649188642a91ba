package import Timestamps

/// An order to the workers of a group, as a person or a volume limit gives it. ``SourceHolds`` says which are in force.
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

    /// The key of its record in the control topic, which keeps the last order of each key.
    ///
    /// Volume limits have keys of their own, so that their orders do not replace those of persons.
    package var key: String { author == .brake ? Self.prefixOfLimits + scope.key : scope.key }

    private static let prefixOfLimits = "limit "

    /// The release that a record without a value is: somebody deleted the order of a scope.
    ///
    /// Compaction deletes the order before it, so a worker that starts later does not find that order.
    ///
    /// - Parameters:
    ///   - key: Of the record.
    ///   - at: When the record was written.
    /// - Returns: The release; `nil` if the key is of another kind of order.
    package static func deletion(of key: String, at: Timestamp) -> ControlRecord? {
        let isOfLimit = key.hasPrefix(prefixOfLimits)
        let name = isOfLimit ? String(key.dropFirst(prefixOfLimits.count)) : key
        guard let scope = HoldScope(key: name) else { return nil }
        return ControlRecord(
            .release,
            scope,
            by: isOfLimit ? .brake : .person("somebody"),
            reason: "the order was deleted from the topic",
            at: at
        )
    }
}
