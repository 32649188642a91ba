/// How much a log entry matters, from the least to the most.
///
/// The raw values are the names in configuration and in log lines.
package enum LogLevel: String, CaseIterable, Comparable, Sendable {
    /// Steps of the program, for its authors.
    case trace
    /// What helps to find a fault.
    case debug
    /// What happens in normal work.
    case info
    /// Normal, but worth a look.
    case notice
    /// No fault yet, or one that was made good.
    case warning
    /// Something failed.
    case error
    /// Someone must act at once.
    case critical

    /// Orders by how much an entry matters.
    package static func < (left: LogLevel, right: LogLevel) -> Bool {
        left.rank < right.rank
    }

    /// The place in the order, from the least.
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

    /// The level of a place; beyond the last one it is the last.
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
