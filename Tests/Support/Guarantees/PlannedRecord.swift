package import NewsflashEvents
package import NewsflashTimestamps

/// One record that the desk produces.
package struct PlannedRecord: Sendable {
    /// The content of a record.
    package enum Form: Sendable {
        /// A complete event.
        case whole
        /// A kill without text and categories.
        case wordless
        /// Half of the JSON text, which cannot be decoded; only its position identifies the record.
        case unreadable
        /// An event whose only category is not mapped.
        case unmapped
    }

    /// The event's id; a repeat has the id of the first record.
    package var event: String
    package var story: String
    package var revision: Int64
    package var kind: EventKind
    package var form: Form
    /// The time from publication to the end of the embargo.
    package var embargo: Duration?
    /// The time from writing to the end of its life; negative if it has expired already.
    package var expires: Duration?
    /// Whether an earlier record has the same event.
    package var isRepeat: Bool
    /// The hub's fault for requests of its story.
    package var fault: HubFault?
    /// The permitted final outcomes.
    package var permitted: Set<String>

    package init(
        event: String,
        story: String,
        revision: Int64,
        kind: EventKind = .alert,
        form: Form = .whole,
        embargo: Duration? = nil,
        expires: Duration? = nil,
        isRepeat: Bool = false,
        fault: HubFault? = nil,
        permitted: Set<String>
    ) {
        self.event = event
        self.story = story
        self.revision = revision
        self.kind = kind
        self.form = form
        self.embargo = embargo
        self.expires = expires
        self.isRepeat = isRepeat
        self.fault = fault
        self.permitted = permitted
    }

    /// Whether it is not sent because of its own fault.
    package var isPoison: Bool { form == .unreadable || form == .unmapped }

    /// Whether it may reach subscribers.
    package var mayBeSent: Bool { permitted.contains("sent") }

    /// The bytes.
    ///
    /// - Parameter written: The time of writing, and of publication unless that is after the end of its life; for a
    ///   repeat, the time of the first record.
    /// - Returns: JSON, or half of it if the record is unreadable.
    package func value(written: Timestamp) -> [UInt8] {
        let end = expires.map { written + $0 }
        let isWordless = form == .wordless
        let headline = "What is known of \(story) at revision \(revision)" + (fault.map { " \($0.mark)" } ?? "")
        let event = NewsEvent(
            id: event,
            source: "https://cms.example.org/desk",
            story: story,
            revision: revision,
            kind: kind,
            published: min(written, end.map { $0 - .seconds(60) } ?? written),
            embargo: embargo.map { written + $0 },
            expires: end,
            categories: isWordless ? [] : [form == .unmapped ? "nowhere" : "world"],
            language: "en",
            text: isWordless ? [] : [EventText(language: "en", headline: headline)]
        )
        let bytes = EventEncoder.encode(event)
        return form == .unreadable ? Array(bytes[..<(bytes.count / 2)]) : bytes
    }
}
