import NewsflashBasics
import NewsflashStrictJSON

/// The latest outcomes that a worker reported, so that a console shows them after a reload.
final class OutcomeLog: Sendable {
    /// The capacity that `GET /_emulator/outcomes` documents.
    static let capacity = 1000

    private struct State {
        var outcomes = FIFOQueue<NewsOutcome>()
        /// The last assigned sequence number.
        var last: Int64 = 0
    }

    private let state = Locked(State())
    private let streams: EventStreams

    /// Creates an empty log.
    ///
    /// - Parameter streams: The event streams, which are notified of each outcome.
    init(streams: EventStreams) {
        self.streams = streams
    }

    /// Adds an outcome.
    func append(_ outcome: NewsOutcome) {
        var outcome = outcome
        state.withLock { state in
            state.last += 1
            outcome.sequence = state.last
            if state.outcomes.count == Self.capacity { _ = state.outcomes.popFirst() }
            state.outcomes.append(outcome)
            // Sent under the lock, so that sequence numbers are sent in ascending order.
            streams.send([EventStreams.StreamEvent("outcome") { outcome.write(to: &$0) }])
        }
    }

    /// Returns the outcomes after a sequence number, the oldest first, and the last assigned number.
    func outcomes(after sequence: Int64, limit: Int) -> ([NewsOutcome], last: Int64) {
        state.withLock { state in
            (Array(state.outcomes.all.filter { $0.sequence > sequence }.prefix(limit)), state.last)
        }
    }

    /// Removes all outcomes; numbers continue.
    func removeAll() {
        state.withLock { $0.outcomes = FIFOQueue() }
    }
}

/// The outcome of an event in a worker, for the console.
package struct NewsOutcome: Sendable {
    /// The number of the report, from one; assigned by the log.
    var sequence: Int64 = 0
    /// The event's id.
    package var event: String
    /// The event's story.
    package var story: String
    /// The revision of the story.
    package var revision: Int64?
    /// The kind of the event: flash, alert, correction …
    package var kind: String?
    /// The outcome's name: sent, superseded …
    package var outcome: String
    /// The reason.
    package var reason: String?
    /// The time in RFC 3339 format.
    package var at: String

    /// Creates an outcome.
    ///
    /// - Parameters:
    ///   - event: The event's id.
    ///   - story: The event's story.
    ///   - revision: The revision of the story.
    ///   - kind: The kind of the event.
    ///   - outcome: The outcome's name.
    ///   - reason: The reason.
    ///   - at: The time in RFC 3339 format.
    package init(
        event: String,
        story: String,
        revision: Int64? = nil,
        kind: String? = nil,
        outcome: String,
        reason: String? = nil,
        at: String
    ) {
        self.event = event
        self.story = story
        self.revision = revision
        self.kind = kind
        self.outcome = outcome
        self.reason = reason
        self.at = at
    }

    /// Writes the outcome.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("sequence", sequence)
        writer.text("event", event)
        writer.text("story", story)
        if let revision {
            writer.member("revision", revision)
        }
        writer.text("kind", kind)
        writer.text("outcome", outcome)
        writer.text("reason", reason)
        writer.text("at", at)
        writer.endObject()
    }
}
