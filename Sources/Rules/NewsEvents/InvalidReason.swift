/// Why an event cannot be worked on, as outcome records and dead letters name it.
package struct InvalidReason: RawRepresentable, Hashable, Sendable {
    /// The dotted code, such as `invalid.schema`.
    package var rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The record's value has no bytes; a missing value is a tombstone and no fault.
    package static let empty = InvalidReason(rawValue: "invalid.empty")
    /// The value has more bytes than allowed; it was not parsed.
    package static let tooLarge = InvalidReason(rawValue: "invalid.too_large")
    /// A schema registry's frame is cut, or holds no JSON.
    package static let frame = InvalidReason(rawValue: "invalid.frame")
    /// The CloudEvents envelope cannot be read.
    package static let cloudEvent = InvalidReason(rawValue: "invalid.cloudevent")
    /// The value is not UTF-8.
    package static let utf8 = InvalidReason(rawValue: "invalid.utf8")
    /// The value is no JSON text.
    package static let json = InvalidReason(rawValue: "invalid.json")
    /// An object has a name twice; parsers differ on which counts.
    package static let duplicateMember = InvalidReason(rawValue: "invalid.duplicate_member")
    /// Arrays and objects lie too deep in each other.
    package static let depth = InvalidReason(rawValue: "invalid.depth")
    /// The JSON text is no object.
    package static let notObject = InvalidReason(rawValue: "invalid.not_object")
    /// The status of the item is none that is known; its story is held.
    package static let status = InvalidReason(rawValue: "invalid.pubstatus")
    /// The JSON text is no event.
    package static let schema = InvalidReason(rawValue: "invalid.schema")
    /// The headers of an order to tell it again are not whole, or its tag is one of readers.
    package static let replay = InvalidReason(rawValue: "invalid.replay")
    /// The event expires before it is published, or its embargo outlasts it.
    package static let times = InvalidReason(rawValue: "invalid.times")
    /// The event was published further ahead than clocks differ.
    package static let future = InvalidReason(rawValue: "invalid.future")
    /// No language has a headline.
    package static let noText = InvalidReason(rawValue: "invalid.no_text")
    /// The event is for secure delivery, and the configuration has no notice to show in place of its words.
    package static let noSecureText = InvalidReason(rawValue: "invalid.no_secure_text")
    /// More users would have been told of the story than can be remembered for a correction.
    package static let audienceFull = InvalidReason(rawValue: "invalid.audience_full")
    /// No category leads to an audience.
    package static let unmapped = InvalidReason(rawValue: "invalid.unmapped")
    /// The revision was seen before with other text.
    package static let revisionConflict = InvalidReason(rawValue: "invalid.revision_conflict")
    /// The hub refuses this payload while it takes others.
    package static let refused = InvalidReason(rawValue: "invalid.refused")

    /// All that this version gives, so that counts of each can be shown before there is one.
    package static let known: [InvalidReason] = [
        .empty, .tooLarge, .frame, .cloudEvent, .utf8, .json, .duplicateMember, .depth, .notObject,
        .status, .schema, .replay, .times, .future, .noText, .noSecureText, .audienceFull, .unmapped, .revisionConflict,
        .refused,
    ]
}
