package import NewsEvents
package import Timestamps

/// One record to be produced.
package struct PlannedRecord: Sendable {
    /// The content of a record.
    package enum Form: Sendable {
        /// An event that says all it has to.
        case whole
        /// A kill without words and categories of its own.
        case wordless
        /// Half of it: not JSON, so nothing in it can be read, and only its place identifies it.
        case unreadable
        /// An event whose only category leads nowhere.
        case unmapped
    }

    /// The event's id; a repeat has that of the record before it.
    package var event: String
    package var story: String
    package var revision: Int64
    package var kind: EventKind
    package var form: Form
    /// How long after it was published it may be sent.
    package var embargo: Duration?
    /// How long after it is written it may be sent; negative if that is over.
    package var expires: Duration?
    /// Whether an earlier record has the same event.
    package var isRepeat: Bool
    /// The hub's fault on requests of its story.
    package var fault: HubFault?
    /// The words of the final outcomes that it may have.
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

    /// Whether it is a fault of its own that it is not sent.
    package var isPoison: Bool { form == .unreadable || form == .unmapped }

    /// Whether it may reach subscribers at all.
    package var mayBeSent: Bool { permitted.contains("sent") }

    /// The bytes.
    ///
    /// - Parameter written: When it is written, and published unless that would be after its end; of a repeat, when the
    ///   first was.
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
