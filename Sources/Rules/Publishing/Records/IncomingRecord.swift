package import NewsEvents

/// Names one record while the worker holds it.
package struct RecordID: Hashable, Sendable {
    package var number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}

/// A record as the machine sees it: what it says and where it came from.
///
/// Its bytes stay with the caller, under ``id``, until ``PublishingAction/release(_:)``.
package struct IncomingRecord: Sendable {
    package var id: RecordID
    package var origin: RecordOrigin
    /// What the record holds in memory, for the read-ahead budget.
    package var byteCount: Int
    package var content: DecodeOutcome

    package init(id: RecordID, origin: RecordOrigin, byteCount: Int, content: DecodeOutcome) {
        self.id = id
        self.origin = origin
        self.byteCount = byteCount
        self.content = content
    }
}
