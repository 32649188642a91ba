import NewsflashTimestamps

/// Writes whole lines to a file descriptor, on a separate thread.
///
/// Logging only copies a line into a ring buffer, however slow the reader of the descriptor is. A line is dropped if the
/// buffer is full; when space is available again, a line reports how many were dropped. When the process ends by `exit`,
/// the buffered lines are written, for at most one second.
final class LogSink: Sendable {
    private let writer: LogWriterThread

    /// Creates an output; its thread starts with the first line.
    ///
    /// - Parameters:
    ///   - fileDescriptor: The descriptor, which must stay open.
    ///   - capacity: The maximum number of bytes not yet written; must exceed the longest line.
    ///   - report: Returns the line that reports a number of dropped lines.
    init(fileDescriptor: Int32, capacity: Int = 1 << 20, report: @escaping @Sendable (Int) -> [UInt8]) {
        writer = LogWriterThread(fileDescriptor: fileDescriptor, capacity: capacity, report: report)
    }

    deinit {
        writer.close()
    }

    /// Queues a line; never blocks.
    ///
    /// - Parameters:
    ///   - line: The line including its line feed.
    ///   - isUrgent: Whether the line may use space reserved for urgent lines.
    func write(_ line: [UInt8], isUrgent: Bool = false) {
        writer.put(line, isUrgent: isUrgent)
    }

    /// The number of lines lost so far.
    var droppedLines: Int { writer.droppedLines }

    /// Waits until all queued lines are written.
    ///
    /// - Parameter patience: The maximum time to wait.
    /// - Returns: Whether they were written.
    func flush(within patience: Duration) -> Bool {
        writer.flush(within: patience)
    }
}

extension LogEntry {
    /// Returns an entry that reports the number of lines missing before it.
    static func dropped(_ lines: Int) -> LogEntry {
        LogEntry(
            time: .now(),
            level: .warning,
            label: "log",
            message: "log lines were dropped: their reader is too slow",
            metadata: ["lines": LogValue(lines)]
        )
    }
}
