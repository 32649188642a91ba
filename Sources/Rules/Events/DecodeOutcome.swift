import NewsflashStrictJSON
package import NewsflashTimestamps

/// The result of decoding a record.
package enum DecodeOutcome: Sendable, Equatable {
    /// An event, with the tolerated faults.
    case event(NewsEvent, warnings: [EventWarning])
    /// Bytes that are not an event; they are written to the dead-letter topic. Indirect, because few records need the space.
    indirect case rejected(EventRejection)
    /// A record without a value, as in compacted topics; skipped and counted.
    case tombstone
}

/// A tolerated fault, counted so that the newsroom can fix the sender.
package struct EventWarning: RawRepresentable, Hashable, Sendable {
    /// The dotted code, such as `encoding.bom`.
    package var rawValue: String
    /// The fault and its path, for people: at most 1,024 bytes of printable ASCII, and never the text of news. `nil` if the
    /// code is sufficient.
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
    /// The value is a structured CloudEvent, but no header marks it as one.
    package static let envelopeUnmarked = EventWarning(rawValue: "envelope.unmarked")
    /// Header and body identify different events; the body counts.
    package static let envelopeMismatch = EventWarning(rawValue: "envelope.mismatch")

    /// A kill or a hold had faults; it is obeyed without the faulty members.
    static func faultyWithdrawal(_ detail: String) -> EventWarning { EventWarning("withdrawal.faulty", detail) }

    /// Words of a note or a headline withdraw or hold the item. The detail contains their path and the matched phrase of the
    /// lexicon or of the source, which may have characters outside ASCII.
    static func order(_ act: EditorialNotes.Act, _ detail: String) -> EventWarning {
        EventWarning(act == .kill ? "notes.kill" : act == .embargo ? "notes.embargo" : "notes.hold", detail)
    }

    /// Whether words of a note or a headline were obeyed.
    var isOrder: Bool { rawValue.hasPrefix("notes.") }

    /// The language of a feed's item is unreadable and treated as absent.
    static func unreadableLanguage(_ place: String) -> EventWarning {
        EventWarning("language.unreadable", "\(place): must be a language tag such as en or pt-BR")
    }
    /// The time of a version is unreadable; another time of the item or the record's time is used.
    static func unreadableTime(_ place: String) -> EventWarning {
        EventWarning(
            "time.unreadable",
            "\(place): must be a date-time with an offset such as 2026-03-02T09:40:00+01:00"
        )
    }
    /// An item expires before it is published or before its embargo ends. It is never sent, and its story is held.
    static func over(_ place: String) -> EventWarning {
        EventWarning("item.over", "\(place): must be after publication and embargo; the story is held")
    }
    /// A feed's item has more subjects than an event may have; keywords were dropped first.
    package static let categoriesCut = EventWarning(rawValue: "category.cut")
    /// A text has HTML entities or tags, but its source is not declared as HTML: subscribers see them unchanged.
    package static let entities = EventWarning(rawValue: "text.entities")
}

