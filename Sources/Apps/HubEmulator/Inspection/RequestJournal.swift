import Locks
import StrictJSON

/// A bounded log of the latest requests, accepted and refused.
///
/// Separate from the hub's state, because a request is recorded after its response is known, including the result of storage.
final class RequestJournal: Sendable {
    /// The capacity that `GET /_emulator/requests` documents.
    static let capacity = 1000
    static let maximumBytes = 1 << 20

    fileprivate struct State {
        /// A ring buffer once it is full.
        var records: [RequestRecord?] = []
        /// The index of the oldest record.
        var oldest = 0
        var count = 0
        var bytes = 0
        /// The last assigned sequence number.
        var last: Int64 = 0
    }

    private let state = Locked(State())
    private let streams: EventStreams
    private let observer: (@Sendable (RequestRecord) -> Void)?

    /// Creates an empty log.
    ///
    /// - Parameters:
    ///   - streams: The event streams, which are notified of refusals.
    ///   - observer: Called with each request.
    init(streams: EventStreams, observer: (@Sendable (RequestRecord) -> Void)?) {
        self.streams = streams
        self.observer = observer
    }

    /// Adds a request.
    func append(_ record: RequestRecord) {
        var record = record
        let isWatched = !streams.isEmpty
        state.withLock { state in
            state.last += 1
            record.sequence = state.last
            state.append(record)
            // Sent under the lock, so that sequence numbers are sent in ascending order.
            if record.isRefusal, isWatched { streams.send([.refusals(last: state.last)]) }
        }
        observer?(record)
    }

    /// Returns the matching records after a sequence number, the oldest first, and the last assigned number.
    func records(after: Int64, limit: Int, where isWanted: (RequestRecord) -> Bool) -> ([RequestRecord], last: Int64) {
        state.withLock { state in
            var found: [RequestRecord] = []
            for index in 0..<state.count where found.count < limit {
                guard let record = state.records[(state.oldest + index) % Self.capacity], record.sequence > after,
                    isWanted(record)
                else { continue }
                found.append(record)
            }
            return (found, state.last)
        }
    }

    func removeAll() {
        state.withLock { state in state = State(last: state.last) }
    }
}

extension RequestJournal.State {
    fileprivate mutating func append(_ record: RequestRecord) {
        while count > 0, count == RequestJournal.capacity || bytes + record.size > RequestJournal.maximumBytes {
            bytes -= records[oldest]?.size ?? 0
            records[oldest] = nil
            oldest = (oldest + 1) % RequestJournal.capacity
            count -= 1
        }
        // While the buffer grows, no record before `oldest` is still needed, so the end is always free.
        let place = (oldest + count) % RequestJournal.capacity
        if records.count < RequestJournal.capacity { records.append(record) } else { records[place] = record }
        count += 1
        bytes += record.size
    }
}

extension EventStreams.StreamEvent {
    /// The event for refused requests, with the sequence number of the latest.
    fileprivate static func refusals(last: Int64) -> EventStreams.StreamEvent {
        EventStreams.StreamEvent("refusals") { writer in
            writer.beginObject()
            writer.name("last")
            writer.value(last)
            writer.endObject()
        }
    }
}
