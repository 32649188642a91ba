package import NewsflashTimestamps

/// A log entry as passed to a handler.
package struct LogEntry: Sendable, Equatable {
    /// The time of the call.
    package var time: Timestamp
    /// The severity.
    package var level: LogLevel
    /// The part of the program that logs.
    package var label: String
    /// A constant text, so that it can be searched and counted.
    package var message: String
    /// The variable data: the logger's own metadata, overridden by that of the call.
    package var metadata: LogMetadata

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - time: The time of the event.
    ///   - level: The severity.
    ///   - label: The part of the program that logs.
    ///   - message: A constant text.
    ///   - metadata: The variable data.
    package init(time: Timestamp, level: LogLevel, label: String, message: String, metadata: LogMetadata = [:]) {
        self.time = time
        self.level = level
        self.label = label
        self.message = message
        self.metadata = metadata
    }
}

/// Writes log entries to an output.
///
/// Called on the logging thread, by several threads at a time, after the level was checked.
package protocol LogHandler: Sendable {
    /// Writes one entry and returns immediately. Failures are at most counted, because they cannot be reported.
    func log(_ entry: LogEntry)

    /// The number of entries lost so far, because the output was full or failed.
    var droppedLines: Int { get }

    /// Waits until all entries so far are written.
    ///
    /// - Parameter patience: The maximum time to wait.
    /// - Returns: Whether they were written.
    func flush(within patience: Duration) -> Bool
}

extension LogHandler {
    /// Zero, for handlers that write before they return.
    package var droppedLines: Int { 0 }

    /// Returns `true` immediately, for handlers that write before they return.
    package func flush(within patience: Duration) -> Bool { true }
}

/// Discards every entry.
package struct DiscardingLogHandler: LogHandler {
    /// Creates a handler.
    package init() {}

    /// Does nothing.
    package func log(_ entry: LogEntry) {}
}
