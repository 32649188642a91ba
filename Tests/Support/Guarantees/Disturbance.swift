package import Timestamps

/// Something that was done to a worker.
package struct Disturbance: Sendable, Hashable {
    /// The kinds of disturbances.
    package enum Kind: String, Sendable {
        /// `kill -9`
        case killed
        /// `SIGSTOP`
        case frozen
        /// Asked to end.
        case ended
        /// Started.
        case started
        /// Its group took its partitions while it ran, as on a machine that is busy with other things.
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

    /// Whether what the worker had sent and not yet recorded is unknown to its successors.
    package var losesMemory: Bool { kind == .killed || kind == .frozen || kind == .lost }
}
