import StrictJSON

/// The outcome of an event in a worker, for the console.
package struct NewsOutcome: Sendable {
    /// The event's id.
    package var event: String
    /// The event's story.
    package var story: String
    /// The revision of the story.
    package var revision: Int64?
    /// The kind of the event: flash, alert, correction …
    package var kind: String?
    /// The outcome's name: sent, superseded …
    package var outcome: String
    /// The reason.
    package var reason: String?
    /// The time in RFC 3339 format.
    package var at: String

    /// Creates an outcome.
    ///
    /// - Parameters:
    ///   - event: The event's id.
    ///   - story: The event's story.
    ///   - revision: The revision of the story.
    ///   - kind: The kind of the event.
    ///   - outcome: The outcome's name.
    ///   - reason: The reason.
    ///   - at: The time in RFC 3339 format.
    package init(
        event: String,
        story: String,
        revision: Int64? = nil,
        kind: String? = nil,
        outcome: String,
        reason: String? = nil,
        at: String
    ) {
        self.event = event
        self.story = story
        self.revision = revision
        self.kind = kind
        self.outcome = outcome
        self.reason = reason
        self.at = at
    }

    var watched: EventStreams.StreamEvent {
        EventStreams.StreamEvent("outcome") { writer in
            writer.beginObject()
            writer.text("event", event)
            writer.text("story", story)
            if let revision {
                writer.name("revision")
                writer.value(revision)
            }
            writer.text("kind", kind)
            writer.text("outcome", outcome)
            writer.text("reason", reason)
            writer.text("at", at)
            writer.endObject()
        }
    }
}
