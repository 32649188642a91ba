/// The bytes of a source record while its event is worked on.
///
/// The edge has its own kind, which need not copy what it read. Letting go of the last reference frees the memory.
package protocol OriginalRecord: AnyObject, Sendable {
    /// Key, value and headers, for what waits for long: what was fetched must not be kept for it.
    func copy() -> RecordCopy
    /// The last `traceparent` header, where it is one; looked for when the event ends.
    var traceparent: TraceParent? { get }
}

/// A source record in memory of its own, such as one that was read back from the ledger.
package final class RecordCopy: OriginalRecord {
    package let key: [UInt8]?
    package let value: [UInt8]
    package let headers: [StoryFacts.Waiting.Header]

    package init(key: [UInt8]?, value: [UInt8], headers: [StoryFacts.Waiting.Header]) {
        self.key = key
        self.value = value
        self.headers = headers
    }

    package func copy() -> RecordCopy { self }

    package var traceparent: TraceParent? {
        headers.last { $0.name == TraceParent.header }?.value.flatMap { TraceParent($0) }
    }

    /// The bytes it takes in memory, without what each object costs.
    package var byteCount: Int {
        (key?.count ?? 0) + value.count + headers.reduce(0) { $0 + $1.name.utf8.count + ($1.value?.count ?? 0) }
    }
}
