package import TimeZones

/// The form that the records of a source have behind their envelopes.
package enum SourceFormat: Sendable, Equatable {
    /// The event itself, version 1.
    case event
    /// IPTC's ninjs of any generation; Superdesk's flavour and AP's items are known by their members.
    case ninjs
    /// ninjs as Superdesk writes it.
    case superdesk
    /// An item of AP's Media API, bare or under `data.item`.
    case ap
    /// Any other JSON, by a mapping.
    case fields(FieldMapping)

    /// The most bytes of a value where the newsroom sets no limit: 256 KiB for an event, and for a feed, whose items have
    /// bodies, the 1 MiB that brokers usually take.
    package var usualMaximumBytes: Int { self == .event ? 262_144 : 1_048_576 }

    /// Whether the values are items of ninjs.
    var isOfItems: Bool {
        switch self {
        case .ninjs, .superdesk, .ap: true
        case .event, .fields: false
        }
    }

    /// The origin of an item's revision if the newsroom sets none.
    package var usualRevision: SourceRules.Revision { self == .superdesk ? .versionCreated : .version }
}

/// What the newsroom says of a source besides its format.
package struct SourceRules: Sendable, Equatable {
    /// What a feed's revision is taken from.
    package enum Revision: String, Sendable, CaseIterable {
        /// The item's version, a whole number.
        case version
        /// The time at which the version was made, in milliseconds.
        case versionCreated = "versioncreated"
    }

    /// A status of ninjs.
    package enum Status: String, Sendable, CaseIterable {
        case usable, withheld, canceled
    }

    /// The hubs that the events of a source may reach.
    package enum Mode: String, Sendable, CaseIterable {
        /// The hubs of the events' own mode.
        case live
        /// The test hub alone, whatever an event says.
        case test
    }

    /// The most categories of an event: `maxItems` of its schema.
    package static let mostCategories = 16
    /// The most categories that are taken from an item of a feed.
    package static let mostSubjects = ItemSubjects.most

    /// `nil` for the usual of the format: Superdesk's items by time, others by version.
    package var revision: Revision?
    /// The places of an item's story; the first that an item has counts. Without any the story is the item's name.
    package var story: [StoryRule] = []
    package var push = PushFilter()
    /// The kind of a story's first news by its urgency; what follows is an update.
    package var kinds: [Int: EventKind] = [1: .flash, 2: .alert, 3: .alert]
    /// Whether headlines and summaries are HTML.
    package var isHTML = false
    /// Where the link is; nothing for the usual places.
    package var link: LinkRule?

    /// The places of the headline that are looked at before the usual ones.
    package var headline: [FieldPointer] = []
    /// The meaning of words of the status that ninjs does not have, in small letters.
    package var statuses: [String: Status] = [:]
    /// The time zone of times without an offset; `nil` if they cannot be read.
    package var zone: TimeZoneRules?

    package var mode = Mode.live
    /// The words of notes and headlines that withdraw or correct an item.
    package var notes = EditorialNotes()
    /// The prefix of categories for the names of schemes, which are in small letters: `iptc_subject_code` has `subj`.
    package var schemes: [String: String] = [:]
    /// The categories of items without any, or with subjects of which none is mapped; at most 16. See ``ItemSubjects/spare``.
    package var categories: [String] = []
    /// The subscribers whom items are for.
    package var readers = EventReaders.all

    package init() {}

    /// Whether a text can be a category of an event.
    package static func isCategory(_ text: String) -> Bool { SubjectCode.sound(text) != nil }

    /// The status that a word names: one of the newsroom's words, or one of ninjs, also as a QCode or URI of IPTC's.
    func status(of word: String) -> Status? {
        if let status = statuses[word.lowercased()] { return status }
        let prefixes = [
            "stat:", "http://cv.iptc.org/newscodes/pubstatusg2/", "http://cv.iptc.org/newscodes/pubstatus/",
        ]
        let prefix = prefixes.first { word.hasPrefix($0) } ?? ""
        return Status(rawValue: String(word.dropFirst(prefix.count)))
    }

    /// The kind of an act that nothing else says.
    func kind(urgency: Int?, isFirst: Bool) -> EventKind { isFirst ? kindOfFirst(urgency) : .update }

    /// The kind of a story's first news.
    func kindOfFirst(_ urgency: Int?) -> EventKind { urgency.flatMap { kinds[$0] } ?? .update }
}

/// What of a feed is news to push; a feed carries everything.
package struct PushFilter: Sendable, Equatable {
    /// The reason of an event that the filter leaves out.
    package static let reason = "suppressed.not_for_push"
    /// Types of items that never are.
    package static let neverPushed: Set<String> = ["event", "planning"]

    /// Nothing for any.
    package var urgency: ClosedRange<Int>?
    /// Types of items; one that names none passes.
    package var types: Set<String> = ["text", "composite"]

    package init() {}

    /// Whether an item may reach readers.
    ///
    /// A kill and a hold always pass: they can tell nobody anything that he was not told. A correction passes with any urgency.
    func passes(kind: EventKind, urgency: Int?, type: String?, isWhole: Bool = true) -> Bool {
        if kind == .kill || kind == .hold { return true }
        if let type, Self.neverPushed.contains(type) || !types.contains(type) { return false }
        guard isWhole else { return false }
        guard kind != .correction, let range = self.urgency else { return true }
        return range.contains(urgency ?? kind.defaultUrgency)
    }
}