/// The reason why bytes are not an event, and the event they meant as far as that is known.
package struct EventRejection: Sendable, Equatable {
    /// The code for outcome, dead letter and metrics.
    package var reason: InvalidReason
    /// The fault and its path, at most 1,024 bytes of printable ASCII; never the text of news.
    package var detail: String
    /// The record's identifier: printable ASCII, other characters replaced by `?`, at most 128 bytes.
    package var id: String?
    /// The sender, in the same form, at most 256 bytes; the topic's source if the document names none.
    package var source: String?
    /// The story, in the same form, at most 256 bytes.
    package var story: String?
    /// The revision if it is an integer of at least 0.
    package var revision: Int64?
    /// The kind as written, in the same form, at most 32 bytes; may be unknown.
    package var kind: String?
    /// Whether the record may restrict ``story``. The story is then held until a newer revision, and ``detail`` mentions it.
    package var holdsStory: Bool
    /// The embargo of the record; the end of time if it cannot be read.
    package var embargo: Timestamp?
    /// `test` if the source reaches only the test hub, so that the held stories are tests.
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

/// The reason why an event cannot be processed, as written in outcome records and dead letters.
package struct InvalidReason: RawRepresentable, Hashable, Sendable {
    /// The dotted code, such as `invalid.schema`.
    package var rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The record's value has no bytes. A missing value is a tombstone, which is not a fault.
    package static let empty = InvalidReason(rawValue: "invalid.empty")
    /// The value has more bytes than allowed; it was not parsed.
    package static let tooLarge = InvalidReason(rawValue: "invalid.too_large")
    /// A schema registry's frame is truncated or does not contain JSON.
    package static let frame = InvalidReason(rawValue: "invalid.frame")
    /// The CloudEvents envelope cannot be read.
    package static let cloudEvent = InvalidReason(rawValue: "invalid.cloudevent")
    /// The value is not UTF-8.
    package static let utf8 = InvalidReason(rawValue: "invalid.utf8")
    /// The value is not a JSON text.
    package static let json = InvalidReason(rawValue: "invalid.json")
    /// An object has a name twice; parsers differ on which value counts.
    package static let duplicateMember = InvalidReason(rawValue: "invalid.duplicate_member")
    /// Arrays and objects are nested too deeply.
    package static let depth = InvalidReason(rawValue: "invalid.depth")
    /// The JSON text is not an object.
    package static let notObject = InvalidReason(rawValue: "invalid.not_object")
    /// The status of the item is unknown; its story is held.
    package static let status = InvalidReason(rawValue: "invalid.pubstatus")
    /// The JSON text is not an event.
    package static let schema = InvalidReason(rawValue: "invalid.schema")
    /// The headers of a replay command are missing or malformed, or contradict the event.
    package static let replay = InvalidReason(rawValue: "invalid.replay")
    /// The event expires before it is published or before its embargo ends.
    package static let times = InvalidReason(rawValue: "invalid.times")
    /// The publication time is further in the future than clocks differ.
    package static let future = InvalidReason(rawValue: "invalid.future")
    /// No language has a headline.
    package static let noText = InvalidReason(rawValue: "invalid.no_text")
    /// The event requires secure delivery, but the configuration has no notice to show instead of its words.
    package static let noSecureText = InvalidReason(rawValue: "invalid.no_secure_text")
    /// More users would be notified of the story than can be stored for a correction.
    package static let audienceFull = InvalidReason(rawValue: "invalid.audience_full")
    /// No category maps to an audience.
    package static let unmapped = InvalidReason(rawValue: "invalid.unmapped")
    /// The revision was received before with another text.
    package static let revisionConflict = InvalidReason(rawValue: "invalid.revision_conflict")
    /// The hub rejects this payload but accepts others.
    package static let refused = InvalidReason(rawValue: "invalid.refused")

    /// All reasons of this version, so that a count of each can be shown before the first occurs.
    package static let known: [InvalidReason] = [
        .empty, .tooLarge, .frame, .cloudEvent, .utf8, .json, .duplicateMember, .depth, .notObject,
        .status, .schema, .replay, .times, .future, .noText, .noSecureText, .audienceFull, .unmapped, .revisionConflict,
        .refused,
    ]
}

/// The error that ends the decoding of a record.
struct DecodeError: Error {
    let reason: InvalidReason
    /// See ``EventRejection/detail``.
    let detail: String

    init(_ reason: InvalidReason, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }

    /// Converts the error of bytes that are not JSON.
    ///
    /// - Parameters:
    ///   - error: The error of the JSON reader.
    ///   - place: The name of the parsed text, if it is not the record's value.
    ///   - shift: The number of bytes of the value before the text.
    ///   - hint: An addition to the message.
    init(_ error: JSONError, within place: String = "", shiftedBy shift: Int = 0, hint: String = "") {
        reason =
            switch error.code {
            case .empty: .empty
            case .invalidUTF8: .utf8
            case .duplicateMember: .duplicateMember
            case .tooDeep: .depth
            default: .json
            }
        let path = error.path.isEmpty ? "" : "\(error.path.printable(limit: 256)): "
        let text = place.isEmpty ? "" : " of \(place)"
        detail = "\(path)\(error.message) at byte \(error.offset + shift)\(text)\(hint)"
    }
}
