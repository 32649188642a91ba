/// The severity of a log entry, ascending.
///
/// The raw values are the names in configuration and in log lines.
package enum LogLevel: String, CaseIterable, Comparable, Sendable {
    /// Steps of the program, for its developers.
    case trace
    /// Details for troubleshooting.
    case debug
    /// Normal events.
    case info
    /// Normal, but noteworthy.
    case notice
    /// A potential failure, or one that was recovered.
    case warning
    /// Something failed.
    case error
    /// Immediate action is required.
    case critical

    /// Orders by severity.
    package static func < (left: LogLevel, right: LogLevel) -> Bool {
        left.rank < right.rank
    }

    /// The index in the order, from the lowest severity.
    var rank: Int {
        switch self {
        case .trace: 0
        case .debug: 1
        case .info: 2
        case .notice: 3
        case .warning: 4
        case .error: 5
        case .critical: 6
        }
    }

    /// Returns the level of an index; larger indexes return the last level.
    init(rank: Int) {
        switch rank {
        case ...0: self = .trace
        case 1: self = .debug
        case 2: self = .info
        case 3: self = .notice
        case 4: self = .warning
        case 5: self = .error
        default: self = .critical
        }
    }
}
