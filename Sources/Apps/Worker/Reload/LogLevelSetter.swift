import Dispatch
import NewsflashBasics
import NewsflashObservability
import NewsflashPublishing
import NewsflashTimestamps

/// Sets the log level: that of the configuration, or temporarily that of a command.
final class LogLevelSetter: Sendable {
    private let threshold: LogThreshold
    private let logger: Logger
    private let queue = DispatchQueue(label: "newsflash.log-level", qos: .utility)
    private let levels: Locked<LogLevels>

    /// Makes a setter.
    ///
    /// - Parameter logger: The logger whose level, and that of its copies, is set.
    init(_ logger: Logger) {
        self.logger = logger
        threshold = logger.threshold
        levels = Locked(LogLevels(configured: logger.threshold.level))
    }

    /// Sets the configured level.
    func configure(_ level: LogLevel) {
        change { $0.configured = level }
    }

    /// Obeys a temporary command; an expired one changes nothing.
    func obey(_ order: LogLevelOrder) {
        guard let level = LogLevel(rawValue: order.level) else {
            return logger.warning(
                "a command names an unknown log level",
                metadata: [
                    "level": .string(order.level), "by": .string(order.by),
                    LogKey.remedy: .string(
                        "write one of " + LogLevel.allCases.map(\.rawValue).joined(separator: ", ")
                    ),
                ]
            )
        }
        let now = Timestamp.now()
        let end = min(order.until, now + LogLevelOrder.longest)
        guard end > now else { return }
        change { $0.ordered = LogLevels.Order(level: level, until: end, by: order.by, reason: order.reason) }
        let pause = DispatchTimeInterval.milliseconds(Int((end - now).components.seconds * 1000) + 1000)
        queue.asyncAfter(deadline: .now() + pause) { [weak self] in self?.change { _ in } }
    }

    private func change(_ change: (inout LogLevels) -> Void) {
        let (before, after, order) = levels.withLock { levels in
            change(&levels)
            let before = threshold.level
            levels.forgetOrder(at: .now())
            threshold.level = levels.present
            return (before, levels.present, levels.ordered)
        }
        guard before != after else { return }
        var metadata: LogMetadata = ["from": .string(before.rawValue), "to": .string(after.rawValue)]
        if let order {
            metadata["by"] = .string(order.by)
            metadata[LogKey.reason] = .string(order.reason)
            metadata[LogKey.due] = .string(order.until.rfc3339)
        }
        // Logged at the higher of both levels, so that it is visible in either.
        logger.log(level: max(.notice, before, after), "the log level has changed", metadata: metadata)
    }
}

/// The log level in force.
struct LogLevels: Sendable {
    /// A temporary level.
    struct Order: Sendable {
        var level: LogLevel
        var until: Timestamp
        var by: String
        var reason: String
    }

    /// The level of the configuration.
    var configured: LogLevel
    var ordered: Order?

    init(configured: LogLevel) { self.configured = configured }

    /// The level in force.
    var present: LogLevel { ordered?.level ?? configured }

    /// Forgets an expired command.
    mutating func forgetOrder(at now: Timestamp) {
        if let ordered, ordered.until <= now { self.ordered = nil }
    }
}
