package import NewsflashEvents
package import NewsflashTimestamps
import NotificationHubs

/// The facts of one story in the ledger: what subscribers were notified of, what was withdrawn, which records are processed,
/// and which events wait.
///
/// The ledger topic has one record for each story; ``LedgerRecordCodec`` encodes and decodes it.
package struct StoryFacts: Sendable, Equatable {
    /// The phase of the story.
    package enum Phase: String, Sendable, CaseIterable {
        case open
        /// Held by a hold: the next revision releases or kills it.
        case held
        /// Withdrawn; later news of it is suppressed.
        case killed
    }

    package var phase: Phase = .open
    /// The highest revision of news that ended; 0 if none has. A kill or a hold can raise it, but not lower it.
    package var revision: Int64
    /// The highest revision of an ended event, whatever its outcome, if it is above ``revision``; otherwise 0.
    package var passedRevision: Int64 = 0
    /// The latest act that counts: id, source and kind of its event.
    package var eventID: String
    package var source: String
    package var kind: EventKind
    /// Digest of the content of ``revision``, to distinguish a repeat from a conflict.
    package var digest: ContentDigest
    /// Whether a repeat of the latest act is a duplicate. False if the act ended without a notification (refused, unmapped,
    /// expired) or reached only some audiences, so that it can be sent again.
    package var isFinal: Bool
    /// Whether an event of the story had secure delivery: no text of the story may be sent from then on.
    package var isSecure = false
    /// The embargo of the latest revision with one, while it is in the future: later news without an embargo may have lost it
    /// by mistake (`policy.embargoDropped`).
    package var embargo: Timestamp?
    /// The source offset of the last event with a text that subscribers received, for a kill without a text.
    package var wordsOffset: Int64?
    /// This text, if the event had waited so long that the source may have lost it.
    package var text: [EventText] = []
    /// The source offset of the latest withdrawal that ended: a late writer's record may contain audiences that it did not
    /// reach.
    package var withdrawalOffset: Int64?
    /// Whether records that an earlier owner may have sent before its crash were unread when that withdrawal ended: they may show
    /// audiences that it must still reach.
    package var isWithdrawalEarly = false
    /// Earlier acts that count, by `NewsEvent.act`; oldest first, at most ``maximumEarlier``.
    package var earlier: [UInt64] = []
    /// Acts of events with an accepted request that have not ended. In ``audiences``, other acts may have replaced them. At
    /// most ``maximumEarlier``.
    package var begun: [UInt64] = []
    /// Other acts of news of which subscribers were, or may have been, notified before a later act replaced them in
    /// ``audiences``. A late writer's record with such an act does not contain news that the withdrawal did not know. At most
    /// ``maximumEarlier``.
    package var replaced: [UInt64] = []
    /// The latest notifications, for caps and volume limits; empty if they are not counted.
    package var pushes: [Push] = []
    /// For each audience: what a hub accepted, what it may have accepted, and what an earlier event still owed.
    package var audiences: [AudienceFact] = []
    /// The source offsets that are processed.
    package var processed = ProcessedOffsets()
    /// Events that had ended when this was written, and whose outcomes were not confirmed.
    package var closing: [Closing] = []
    /// Waiting events, with their bytes.
    package var waiting: [Waiting] = []
    /// The term of the owner that wrote it: the offset of the ledger record by which it began. A later record with an earlier
    /// term is from a late writer.
    package var term: Int64 = 0
    /// The time of the latest change.
    package var changedAt: Timestamp

    /// The maximum number of acts in ``earlier``, in ``begun`` and in ``replaced``.
    package static let maximumEarlier = 16

    package init(
        revision: Int64,
        eventID: String,
        source: String,
        kind: EventKind,
        digest: ContentDigest,
        isFinal: Bool,
        changedAt: Timestamp
    ) {
        self.revision = revision
        self.eventID = eventID
        self.source = source
        self.kind = kind
        self.digest = digest
        self.isFinal = isFinal
        self.changedAt = changedAt
    }

    /// The facts of a story without an ended event.
    ///
    /// - Parameters:
    ///   - event: The first event of the story. Its id, source and kind are used.
    ///   - digest: The event's digest.
    ///   - now: The current time.
    package init(awaiting event: borrowing NewsEvent, digest: ContentDigest, now: Timestamp) {
        self.init(
            revision: 0,
            eventID: event.id,
            source: event.source,
            kind: event.kind,
            digest: digest,
            isFinal: false,
            changedAt: now
        )
    }

    /// The act of ``eventID``, ``source`` and ``kind``.
    var latestAct: UInt64 { NewsEvent.act(id: eventID, source: source, kind: kind) }

    /// Whether any event of the story has ended or waits, or a subscriber was notified.
    package var isKnown: Bool { processed.highest >= 0 || revision > 0 || !waiting.isEmpty || !audiences.isEmpty }

    /// Whether an event of it has ended, or subscribers were notified.
    var hasHistory: Bool { revision > 0 || passedRevision > 0 || phase != .open || wasNotified }

    /// An estimate of the memory of the facts, in bytes.
    var byteCount: Int {
        var count = 320 + eventID.utf8.count + source.utf8.count + 16 * earlier.count + 96 * pushes.count
        for fact in audiences { count += fact.isForUsers ? 96 + 64 * fact.expression.tags.count : 96 }
        for text in text { count += 64 + text.headline.utf8.count + (text.summary?.utf8.count ?? 0) }
        return count
    }
}
