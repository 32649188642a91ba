/// The latest owners in the ledger of a partition, collected while it is read from its beginning.
package struct LedgerOwners: Sendable {
    /// The last two owners by their terms, oldest first.
    private var terms: [(term: Int64, owner: LedgerOwner)] = []

    package init() {}

    /// Adds an owner record. A record of an owner before the latest is from a late writer and does not count.
    package mutating func add(_ owner: LedgerOwner, at ledgerOffset: Int64) {
        // A worker that left before it knew its term repeats the record of the owner before it. If that comes after the record
        // of another owner, it does not count for that one.
        if !owner.isBeginning, owner.term == nil, let last = terms.last, last.owner.writer != owner.writer { return }
        let term = owner.term ?? ledgerOffset
        if let same = terms.firstIndex(where: { $0.term == term }) {
            terms[same].owner = owner
        } else if term > terms.last?.term ?? -1 {
            // An owner begins again if it does not know whether the ledger has its record.
            if terms.last?.owner.writer == owner.writer { terms.removeLast() }
            terms = terms.suffix(1) + [(term, owner)]
        }
    }

    /// The term of the latest owner; `nil` if absent.
    var latestTerm: Int64? { terms.last?.term }

    /// The latest owner.
    ///
    /// - Parameter writer: An owner to skip: the worker itself.
    /// - Returns: `nil` if there is no other.
    package func latest(besides writer: UInt64? = nil) -> LedgerOwner? {
        terms.last { $0.owner.writer != writer }?.owner
    }
}
