package import NewsflashTimestamps
import Synchronization

/// Writes log entries, with an interface similar to swift-log's logger.
///
/// A value type: changing metadata or level of a copy does not affect the original. Messages are constant; variable data
/// belongs in the metadata. Neither may contain text of news or secrets.
package struct Logger: Sendable {
    /// The part of the program that logs, such as `newsflash.worker`.
    package let label: String
    /// The level of this logger and of all copies without their own level.
    package let threshold: LogThreshold
    /// The level of this copy only.
    private var ownLevel: LogLevel?
    private let handler: any LogHandler
    private let now: @Sendable () -> Timestamp
    private var metadata: LogMetadata = [:]

    /// Creates a logger.
    ///
    /// - Parameters:
    ///   - label: The part of the program that logs.
    ///   - level: The lowest level that is logged.
    ///   - handler: Receives the entries, on the logging thread.
    ///   - now: The clock of the entries.
    package init(
        label: String,
        level: LogLevel = .info,
        handler: any LogHandler,
        now: @escaping @Sendable () -> Timestamp = Timestamp.now
    ) {
        self.label = label
        self.threshold = LogThreshold(level)
        self.handler = handler
        self.now = now
    }

    /// The lowest level that is logged. A level set here applies to this copy, regardless of ``threshold``.
    package var logLevel: LogLevel {
        get { ownLevel ?? threshold.level }
        set { ownLevel = newValue }
    }

    /// A metadata value that is added to each entry of this logger; `nil` removes it.
    package subscript(metadataKey key: String) -> LogValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// The number of lines lost so far, because the reader of the log was too slow.
    package var droppedLines: Int { handler.droppedLines }

    /// Waits until all entries so far are written; for a process that does not end by `exit`.
    ///
    /// - Parameter patience: The maximum time to wait.
    /// - Returns: Whether all were written.
    @discardableResult
    package func flush(within patience: Duration) -> Bool { handler.flush(within: patience) }

    /// Logs at a level that is determined at run time.
    ///
    /// - Parameters:
    ///   - level: The level; message and metadata are not evaluated if it is below the logger's level.
    ///   - message: A constant text.
    ///   - metadata: The variable data; takes precedence over the logger's own metadata.
    package func log(
        level: LogLevel,
        _ message: @autoclosure () -> String,
        metadata: @autoclosure () -> LogMetadata = [:]
    ) {
        guard level >= logLevel else { return }
        let all = self.metadata.merging(metadata())
        handler.log(LogEntry(time: now(), level: level, label: label, message: message(), metadata: all))
    }
}

extension Logger {
    /// Logs a step of the program, for its developers.
    package func trace(_ message: @autoclosure () -> String, metadata: @autoclosure () -> LogMetadata = [:]) {
        log(level: .trace, message(), metadata: metadata())
    }

    /// Logs details for troubleshooting.
    package func debug(_ message: @autoclosure () -> String, metadata: @autoclosure () -> LogMetadata = [:]) {
        log(level: .debug, message(), metadata: metadata())
    }

    /// Logs a normal event.
    package func info(_ message: @autoclosure () -> String, metadata: @autoclosure () -> LogMetadata = [:]) {
        log(level: .info, message(), metadata: metadata())
    }

    /// Logs an event that is normal, but noteworthy.
    package func notice(_ message: @autoclosure () -> String, metadata: @autoclosure () -> LogMetadata = [:]) {
        log(level: .notice, message(), metadata: metadata())
    }

    /// Logs a potential failure, or one that was recovered.
    package func warning(_ message: @autoclosure () -> String, metadata: @autoclosure () -> LogMetadata = [:]) {
        log(level: .warning, message(), metadata: metadata())
    }

    /// Logs a failure.
    package func error(_ message: @autoclosure () -> String, metadata: @autoclosure () -> LogMetadata = [:]) {
        log(level: .error, message(), metadata: metadata())
    }

    /// Logs that immediate action is required.
    package func critical(_ message: @autoclosure () -> String, metadata: @autoclosure () -> LogMetadata = [:]) {
        log(level: .critical, message(), metadata: metadata())
    }
}

/// The level shared by a logger and its copies, which may change at any time.
package final class LogThreshold: Sendable {
    private let place: Atomic<Int>

    /// Creates a threshold.
    ///
    /// - Parameter level: The lowest level that is logged.
    package init(_ level: LogLevel) {
        place = Atomic(level.rank)
    }

    /// The lowest level that is logged. Concurrent logging uses either the old or the new level.
    package var level: LogLevel {
        get { LogLevel(rank: place.load(ordering: .relaxed)) }
        set { place.store(newValue.rank, ordering: .relaxed) }
    }
}
