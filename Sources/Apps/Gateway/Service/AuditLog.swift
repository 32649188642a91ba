import NewsflashHTTPServer
import NewsflashObservability

/// The audit log: one line for each change, send and refusal, with user, action, subject, client and result.
///
/// Contains no handle, text, password or token, because an entry has no member for them.
struct AuditLog: Sendable {
    /// The entry for a request.
    struct Entry: Sendable {
        var request: String
        var client: ClientAddress?
        var action: String
        /// The ID or user that the request is about.
        var subject: String?
        /// The story of an event.
        var story: String?
        var user: String?
        var status: Int
        /// The label of a refusal.
        var label: String?
        /// A detail for the person on call: why the sign-in failed, or the hub's response.
        var detail: String?
    }

    let logger: Logger

    /// Writes an entry: a server fault as an error, a refusal as a warning.
    func record(_ entry: Entry) {
        let level: LogLevel = entry.status >= 500 ? .error : entry.status >= 400 ? .warning : .info
        logger.log(level: level, entry.status >= 400 ? "refused" : "done", metadata: Self.metadata(of: entry))
    }

    private static func metadata(of entry: Entry) -> LogMetadata {
        var metadata: LogMetadata = [
            "action": .string(entry.action), "http.status": LogValue(entry.status),
            "request.id": .string(entry.request),
        ]
        metadata["client"] = entry.client.map { LogValue(describing: $0) }
        metadata["subject"] = entry.subject.map { .string($0) }
        metadata["story"] = entry.story.map { .string($0) }
        metadata["user"] = entry.user.map { .string($0) }
        metadata["error"] = entry.label.map { .string($0) }
        metadata["detail"] = entry.detail.map { .string($0) }
        return metadata
    }
}
