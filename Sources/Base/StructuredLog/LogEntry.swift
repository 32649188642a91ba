package import Timestamps

/// One thing that happened, as a handler gets it.
package struct LogEntry: Sendable, Equatable {
    /// When the logger was called.
    package var time: Timestamp
    /// How much it matters.
    package var level: LogLevel
    /// The part of the program that speaks.
    package var label: String
    /// What happened; the same text each time, so that it can be searched and counted.
    package var message: String
    /// What differs from time to time: the logger's own metadata with that of the call over it.
    package var metadata: LogMetadata

    /// Makes an entry.
    ///
    /// - Parameters:
    ///   - time: When it happened.
    ///   - level: How much it matters.
    ///   - label: The part of the program that speaks.
    ///   - message: What happened.
    ///   - metadata: What differs from time to time.
    package init(time: Timestamp, level: LogLevel, label: String, message: String, metadata: LogMetadata = [:]) {
        self.time = time
        self.level = level
        self.label = label
        self.message = message
        self.metadata = metadata
    }
}

/// Takes entries to where they are read.
///
/// Called on the thread that logs, by many at a time; the level was checked before.
package protocol LogHandler: Sendable {
    /// Takes one entry and returns at once; what fails here is counted at most, as there is no one left to tell.
    func log(_ entry: LogEntry)

    /// How many entries were lost so far, for want of room or of someone who reads.
    var droppedLines: Int { get }

    /// Waits until all entries taken so far are where they are read.
    ///
    /// - Parameter patience: How long at most.
    /// - Returns: Whether they are.
    func flush(within patience: Duration) -> Bool
}

extension LogHandler {
    /// None, for those who write before they return.
    package var droppedLines: Int { 0 }

    /// Nothing to wait for, for those who write before they return.
    package func flush(within patience: Duration) -> Bool { true }
}

/// Forgets every entry.
package struct DiscardingLogHandler: LogHandler {
    /// Makes a handler that forgets.
    package init() {}

    /// Does nothing.
    package func log(_ entry: LogEntry) {}
}
