import NewsflashEvents
import NewsflashTimestamps
import NotificationHubs

/// Identifies an event while it is in memory.
struct EventID: Hashable, Sendable {
    var number: UInt64
}

/// One event between its record and its confirmed outcome.
///
/// An object, because every step reads much of it and changes little. It belongs to one ``PublishingCore`` and is used by one
/// thread; therefore it is not `Sendable`.
final class Event {
    let id: EventID
    private(set) var news: NewsEvent
    let digest: ContentDigest
    /// The rules under which it was admitted.
    let rules: RuleSet
    let place: RecordPosition
    let story: Story
    var warnings: [String]
    /// The tolerated faults of its record, for people; `nil` if its warnings are clear without them.
    let forgiven: String?
    /// The reason why its record could not be decoded, if the record still holds its story; ``news`` is then a synthetic hold.
    let rejected: RejectedRecord?
    let consumedAt: Timestamp
    let arrivedAt: Instant
    /// The record's bytes, for a dead letter and for the ledger.
    var original: any OriginalRecord
    var lane: Lane
    private(set) var state = State.undecided
    /// Why the ledger keeps its bytes, so that its offset is processed before it ends; `nil` if it does not keep them.
    var storedReason: StoryFacts.WaitReason?
    /// The hubs for which it waited in the ledger, by their names; `nil` if it did not wait for hubs.
    var awaitedHubs: [String]?
    /// The embargo of its story for which it waits, although it has no embargo itself; `nil` if absent.
    var droppedEmbargo: Timestamp?
    /// Whether the priority scan found it, and the consumer has not reached its record yet.
    var isAhead = false
    /// Whether it waited for a given time that has come, such as the end of an embargo.
    var isAppointment = false
    /// Whether an earlier owner of the partition may have sent it and crashed before the ledger contained it.
    var mayHaveBeenSentBefore = false
    /// Whether it is a withdrawal that had ended, and goes on to audiences that only a late writer's record contains.
    var hasEnded = false
    /// Its requests; empty until the event is planned.
    var requests: [Request] = []
    /// The facts of requests of this act that were accepted before, for audiences without a request in ``requests``.
    var acceptedBefore: [AudienceFact] = []
    /// Its audiences at hubs that are not in the configuration any more.
    var unreachable: [AudienceFact] = []
    /// The hubs in whose lanes it is queued, one bit each.
    var lanes: UInt64 = 0
    var planWarnings: [String] = []
    /// The notification for caps and volume limits; `nil` before planning or if nothing counts it.
    var push: StoryFacts.Push?
    /// When its requests began and were accepted.
    var times = Times()

    init(
        _ id: EventID,
        _ news: consuming NewsEvent,
        digest: ContentDigest,
        warnings: [EventWarning],
        place: RecordPosition,
        story: Story,
        rules: RuleSet,
        consumedAt: Timestamp,
        arrivedAt: Instant,
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
        self.forgiven = warnings.isEmpty ? nil : warnings.lazy.compactMap(\.detail).first
        self.consumedAt = consumedAt
        self.arrivedAt = arrivedAt
        self.original = original
        self.rejected = rejected
        self.lane = news.lane
    }

    /// Changes its kind to that of the first news of a story.
    func becomeFirst() {
        guard let kind = news.kindIfFirst else { return }
        news.kind = kind
        lane = min(lane, news.lane)
    }

    /// Performs a step. A step that does not exist in the current state changes nothing.
    ///
    /// - Returns: Whether the step exists.
    @discardableResult
    func move(_ step: Step) -> Bool {
        guard let next = Self.state(after: step, in: state) else { return false }
        state = next
        return true
    }

    /// Settles a request that another writer sent, because that writer's record came after this event was planned.
    func acceptIfSentBefore(_ index: Int) {
        guard let fact = story.facts.isAccepted(news, by: requests[index].plan.audience) else { return }
        requests[index].accept(at: fact.act.at)
    }

    /// The lane of an attempt that follows a failed one.
    var retryLane: Lane { lane == .express ? .express : .retry }

    /// Whether the ledger keeps its bytes.
    var isInLedger: Bool { storedReason != nil }

    /// Whether a person has to resume it. Until then it does not block the story, because another source may go on with it.
    var waitsForPerson: Bool {
        switch state {
        case .waiting(.pause), .waiting(.volumeLimit): true
        case .undecided, .waiting, .queued, .sending, .ending, .recording: false
        }
    }

    /// Whether both are records of one act, for example because its sender tried again.
    func isSameAct(as other: Event) -> Bool { news.act == other.news.act }

    var isInFlight: Bool { requestCounts.inFlight > 0 }
    var isPlanned: Bool { !requests.isEmpty || !acceptedBefore.isEmpty }

    /// Whether requests may still begin for it.
    var isAlive: Bool {
        switch state {
        case .undecided, .waiting, .queued, .sending: true
        case .ending, .recording: false
        }
    }

    /// Whether something else ended it while requests were in flight.
    var isCancelled: Bool {
        if case .ending = state { true } else { false }
    }

    /// The states of its requests, counted.
    var requestCounts: RequestCounts {
        RequestCounts(of: requests, acceptedBefore: acceptedBefore.count, unreachable: unreachable.count)
    }

    /// All its warnings, including those of its plan.
    var allWarnings: [String] {
        let all = planWarnings.isEmpty ? warnings : warnings + planWarnings
        return hasEnded ? all + ["ledger.merged"] : all
    }

    /// The targets in its outcome.
    var outcomeTargets: [OutcomeRecord.Target] {
        requests.map { OutcomeRecord.Target($0.plan, $0.report) }
            + acceptedBefore.map { OutcomeRecord.Target($0) }
            + unreachable.map {
                OutcomeRecord.Target($0, lacking: "the hub \($0.hub) is not in the configuration any more")
            }
    }

    /// The offset of its record, if that is neither processed nor about to be.
    var openOffset: Int64? {
        if case .recording = state { return nil }
        return isInLedger ? nil : place.offset
    }
}

/// The position of a record: its partition and offset, and the reading of the partition in which it was read.
package struct RecordPosition: Sendable, Hashable {
    package var partition: PartitionID
    package var offset: Int64
    /// Changes when the partition is assigned again or its offsets go back. Offsets of an older reading may mean other records.
    var reading: UInt32
    /// The record's time, set by the broker or the producer.
    var timestamp: Timestamp?
}

extension Event {
    /// Counts of the requests of an event by state.
    struct RequestCounts {
        private(set) var count = 0
        private(set) var accepted = 0
        private(set) var inFlight = 0
        private var settled = 0
        /// The number of requests that may have been accepted although no answer confirms it.
        private var unknown = 0

        init(of requests: [Request], acceptedBefore: Int, unreachable: Int) {
            count = requests.count + acceptedBefore + unreachable
            accepted = acceptedBefore
            settled = acceptedBefore + unreachable
            for request in requests {
                switch request.state {
                case .ready, .backingOff, .deferred: break
                case .inFlight: inFlight += 1
                case .settled: settled += 1
                }
                switch request.report.status {
                case .accepted: accepted += 1
                case .unknown: unknown += 1
                case .rejected, .skipped: break
                }
            }
        }

        /// Whether every request is settled; false before the event is planned.
        var isSettled: Bool { count > 0 && settled == count }

        /// Whether hubs accepted every request.
        var isAccepted: Bool { count > 0 && accepted == count }

        /// Whether a hub accepted, or may have accepted, a request.
        var mayHaveBeenSent: Bool { accepted > 0 || unknown > 0 }
    }
}
