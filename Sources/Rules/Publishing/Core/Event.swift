import NewsEvents
import Timestamps

/// One event while it is worked on.
///
/// An object: every step looks at much of it and changes little, so that a value would be copied again and again. It belongs
/// to the ``EventSlab`` of one machine, which no other thread sees; therefore it is not `Sendable`.
final class Event {
    let id: EventID
    let news: NewsEvent
    let digest: ContentDigest
    /// The rules it was admitted under.
    let rules: RuleSet
    let place: RecordPlace
    let story: LiveStory
    var warnings: [String]
    /// Why its record is no event, where that holds its story all the same; ``news`` is then a hold.
    let rejected: RejectedRecord?
    let consumedAt: Timestamp
    /// The record's bytes, for a dead letter and for the ledger.
    var original: any OriginalRecord
    var lane: Lane
    var phase: EventPhase
    /// Why the ledger keeps its bytes, so that its offset is done though it has not ended; `nil` where it does not.
    var keptFor: StoryRecord.WaitReason?
    /// Whether it was found ahead of the reader, which has not come to its record yet.
    var isAhead = false
    /// What was worked out while it waited for its turn; `nil` mostly.
    var draft: Draft?
    /// Empty until the event is planned.
    var targets: [Target] = []
    var planWarnings: [String] = []
    /// What caps and brakes count of it, once it is planned; `nil` where nobody counts.
    var push: StoryRecord.Push?
    /// When its requests went and were taken.
    var times = Times()

    init(
        _ id: EventID,
        _ news: consuming NewsEvent,
        digest: ContentDigest,
        warnings: [EventWarning],
        place: RecordPlace,
        story: LiveStory,
        rules: RuleSet,
        consumedAt: Timestamp,
        original: any OriginalRecord,
        rejected: RejectedRecord? = nil
    ) {
        self.id = id
        self.news = news
        self.digest = digest
        self.rules = rules
        self.place = place
        self.story = story
        self.warnings = warnings.isEmpty ? [] : warnings.map(\.rawValue)
        self.consumedAt = consumedAt
        self.original = original
        self.rejected = rejected
        self.lane = news.lane
        self.phase = .waiting(.story)
    }

    /// The lane of an attempt that follows a failed one.
    var retryLane: Lane { lane == .express ? .express : .retry }

    /// Whether the ledger keeps its bytes.
    var isParked: Bool { keptFor != nil }

    /// Whether a person has to let it go. Until then it has done nothing: another source may well say otherwise.
    var isKeptByPerson: Bool {
        switch phase {
        case .waiting(.release), .waiting(.brake): true
        case .waiting, .queued, .sending, .ended, .writing: false
        }
    }

    /// Whether both are records of one act, as when its sender tried again.
    func isSameAct(as other: Event) -> Bool { news.id == other.news.id && news.source == other.news.source }

    var isInFlight: Bool { standing.inFlight > 0 }
    var isPlanned: Bool { !targets.isEmpty }

    /// Whether requests may still go out for it.
    var isAlive: Bool {
        switch phase {
        case .waiting, .queued, .sending: true
        case .ended, .writing: false
        }
    }

    /// Whether the hub took a request of it, or may have.
    var mayHaveBeenSent: Bool { standing.mayHaveBeenSent }

    /// How its requests stand at present.
    var standing: Standing {
        let targets = targets
        return Standing(of: targets.span)
    }

    /// What is strange about it, its plan included.
    var allWarnings: [String] { planWarnings.isEmpty ? warnings : warnings + planWarnings }

    /// What an outcome says of its requests.
    var outcomeTargets: [OutcomeRecord.Target] {
        let targets = targets
        let span = targets.span
        return [OutcomeRecord.Target](capacity: span.count) { said in
            span.lendEach { said.append(OutcomeRecord.Target($0.send, $0.report)) }
        }
    }

    /// The offset of its record, where that is not done and not about to be.
    var openOffset: Int64? {
        if case .writing = phase { return nil }
        return isParked ? nil : place.offset
    }
}

/// Where a record stands: its partition and offset, and in which reading of the partition it was read.
struct RecordPlace: Sendable, Hashable {
    var partition: PartitionID
    var offset: Int64
    /// Grows when the partition is assigned anew or its offsets go back; an older one says nothing of present offsets.
    var reading: UInt32
    /// The record's time by the broker or the producer.
    var timestamp: Timestamp?
}
