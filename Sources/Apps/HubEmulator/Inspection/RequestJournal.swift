import Locks
import StrictJSON

/// The latest requests, whatever became of them: at most so many, with at most so many bytes.
///
/// Beside the hub's state, since a request is only told when its answer is known, storage included.
final class RequestJournal: Sendable {
    /// What `GET /_emulator/requests` promises.
    static let capacity = 1000
    static let maximumBytes = 1 << 20

    fileprivate struct State {
        /// Used in a circle once it is full.
        var records: [RequestRecord?] = []
        /// Where the oldest lies.
        var oldest = 0
        var count = 0
        var bytes = 0
        /// The number given last.
        var last: Int64 = 0
    }

    private let state = Locked(State())
    private let streams: EventStreams
    private let observer: (@Sendable (RequestRecord) -> Void)?

    /// Makes an empty journal.
    ///
    /// - Parameters:
    ///   - streams: Of those who watch; they hear of refusals.
    ///   - observer: Is told each request.
    init(streams: EventStreams, observer: (@Sendable (RequestRecord) -> Void)?) {
        self.streams = streams
        self.observer = observer
    }

    /// Adds a request.
    func note(_ record: RequestRecord) {
        var record = record
        let isWatched = !streams.isEmpty
        state.withLock { state in
            state.last += 1
            record.sequence = state.last
            state.append(record)
            // In here, so that no smaller number is told after a greater one.
            if record.isRefusal, isWatched { streams.send([.refusals(last: state.last)]) }
        }
        observer?(record)
    }

    /// Those after a number, the oldest first, and the number given last.
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
        // While it grows nothing lies before `oldest` that is still wanted, so the end is always free.
        let place = (oldest + count) % RequestJournal.capacity
        if records.count < RequestJournal.capacity { records.append(record) } else { records[place] = record }
        count += 1
        bytes += record.size
    }
}

extension EventStreams.Event {
    /// That requests were refused, up to a number.
    fileprivate static func refusals(last: Int64) -> EventStreams.Event {
        EventStreams.Event("refusals") { writer in
            writer.beginObject()
            writer.name("last")
            writer.value(last)
            writer.endObject()
        }
    }
}
