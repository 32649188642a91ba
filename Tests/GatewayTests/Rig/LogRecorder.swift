import Locks
import StructuredLog

/// Records log lines in their final form.
final class LogRecorder: LogHandler {
    private let entries = Locked<[LogEntry]>([])

    func log(_ entry: LogEntry) {
        entries.withLock { $0.append(entry) }
    }

    /// The messages and metadata, one line each.
    var lines: [String] {
        entries.withLock { entries in
            entries.map { entry in
                entry.message + entry.metadata.members.map { " \($0.key)=\($0.value)" }.joined()
            }
        }
    }

    /// The lines of the audit only.
    var audit: [String] { lines.filter { $0.contains("request.id=") } }
}
