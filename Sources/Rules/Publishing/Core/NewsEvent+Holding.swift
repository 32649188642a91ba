import NewsflashEvents
import NewsflashTimestamps

/// A record that could not be decoded and holds its story. It is a separate object, because hardly any event has one.
final class RejectedRecord: Sendable {
    let rejection: EventRejection

    init(_ rejection: EventRejection) {
        self.rejection = rejection
    }
}

extension NewsEvent {
    /// The hold that an undecodable record causes: an unknown status may be a kill.
    ///
    /// - Parameters:
    ///   - rejection: The rejection, with the story's name.
    ///   - now: The current time.
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
    /// The verdict for a record that could not be decoded.
    init(_ rejection: EventRejection) {
        self.init(.invalid, rejection.reason.rawValue, rejection.detail)
    }
}
