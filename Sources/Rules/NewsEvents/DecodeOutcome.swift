package import Timestamps

/// What a record turned out to be.
package enum DecodeOutcome: Sendable, Equatable {
    /// An event, with what was forgiven on the way.
    case event(NewsEvent, warnings: [EventWarning])
    /// Bytes that are no event; they belong on the dead-letter topic. Apart from the rest, as few records need its room.
    indirect case rejected(EventRejection)
    /// A record without a value, as compacted topics have them; to be skipped and counted.
    case tombstone
}

/// A fault that was forgiven; counted, so that the newsroom can mend its sender.
package struct EventWarning: RawRepresentable, Hashable, Sendable {
    /// The dotted code, such as `encoding.bom`.
    package var rawValue: String
    /// The fault and its place, for people: at most 1,024 bytes of printable ASCII, and never the text of news. `nil` if the
    /// code tells everything.
    package var detail: String?

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    init(_ rawValue: String, _ detail: String) {
        self.rawValue = rawValue
        self.detail = detail
    }

    /// The value began with a byte order mark.
    package static let byteOrderMark = EventWarning(rawValue: "encoding.bom")
    /// The value is a structured CloudEvent, and no header says so.
    package static let envelopeUnmarked = EventWarning(rawValue: "envelope.unmarked")
    /// Header and body name different events; the body was believed.
    package static let envelopeMismatch = EventWarning(rawValue: "envelope.mismatch")

    /// A kill or a hold had faults; it is obeyed, and the members at fault are dropped.
    static func faultyWithdrawal(_ detail: String) -> EventWarning { EventWarning("withdrawal.faulty", detail) }

    /// Words of a note or a headline withdraw or hold the item; the detail names their place and the phrase of the lexicon or of
    /// the source, which may have characters besides ASCII.
    static func order(_ act: EditorialNotes.Act, _ detail: String) -> EventWarning {
        EventWarning(act == .kill ? "notes.kill" : act == .embargo ? "notes.embargo" : "notes.hold", detail)
    }

    /// Whether it says that words of a note or a headline were obeyed.
    var isOrder: Bool { rawValue.hasPrefix("notes.") }

    /// The language of a feed's item cannot be read, and counts as absent.
    static func unreadableLanguage(_ place: String) -> EventWarning {
        EventWarning("language.unreadable", "\(place): must be a language tag such as en or pt-BR")
    }
    /// A time of a version cannot be read; another time of the item, or that of the record, counts.
    static func unreadableTime(_ place: String) -> EventWarning {
        EventWarning(
            "time.unreadable",
            "\(place): must be a date-time with an offset such as 2026-03-02T09:40:00+01:00"
        )
    }
    /// An item expires before it is published or before its embargo ends. It is never sent, and its story is held.
    static func over(_ place: String) -> EventWarning {
        EventWarning("item.over", "\(place): not after the item is published, or its embargo ends; it holds its story")
    }
    /// A feed's item has more subjects than an event; keywords were left out first.
    package static let categoriesCut = EventWarning(rawValue: "category.cut")
    /// A text has entities or tags of HTML, and its source is not declared to be HTML: subscribers see them as they are.
    package static let entities = EventWarning(rawValue: "text.entities")
}

/// Why bytes are no event, and which event they meant as far as that can be told.
package struct EventRejection: Sendable, Equatable {
    /// The code for outcome, dead letter and metrics.
    package var reason: InvalidReason
    /// What is wrong and where, at most 1,024 bytes of printable ASCII; never the text of news.
    package var detail: String
    /// What the record calls itself: printable ASCII, other characters replaced by `?`, at most 128 bytes.
    package var id: String?
    /// Who sent it, in the same form, at most 256 bytes; the topic's source where a document names none.
    package var source: String?
    /// The story, in the same form, at most 256 bytes.
    package var story: String?
    /// The revision, where it is a whole number from 0.
    package var revision: Int64?
    /// The kind as written, in the same form, at most 32 bytes; may be none that we know.
    package var kind: String?
    /// Whether the record may restrict ``story``, so that the story is held until a newer revision, as in ``detail``.
    package var holdsStory: Bool
    /// The embargo of the record; the end of time if it cannot be read.
    package var embargo: Timestamp?
    /// `test` if the source reaches the test hub alone, so that the held stories are tests.
    package var mode = EventMode.live

    package init(
        _ reason: InvalidReason,
        _ detail: String,
        id: String? = nil,
        source: String? = nil,
        story: String? = nil,
        revision: Int64? = nil,
        kind: String? = nil,
        holdsStory: Bool = false
    ) {
        self.reason = reason
        self.detail = detail
        self.id = id
        self.source = source
        self.story = story
        self.revision = revision
        self.kind = kind
        self.holdsStory = holdsStory
    }
}
