/// The bytes of a source record while its event is in progress.
///
/// The worker has its own implementation, which need not copy the bytes. Releasing the last reference frees the memory.
package protocol OriginalRecord: AnyObject, Sendable {
    /// A copy of key, value and headers for long waits, which must not keep the consumer's memory.
    func copy() -> RecordCopy
    /// The last `traceparent` header, if it is valid; read when the event ends.
    var traceparent: TraceParent? { get }
    /// The bytes of key, value and headers together.
    var byteCount: Int { get }
}

/// A source record in its own memory, for example one that was read back from the ledger.
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

    /// The size of its contents in memory, in bytes, without the overhead of objects.
    package var byteCount: Int {
        (key?.count ?? 0) + value.count + headers.reduce(0) { $0 + $1.name.utf8.count + ($1.value?.count ?? 0) }
    }
}
