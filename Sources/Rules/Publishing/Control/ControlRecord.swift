package import NewsflashTimestamps

/// An order to pause or resume, given by a person or a volume limit. ``SourcePauses`` determines which orders are in force.
///
/// It is in the control topic, so that it outlives restarts and reaches every worker; ``ControlOrderCodec`` encodes and decodes
/// it.
package struct ControlRecord: Sendable, Equatable {
    package enum Act: String, Sendable, CaseIterable {
        /// Nothing of the scope is sent; its events wait in the ledger.
        case pause
        /// Everything in the scope may be sent again, including events that a volume limit keeps.
        case resume
    }

    /// The author of an order.
    package enum Author: Sendable, Equatable {
        case person(String)
        /// A worker whose volume limit was exceeded.
        case volumeLimit
    }

    package var act: Act
    package var scope: PauseScope
    package var author: Author
    /// The reason, for people. It never contains the text of news.
    package var reason: String
    /// When the order was given, by the clock of its author. This does not determine which order is in force. A worker that
    /// starts later uses it as the time of a resume, after which volume limits count.
    package var at: Timestamp

    package init(_ act: Act, _ scope: PauseScope, by author: Author, reason: String, at: Timestamp) {
        self.act = act
        self.scope = scope
        self.author = author
        self.reason = reason
        self.at = at
    }

    /// The key of its record in the control topic, which keeps the last order of each key.
    ///
    /// Volume limits have other keys, so that their orders do not replace those of people.
    package var key: String { author == .volumeLimit ? Self.prefixOfLimits + scope.key : scope.key }

    private static let prefixOfLimits = "limit "

    /// The resume that a record without a value represents: a person deleted the order of a scope.
    ///
    /// Compaction deletes the order before it, so a worker that starts later does not find that order.
    ///
    /// - Parameters:
    ///   - key: The key of the record.
    ///   - at: When the record was written.
    /// - Returns: The resume; `nil` if the key is of another kind of order.
    package static func deletion(of key: String, at: Timestamp) -> ControlRecord? {
        let isOfLimit = key.hasPrefix(prefixOfLimits)
        let name = isOfLimit ? String(key.dropFirst(prefixOfLimits.count)) : key
        guard let scope = PauseScope(key: name) else { return nil }
        return ControlRecord(
            .resume,
            scope,
            by: isOfLimit ? .volumeLimit : .person("somebody"),
            reason: "the order was deleted from the topic",
            at: at
        )
    }
}
