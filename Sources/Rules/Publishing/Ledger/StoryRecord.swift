package import NewsEvents
package import Timestamps

/// What the worker knows of one story, as the ledger keeps it.
///
/// The ledger topic has one record a story; ``LedgerRecordCodec`` writes and reads it. ``StoryLedgerTable`` keeps a compact
/// form of all stories of a partition, without texts and without the bytes of events that wait.
package struct StoryRecord: Sendable, Equatable {
    /// Whether more may be told.
    package enum Phase: String, Sendable, CaseIterable {
        case open
        /// A hold: the next revision releases or kills.
        case held
        /// Withdrawn; later revisions are refused.
        case killed
    }

    package var phase: Phase = .open
    /// The highest revision that ended; 0 for none.
    package var revision: Int64
    /// The highest revision of which an event ended, whatever its end, where that is above ``revision``; else 0.
    package var passedRevision: Int64 = 0
    package var eventID: String
    package var source: String
    package var kind: EventKind
    /// What readers would notice of ``revision``, to tell a repeat from a conflict.
    package var digest: ContentDigest
    /// Whether ``revision`` counts as told: a repeat of it is a duplicate.
    ///
    /// False when it ended without a push (refused, unmapped, expired), so that it can be sent again.
    package var isTold: Bool
    /// Whether an event of it was for secure delivery: none of its words may travel any more, whatever a later one says.
    package var isSecure = false
    /// The source offset of the last event told that brought words, for a kill that brings none.
    package var wordsOffset: Int64?
    /// These words themselves, where the event had waited so long that the source may have lost it.
    package var text: [EventText] = []
    /// Whether texts are left out here and lie in the ledger only.
    package var textIsElsewhere = false
    /// What was told before; `nil` where there is nothing of it, as of most stories.
    private(set) var past: Past?
    /// What was accepted, one entry a target.
    package var sent: [Sent] = []
    /// What may have been accepted: written to the hub, and never answered for certain.
    package var maybeSent: [Sent] = []
    /// The source offsets that are not to be worked on again.
    package var done = DoneOffsets()
    /// Events that ended, whose records were not all confirmed when this was written.
    package var closing: [Closing] = []
    /// Events that wait.
    package var waiting: [Waiting] = []
    /// Whether waiting events are left out here and lie in the ledger only.
    package var waitingIsElsewhere = false
    /// When this state came about.
    package var changedAt: Timestamp

    package init(
        revision: Int64,
        eventID: String,
        source: String,
        kind: EventKind,
        digest: ContentDigest,
        isTold: Bool,
        changedAt: Timestamp
    ) {
        self.revision = revision
        self.eventID = eventID
        self.source = source
        self.kind = kind
        self.digest = digest
        self.isTold = isTold
        self.changedAt = changedAt
    }

    /// Makes the state of a story of which nothing ended yet.
    ///
    /// - Parameters:
    ///   - event: The first event seen of the story; it lends its id, source, kind and digest.
    ///   - digest: The event's digest.
    ///   - now: The present.
    package init(awaiting event: borrowing NewsEvent, digest: ContentDigest, now: Timestamp) {
        self.init(
            revision: 0,
            eventID: event.id,
            source: event.source,
            kind: event.kind,
            digest: digest,
            isTold: false,
            changedAt: now
        )
    }

    /// Acts that were told before ``eventID``, by `NewsEvent.nameSum`; oldest first, at most ``longestPast``.
    package var earlier: [UInt64] {
        get { past?.earlier ?? [] }
        set { past = Past.of(earlier: newValue, pushes: pushes) }
    }

    /// What readers were told lately; kept only where caps or brakes count it.
    package var pushes: [Push] {
        get { past?.pushes ?? [] }
        set { past = Past.of(earlier: earlier, pushes: newValue) }
    }

    /// Whether texts or waiting events are missing here, so that this must not be written as it is.
    package var isIncomplete: Bool { textIsElsewhere || waitingIsElsewhere }

    /// Takes the parts that lie elsewhere from the story's whole record.
    ///
    /// - Parameter whole: The record of the ledger that this state was restored from.
    package mutating func complete(from whole: StoryRecord) {
        if textIsElsewhere { text = whole.text }
        if waitingIsElsewhere { waiting = whole.waiting }
        textIsElsewhere = textIsElsewhere && whole.textIsElsewhere
        waitingIsElsewhere = waitingIsElsewhere && whole.waitingIsElsewhere
    }

    /// Remembers an accepted request; a later one to the same target takes the place of the earlier.
    ///
    /// What may have been accepted of the same target, up to the same revision, needs no mention any more. Of users each is
    /// remembered where he was told last, so that a story's record does not grow with its revisions.
    package mutating func recordSent(_ new: Sent) {
        if new.isForUsers {
            sent.removeUsers(of: new) { $0.revision < new.revision }
            maybeSent.removeUsers(of: new) { $0.revision <= new.revision }
        }
        if !maybeSent.isEmpty {
            maybeSent.removeAll { $0.hasSameTarget(as: new) && $0.revision <= new.revision }
        }
        sent.put(new)
    }

    /// Remembers a request that may have been accepted.
    package mutating func recordMaybeSent(_ new: Sent) {
        if new.isForUsers { maybeSent.removeUsers(of: new) { $0.revision < new.revision } }
        maybeSent.put(new)
    }
}

extension [StoryRecord.Sent] {
    fileprivate mutating func put(_ new: StoryRecord.Sent) {
        if isEmpty {
            // Most events are one request, and a list of one takes less room than one that grows.
            self = [new]
        } else if let index = firstIndex(where: { $0.hasSameTarget(as: new) }) {
            self[index] = new
        } else {
            append(new)
        }
    }
}
