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
