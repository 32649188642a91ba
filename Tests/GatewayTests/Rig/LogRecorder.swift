import Locks
import StructuredLog

/// Keeps what was logged, as it would stand in the log.
final class LogRecorder: LogHandler {
    private let entries = Locked<[LogEntry]>([])

    func log(_ entry: LogEntry) {
        entries.withLock { $0.append(entry) }
    }

    /// Messages and metadata, a line each.
    var lines: [String] {
        entries.withLock { entries in
            entries.map { entry in
                entry.message + entry.metadata.members.map { " \($0.key)=\($0.value)" }.joined()
            }
        }
    }

    /// The lines of the audit alone.
    var audit: [String] { lines.filter { $0.contains("request.id=") } }
}
