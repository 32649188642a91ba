import NewsEvents
import Timestamps

/// A record that could not be read and holds its story, in a room of its own, since hardly any event is one.
final class RejectedRecord: Sendable {
    let rejection: EventRejection

    init(_ rejection: EventRejection) {
        self.rejection = rejection
    }
}

extension NewsEvent {
    /// The hold that a record asks for which could not be read: a status that nobody knows may well be a kill.
    ///
    /// - Parameters:
    ///   - rejection: Names the story.
    ///   - now: The present.
    init(holding rejection: EventRejection, at now: Timestamp) {
        self.init(
            id: rejection.id ?? "",
            source: rejection.source ?? "",
            story: rejection.story ?? "",
            revision: rejection.revision ?? 0,
            kind: .hold,
            published: now,
            embargo: rejection.embargo,
            mode: rejection.mode
        )
    }
}

extension EventVerdict {
    /// The end of a record that could not be read.
    init(_ rejection: EventRejection) {
        self.init(.invalid, rejection.reason.rawValue, rejection.detail)
    }
}
