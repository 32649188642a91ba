import NewsflashObservability
import NewsflashTestSupport

extension EventLog<LogEntry> {
    /// The messages and metadata, one line each.
    var lines: [String] {
        events.map { entry in
            entry.message + entry.metadata.members.map { " \($0.key)=\($0.value)" }.joined()
        }
    }

    /// The lines of the audit only.
    var audit: [String] { lines.filter { $0.contains("request.id=") } }
}
