package import NewsflashEvents

/// The result of an event, in the words of the outcome schema.
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

    /// Whether the original goes to the dead letters: only faults of the event itself do.
    package var isDeadLetter: Bool { self == .invalid || self == .failed }
}

/// An outcome with its reason.
package struct EventVerdict: Sendable, Equatable {
    package var outcome: OutcomeKind
    /// A dotted code that begins with the outcome, such as `suppressed.killed`; `nil` if the outcome needs none.
    package var reason: String?
    /// Place and cause, for people; never the text of news.
    package var detail: String?

    package init(_ outcome: OutcomeKind, _ reason: String? = nil, _ detail: String? = nil) {
        self.outcome = outcome
        self.reason = reason
        self.detail = detail
    }

    /// Creates the verdict for an event whose record has a fault.
    package init(invalid reason: InvalidReason, _ detail: String? = nil) {
        self.init(.invalid, reason.rawValue, detail)
    }

    /// The values of ``reason`` for failed events.
    package static let failureReasons =
        [Request.Settlement.refused, .unavailable, .unknown].map { "failed.\($0.rawValue)" } + [
            "failed.unconfirmed", "failed.hub_removed",
        ]

    /// Whether subscribers were notified.
    package var isNotified: Bool { outcome == .sent || outcome == .partial }

    /// The verdict of an event that also notified some audiences, before a stop or a crash: `failed.refused` becomes
    /// `partial.refused`, and other reasons stay.
    var afterNotification: EventVerdict {
        let ending = outcome == .failed ? reason.map { $0.dropFirst(OutcomeKind.failed.rawValue.utf8.count) } : nil
        return EventVerdict(.partial, ending.map { OutcomeKind.partial.rawValue + $0 } ?? reason, detail)
    }

    /// Whether the original goes to the dead letters.
    package var isDeadLetter: Bool { outcome.isDeadLetter }
}
