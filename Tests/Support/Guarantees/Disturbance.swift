package import NewsflashTimestamps

/// A disturbance of a worker.
package struct Disturbance: Sendable, Hashable {
    /// The kinds of disturbances.
    package enum Kind: String, Sendable {
        /// `kill -9`
        case killed
        /// `SIGSTOP`
        case frozen
        /// A request to stop.
        case ended
        /// Started.
        case started
        /// Its group revoked its partitions while it ran, for example on a busy machine.
        case lost
    }

    package var kind: Kind
    /// The life of the worker.
    package var worker: String
    package var time: Timestamp

    package init(kind: Kind, worker: String, time: Timestamp) {
        self.kind = kind
        self.worker = worker
        self.time = time
    }

    /// Whether successors cannot know the requests that the worker had sent and not yet recorded.
    package var losesMemory: Bool { kind == .killed || kind == .frozen || kind == .lost }
}
