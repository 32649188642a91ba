package import NewsflashTimestamps

/// The format of a source's records inside their envelopes.
package enum SourceFormat: Sendable, Equatable {
    /// The event itself, version 1.
    case event
    /// IPTC's ninjs of any generation; items of Superdesk and AP are recognized by their members.
    case ninjs
    /// ninjs as Superdesk writes it.
    case superdesk
    /// An item of AP's Media API, bare or under `data.item`.
    case ap
    /// Any other JSON, read with a mapping.
    case fields(FieldMapping)

    /// The default maximum size of a value in bytes: 256 KiB for an event; for a feed, whose items have bodies, the 1 MiB
    /// that brokers usually accept.
    package var usualMaximumBytes: Int { self == .event ? 262_144 : 1_048_576 }

    /// Whether the values are items of ninjs.
    var isOfItems: Bool {
        switch self {
        case .ninjs, .superdesk, .ap: true
        case .event, .fields: false
        }
    }

    /// The origin of an item's revision unless configured.
    package var usualRevision: SourceRules.Revision { self == .superdesk ? .versionCreated : .version }
}

/// The settings of a source besides its format.
package struct SourceRules: Sendable, Equatable {
    /// The origin of a feed's revision.
    package enum Revision: String, Sendable, CaseIterable {
        /// The item's version, a whole number.
        case version
        /// The time at which the version was created, in milliseconds.
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
        /// Only the test hub, regardless of the event's mode.
        case test
    }

    /// The maximum number of categories of an event: `maxItems` of its schema.
    package static let mostCategories = 16
    /// The maximum number of categories that are read from an item of a feed.
    package static let mostSubjects = ItemSubjects.most

    /// The origin of revisions; `nil` for the default of the format: by time for Superdesk's items, by version for others.
    package var revision: Revision?
    /// The places of an item's story; the first one that an item has counts. If the list is empty, the item's name is the
    /// story.
    package var story: [StoryRule] = []
    package var push = PushFilter()
    /// The kind of a story's first news by its urgency; later news is an update.
    package var kinds: [Int: EventKind] = [1: .flash, 2: .alert, 3: .alert]
    /// Whether headlines and summaries are HTML.
    package var isHTML = false
    /// The place of the link; `nil` for the usual places.
    package var link: LinkRule?

    /// The places of the headline that are tried before the usual ones.
    package var headline: [FieldPointer] = []
    /// The meaning of status words that ninjs does not define, in lower case.
    package var statuses: [String: Status] = [:]
    /// The time zone of times without an offset; `nil` if such times are unreadable.
    package var zone: TimeZoneRules?

    package var mode = Mode.live
    /// The words of notes and headlines that withdraw or correct an item.
    package var notes = EditorialNotes()
    /// The prefix of categories by the scheme's name in lower case: `iptc_subject_code` has `subj`.
    package var schemes: [String: String] = [:]
    /// The categories of items that have none, or whose subjects are all unmapped; at most 16. See ``ItemSubjects/spare``.
    package var categories: [String] = []
    /// The subscribers items are for.
    package var readers = EventReaders.all

    package init() {}

    /// Whether a text is valid as a category of an event.
    package static func isCategory(_ text: String) -> Bool { SubjectCode.sound(text) != nil }

    /// The status for a word: one of the newsroom's words, or one of ninjs, also as a QCode or URI of IPTC.
    func status(of word: String) -> Status? {
        if let status = statuses[word.lowercased()] { return status }
        let prefixes = [
            "stat:", "http://cv.iptc.org/newscodes/pubstatusg2/", "http://cv.iptc.org/newscodes/pubstatus/",
        ]
        let prefix = prefixes.first { word.hasPrefix($0) } ?? ""
        return Status(rawValue: String(word.dropFirst(prefix.count)))
    }

    /// The kind of an act if nothing else determines it.
    func kind(urgency: Int?, isFirst: Bool) -> EventKind { isFirst ? kindOfFirst(urgency) : .update }

    /// The kind of a story's first news.
    func kindOfFirst(_ urgency: Int?) -> EventKind { urgency.flatMap { kinds[$0] } ?? .update }
}

/// The filter for items to push; most items of a feed are not for push.
package struct PushFilter: Sendable, Equatable {
    /// The reason of an event that the filter excludes.
    package static let reason = "suppressed.not_for_push"
    /// Types of items that are never pushed.
    package static let neverPushed: Set<String> = ["event", "planning"]

    /// The urgencies that pass; `nil` for all.
    package var urgency: ClosedRange<Int>?
    /// The types of items that pass; an item without a type also passes.
    package var types: Set<String> = ["text", "composite"]

    package init() {}

    /// Whether an item may reach subscribers.
    ///
    /// A kill and a hold always pass: they reveal nothing to subscribers who were not notified before. A correction passes
    /// with any urgency.
    func passes(kind: EventKind, urgency: Int?, type: String?, isWhole: Bool = true) -> Bool {
        if kind == .kill || kind == .hold { return true }
        if let type, Self.neverPushed.contains(type) || !types.contains(type) { return false }
        guard isWhole else { return false }
        guard kind != .correction, let range = self.urgency else { return true }
        return range.contains(urgency ?? kind.defaultUrgency)
    }
}
