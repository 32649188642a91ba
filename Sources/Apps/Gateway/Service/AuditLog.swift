import HTTPServer
import StructuredLog

/// One line for each change, send and refusal: who did what to which, from where, and what came of it.
///
/// No handle, no text, no password and no token: an entry has no place for one.
struct AuditLog: Sendable {
    /// What is told of a request.
    struct Entry: Sendable {
        var request: String
        var client: ClientAddress?
        var action: String
        /// An id or a user.
        var subject: String?
        /// The story of an event.
        var story: String?
        var user: String?
        var status: Int
        /// Of a refusal.
        var label: String?
        /// For the person on call alone: why nobody signed in, what the hub said.
        var detail: String?
    }

    let logger: Logger

    /// Writes an entry: a fault of the server's as an error, a refusal as a warning.
    func note(_ entry: Entry) {
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
