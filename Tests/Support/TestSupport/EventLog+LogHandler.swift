package import NewsflashObservability

/// Keeps what is logged: `Logger(label: "test", handler: log)`.
extension EventLog: LogHandler where Event == LogEntry {
    /// Appends an entry.
    package func log(_ entry: LogEntry) { append(entry) }
}
