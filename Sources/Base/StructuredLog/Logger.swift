package import Timestamps

/// Writes what happens for people and machines, in the shape of swift-log's logger.
///
/// A value: a copy with more metadata or another level leaves the first as it was. Messages are constant; what differs
/// goes into the metadata. Text of news and secrets belong in neither.
package struct Logger: Sendable {
    /// The part of the program that speaks, such as `newsflash.worker`.
    package let label: String
    /// The level of this logger and of all copies that have none of their own.
    package let threshold: LogThreshold
    /// Of this copy alone.
    private var ownLevel: LogLevel?
    private let handler: any LogHandler
    private let now: @Sendable () -> Timestamp
    private var metadata: LogMetadata = [:]

    /// Makes a logger.
    ///
    /// - Parameters:
    ///   - label: The part of the program that speaks.
    ///   - level: Entries below are not even made.
    ///   - handler: Takes the entries, on the thread that logs.
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

    /// Entries below are not even made. A level that is set holds for this copy, whatever becomes of ``threshold``.
    package var logLevel: LogLevel {
        get { ownLevel ?? threshold.level }
        set { ownLevel = newValue }
    }

    /// Metadata that each entry of this logger carries; `nil` removes it.
    package subscript(metadataKey key: String) -> LogValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// How many lines were lost so far, because whoever reads the log was too slow.
    package var droppedLines: Int { handler.droppedLines }

    /// Waits until what was logged so far is written: for the end of a process that does not end by `exit`.
    ///
    /// - Parameter patience: How long at most.
    /// - Returns: Whether all is written.
    @discardableResult
    package func flush(within patience: Duration) -> Bool { handler.flush(within: patience) }

    /// Logs at a level that is known only now.
    ///
    /// - Parameters:
    ///   - level: Below the logger's level, neither message nor metadata is evaluated.
    ///   - message: What happened, constant.
    ///   - metadata: What differs; wins over the logger's own where both have a key.
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
    /// Logs a step of the program, for its authors.
    package func trace(_ message: @autoclosure () -> String, metadata: @autoclosure () -> LogMetadata = [:]) {
        log(level: .trace, message(), metadata: metadata())
    }

    /// Logs what helps to find a fault.
    package func debug(_ message: @autoclosure () -> String, metadata: @autoclosure () -> LogMetadata = [:]) {
        log(level: .debug, message(), metadata: metadata())
    }

    /// Logs what happens in normal work.
    package func info(_ message: @autoclosure () -> String, metadata: @autoclosure () -> LogMetadata = [:]) {
        log(level: .info, message(), metadata: metadata())
    }

    /// Logs what is normal, but worth a look.
    package func notice(_ message: @autoclosure () -> String, metadata: @autoclosure () -> LogMetadata = [:]) {
        log(level: .notice, message(), metadata: metadata())
    }

    /// Logs what is no fault yet, or one that was made good.
    package func warning(_ message: @autoclosure () -> String, metadata: @autoclosure () -> LogMetadata = [:]) {
        log(level: .warning, message(), metadata: metadata())
    }

    /// Logs that something failed.
    package func error(_ message: @autoclosure () -> String, metadata: @autoclosure () -> LogMetadata = [:]) {
        log(level: .error, message(), metadata: metadata())
    }

    /// Logs that someone must act at once.
    package func critical(_ message: @autoclosure () -> String, metadata: @autoclosure () -> LogMetadata = [:]) {
        log(level: .critical, message(), metadata: metadata())
    }
}
