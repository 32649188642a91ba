package import NewsEvents

/// What became of an event, in the words of the outcome schema.
package enum OutcomeKind: String, Sendable, CaseIterable {
    case sent
    case partial
    case deferred
    case held
    case duplicate
    case superseded
    case suppressed
    case expired
    case shadow
    case invalid
    case failed

    /// Whether the original goes to the dead letters: only what is the event's own fault does.
    package var isDeadLetter: Bool { self == .invalid || self == .failed }
}

/// An outcome with its reason.
package struct EventVerdict: Sendable, Equatable {
    package var outcome: OutcomeKind
    /// A dotted code under the outcome, such as `suppressed.killed`; `nil` where the outcome says it all.
    package var reason: String?
    /// For a person: where and why; never the text of news.
    package var detail: String?

    package init(_ outcome: OutcomeKind, _ reason: String? = nil, _ detail: String? = nil) {
        self.outcome = outcome
        self.reason = reason
        self.detail = detail
    }

    /// The verdict on an event whose record has a fault.
    package init(invalid reason: InvalidReason, _ detail: String? = nil) {
        self.init(.invalid, reason.rawValue, detail)
    }

    /// Why an event may fail, as ``reason`` says it.
    package static let failureReasons =
        [Request.Settlement.refused, .unavailable, .unknown].map { "failed.\($0.rawValue)" } + [
            "failed.unconfirmed", "failed.hub_removed",
        ]

    /// Whether readers were told.
    package var isTold: Bool { outcome == .sent || outcome == .partial }

    /// Whether the original goes to the dead letters.
    package var isDeadLetter: Bool { outcome.isDeadLetter }
}
