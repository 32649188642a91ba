import Publishing

extension Readiness {
    /// A reason why a worker is not ready.
    enum Cause: Hashable, Sendable {
        case stopping
        case stuck
        case starting
        case stalled
        case kafka
        case control
        case lease
        case noPartitions
        case restoring
        case unconfirmed
        case paused
        case ledger
        case held(CircuitReason)

        /// The word for health and metrics.
        var word: String {
            switch self {
            case .stopping: "stopping"
            case .stuck: "stuck"
            case .starting: "starting"
            case .stalled: "stalled"
            case .kafka: "kafka"
            case .control: "control"
            case .lease: "lease"
            case .noPartitions: "no_partitions"
            case .restoring: "restoring"
            case .unconfirmed: "records_unconfirmed"
            case .paused: "paused"
            case .ledger: "ledger"
            case .held(let reason): "held.\(reason.rawValue)"
            }
        }

        /// All causes.
        static let all: [Cause] =
            [
                .stopping, .stuck, .starting, .stalled, .kafka, .control, .lease, .noPartitions, .restoring,
                .unconfirmed, .paused, .ledger,
            ] + CircuitReason.allCases.map(Cause.held)
    }
}
