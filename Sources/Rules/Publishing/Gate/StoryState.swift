package import NewsEvents
package import NotificationHubs
package import Timestamps

/// What the worker knows of one story: what was seen and what was sent.
package struct StoryState: Sendable, Equatable {
    /// Whether more may be told.
    package enum Phase: String, Sendable {
        case open
        /// A hold: the next revision releases or kills.
        case held
        /// Withdrawn; later revisions are refused.
        case killed
    }

    /// One accepted request.
    package struct Sent: Sendable, Equatable {
        package var expression: TagExpression
        package var locale: String?
        package var revision: Int64
        package var acceptedAt: Timestamp
        /// The newsroom's categories that the audience stands for.
        package var categories: [String]

        package init(
            expression: TagExpression,
            locale: String?,
            categories: [String] = [],
            revision: Int64,
            acceptedAt: Timestamp
        ) {
            self.expression = expression
            self.locale = locale
            self.categories = categories
            self.revision = revision
            self.acceptedAt = acceptedAt
        }
    }

    package var phase: Phase = .open
    /// The highest revision seen.
    package var revision: Int64
    package var eventID: String
    package var source: String
    package var kind: EventKind
    /// What readers would notice of ``revision``, to tell a repeat from a conflict.
    package var digest: ContentDigest
    /// The texts of the last revision that carried any, for a kill that brings none.
    package var text: [EventText]
    /// What was accepted so far, one entry an audience.
    package var sent: [Sent] = []

    package init(of event: NewsEvent, digest: ContentDigest) {
        self.revision = event.revision
        self.eventID = event.id
        self.source = event.source
        self.kind = event.kind
        self.digest = digest
        self.text = event.text
    }

    /// Takes up a newer revision.
    package mutating func advance(to event: NewsEvent, digest: ContentDigest) {
        revision = event.revision
        eventID = event.id
        source = event.source
        kind = event.kind
        self.digest = digest
        if !event.text.isEmpty { text = event.text }
    }

    /// Remembers an accepted request; a later one to the same audience takes the place of the earlier.
    package mutating func recordSent(_ new: Sent) {
        if let index = sent.firstIndex(where: { $0.expression == new.expression && $0.locale == new.locale }) {
            sent[index] = new
        } else {
            sent.append(new)
        }
    }
}
