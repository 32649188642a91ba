import Timestamps

/// Something that was done to a worker.
struct Disturbance: Sendable, Equatable {
    /// What was done.
    enum Kind: String, Sendable {
        /// `kill -9`
        case killed
        /// `SIGSTOP`
        case frozen
        /// Asked to end.
        case ended
        /// Started.
        case started
    }

    var kind: Kind
    /// The life of the worker.
    var worker: String
    var time: Timestamp

    /// Whether what the worker had sent and not written down is unknown to those who come after it.
    var losesMemory: Bool { kind == .killed || kind == .frozen }
}
