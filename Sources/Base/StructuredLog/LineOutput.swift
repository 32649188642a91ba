import Timestamps

/// Writes whole lines to a file descriptor, from a thread of its own.
///
/// Whoever logs only puts a line into a ring of bytes and goes on, however slow the reader of the descriptor is. A line
/// that finds no room is dropped; once there is room again, a line says how many were. What is in the ring when the process
/// ends by `exit` is written, for a second at most.
final class LineOutput: Sendable {
    private let writer: LineWriter

    /// Makes an output; its thread begins with the first line.
    ///
    /// - Parameters:
    ///   - fileDescriptor: Must stay open.
    ///   - capacity: Bytes of lines that are not yet written; above the longest line.
    ///   - report: Makes the line that says how many lines were dropped.
    init(fileDescriptor: Int32, capacity: Int = 1 << 20, report: @escaping @Sendable (Int) -> [UInt8]) {
        writer = LineWriter(fileDescriptor: fileDescriptor, capacity: capacity, report: report)
    }

    deinit {
        writer.close()
    }

    /// Puts a line that has its end; never waits.
    ///
    /// - Parameters:
    ///   - line: With its end.
    ///   - isUrgent: Whether there is room for it where others are dropped.
    func write(_ line: [UInt8], isUrgent: Bool = false) {
        writer.put(line, isUrgent: isUrgent)
    }

    /// Lines that were lost since the beginning.
    var droppedLines: Int { writer.droppedLines }

    /// Waits until all lines put so far are written.
    ///
    /// - Parameter patience: How long at most.
    /// - Returns: Whether they are.
    func flush(within patience: Duration) -> Bool {
        writer.flush(within: patience)
    }
}

extension LogEntry {
    /// Says how many lines are missing before it.
    static func dropped(_ lines: Int) -> LogEntry {
        LogEntry(
            time: .now(),
            level: .warning,
            label: "log",
            message: "log lines were dropped: whoever reads them is too slow",
            metadata: ["lines": LogValue(lines)]
        )
    }
}
