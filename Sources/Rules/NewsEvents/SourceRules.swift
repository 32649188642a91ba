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
}

/// What the newsroom says of a source besides its format.
package struct SourceRules: Sendable, Equatable {
    /// What a feed's revision is taken from.
    package enum Revision: String, Sendable, CaseIterable {
        /// The item's version; the time of those whose version is no whole number.
        case version
        /// The time at which the version was made, in milliseconds.
        case versionCreated = "versioncreated"
    }

    package var revision = Revision.version
    package var push = PushFilter()
    /// The kind of a story's first news by its urgency; what follows is an update.
    package var kinds: [Int: EventKind] = [1: .flash, 2: .alert, 3: .alert]
    /// Whether headlines and summaries are HTML.
    package var isHTML = false
    /// Where the link is; nothing for the usual places.
    package var link: LinkRule?

    package init() {}

    /// The kind of an act that nothing else says.
    func kind(urgency: Int?, isFirst: Bool) -> EventKind {
        guard isFirst, let urgency, let kind = kinds[urgency] else { return .update }
        return kind
    }
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
