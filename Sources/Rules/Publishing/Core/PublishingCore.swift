import NewsflashBasics
import NewsflashEvents
package import NewsflashTimestamps
import NotificationHubs

/// The state machine that takes events from their records to their final outcomes.
///
/// It does no I/O: batches go in (records, answers of the hubs, confirmations, and then the time), and the actions to perform
/// come out of ``dequeueActions()``. One thread creates and owns it. It is not `Sendable`, because its events and stories are
/// mutable objects.
///
/// Facts are recorded when they happen: a request that a hub accepted changes the facts of its story, and the next batch of the
/// ledger contains them. An event ends when all its requests are settled; its outcome is written when the ledger has its facts,
/// and its offset is processed when the outcome is confirmed. See the article "Life of an event".
package struct PublishingCore: ~Copyable {
    package let configuration: PublishingConfiguration
    /// The rules for events that are admitted from now on.
    var rules: RuleSet
    /// The inputs of recent decisions, while samples are requested; otherwise `nil`.
    var samples: [DecisionSample]?
    /// An existential has no fixed layout, so functions that only read the core receive its address. Otherwise each call would
    /// copy the whole core: 3,500 of the 52,000 instructions of `core.stub`.
    var random: any RandomNumberGenerator & Sendable

    var partitions = Partitions()
    var stories: Stories
    var events: [EventID: Event] = [:]
    /// Events in progress whose records the consumer has not reached.
    var ahead = ScannedEvents()
    /// Events that are only in the ledger.
    var waiting = WaitingStories()
    /// The waiting stories of partitions that are restored and not working yet, and whether each wait is over.
    var restoredWaits: [PartitionID: [(key: WaitingStories.Key, entry: WaitingStories.Entry, isOver: Bool)]] = [:]
    /// Records of late writers in the ledgers of partitions that are restored and not working yet.
    var restoredLate: [PartitionID: [LateRecord]] = [:]
    var hubs: [HubScheduler]
    /// The names of the hubs in ``hubs``.
    let hubNames: [String]
    /// The paused sources.
    var pauses = SourcePauses()
    /// The recent notifications.
    var tally: PushCounter
    var ledger: LedgerSchedule
    /// Requests at risk: accepted, and not in a confirmed batch.
    var exposure = RequestsAtRisk()
    var writes = PendingWrites()
    var recalls: [RecallID: RecallPurpose] = [:]
    var delays = TimerQueue<Instant, DueItem>()
    var appointments = TimerQueue<Timestamp, DueItem>()
    /// The latest time that the civil clock has shown, also if it was set back since.
    private(set) var latestWall = Timestamp(nanoseconds: .min)

    var nextCommit: Instant?
    private var nextForgetting: Instant?
    private var nextReview: Instant?
    var nextIntents: Instant?
    private(set) var lastNumber: UInt64 = 0
    var actions: [PublishingAction] = []

    /// The purpose of a timer.
    enum DueItem: Sendable {
        /// The wait of an event is over by the clock.
        case wait(EventID)
        /// Quiet hours of some of its requests are over.
        case wake(EventID)
        /// The event waits no longer for the ledger.
        case turn(EventID)
        /// Some of its requests may be tried again.
        case retry(EventID)
        case rewrite(WriteID)
        /// Answers to requests in flight of a draining partition are not awaited any longer.
        case giveUp(PartitionID, reading: UInt32)
    }

    /// The purpose for which a record is read.
    enum RecallPurpose {
        /// The facts of a story that has received an event.
        case facts(Story)
        /// The text that subscribers received.
        case text(Story)
        /// A withdrawal that has ended and must also go to subscribers in a late writer's record.
        case withdrawal(Story)
        /// The events of a story that wait in the ledger, in the record at an offset.
        case waiting(WaitingStories.Key, ledgerOffset: Int64)
        /// A story to forget.
        case forgetting(PartitionID, StoryIndex.Key, ledgerOffset: Int64)
    }

    /// Creates a core that owns no partition yet.
    ///
    /// - Parameters:
    ///   - configuration: Bounds and policies.
    ///   - planner: Turns events into requests.
    ///   - seed: The seed for the jitter of retries.
    package init(configuration: PublishingConfiguration, planner: any EventPlanning, seed: UInt64) {
        self.init(configuration: configuration, rules: RuleSet(configuration, planner: planner), seed: seed)
    }

    /// Creates a core that owns no partition yet.
    ///
    /// - Parameters:
    ///   - configuration: Bounds. Its policy must be that of the rules.
    ///   - rules: The rules for events that are admitted until others are adopted.
    ///   - seed: The seed for the jitter of retries.
    package init(configuration: PublishingConfiguration, rules: RuleSet, seed: UInt64) {
        self.configuration = configuration
        self.rules = rules
        self.random = SeededRandom(seed: seed)
        self.tally = PushCounter(rules.gate.policy)
        self.stories = Stories(byteLimit: configuration.storyMemoryBytes, keepsLedger: configuration.keepsLedger)
        self.ledger = LedgerSchedule(interval: configuration.ledgerInterval)
        self.hubNames = configuration.hubs.map(\.name)
        self.hubs = configuration.hubs.map { HubScheduler($0, governor: SendLimiter(limits: configuration.limits)) }
    }

    /// Dequeues the actions to perform, in order.
    package mutating func dequeueActions() -> [PublishingAction] {
        defer { actions = [] }
        return actions
    }

    /// Puts actions back that were dequeued and not performed; they come before later ones.
    package mutating func putBack(_ untouched: [PublishingAction]) { actions = untouched + actions }

    /// When ``timePassed(now:)`` must be called even if nothing else happens.
    ///
    /// - Parameter now: The current time, to convert due times of the civil clock.
    /// - Returns: `nil` if nothing is due.
    package mutating func nextTimer(now: Moment) -> Instant? {
        var due = delays.nextDue
        func atLatest(_ instant: Instant?) {
            guard let instant else { return }
            due = min(due ?? instant, instant)
        }
        atLatest(appointments.nextDue.map { now.instant(of: $0) })
        atLatest(waiting.nextDue.map { now.instant(of: $0) })
        if canRecallWaiting { atLatest(now.instant) }
        for hub in hubs.indices {
            let open = openLanes(of: hub, now: now.instant)
            atLatest(hubs[hub].nextDue(now: now.instant) { open & 1 << $0.rawValue != 0 })
            atLatest(expressOnlyUntil(of: hub, now: now.instant))
        }
        atLatest(ledger.due)
        atLatest(exposure.nextChange)
        if partitions.hasMoved { atLatest(nextCommit) }
        atLatest(nextForgetting)
        if hubs.contains(where: { $0.governor.inFlight > 0 }) { atLatest(nextIntents) }
        if needsReview { atLatest(nextReview ?? now.instant) }
        return due
    }

    /// Performs everything that is due, begins the requests that may begin, and commits.
    ///
    /// Earlier inputs have changed the state. Their consequences follow here, so that events that have ended can be recorded
    /// before anything new is planned.
    package mutating func timePassed(now: Moment) {
        latestWall = max(latestWall, now.wall)
        while let item = delays.popDue(at: now.instant) { fallDue(item, now: now) }
        while let item = appointments.popDue(at: now.wall) { fallDue(item, now: now) }
        waiting.fallDue(at: now.wall)
        recallWaiting(now)
        if nextForgetting.map({ $0 <= now.instant }) ?? true { forgetOldStories(now) }
        if needsReview, nextReview.map({ $0 <= now.instant }) ?? true { reviewQueued(now) }
        if let nextIntents, nextIntents <= now.instant { recordIntents(now) }
        pump(now)
        commitIfDue(now)
    }

    /// Whether a hub accepts nothing at present, or is slower than others. Events that wait for it get no turn, which would
    /// check their expiry, or have it late.
    private var needsReview: Bool {
        hubs.contains { $0.isOpenCircuit || $0.governor.pausedUntil != nil || !$0.backlog.isEmpty }
    }

    /// Ends events whose life is over while they wait for a hub, and stores those for which only slow hubs are left; once a
    /// second.
    private mutating func reviewQueued(_ now: Moment) {
        nextReview = now.instant + .seconds(1)
        for event in events.values.sorted(by: { $0.id.number < $1.id.number }) {
            switch event.state {
            case .queued, .sending:
                guard !event.isInFlight else { continue }
                if let verdict = expiry(of: event, now: now) {
                    cancel(event, by: verdict, now: now)
                } else {
                    storeIfSlow(event, now: now)
                }
            case .undecided, .waiting, .ending, .recording: continue
            }
        }
    }

    private mutating func fallDue(_ item: DueItem, now: Moment) {
        switch item {
        case .wait(let id):
            if let event = events[id], case .waiting(let wait) = event.state { waitIsOver(wait, of: event, now: now) }
        case .wake(let id):
            if let event = events[id] { wake(event, now: now) }
        case .turn(let id):
            if let event = events[id], event.state == .waiting(.ledger) { enqueue(event, now: now) }
        case .retry(let id):
            if let event = events[id] { retry(event, now: now) }
        case .rewrite(let id):
            if let write = writes[id] { actions.append(.writeOutcome(write.write)) }
        case .giveUp(let partition, let reading):
            if partitions[partition].reading == reading { giveUp(partition, now: now) }
        }
    }

    /// Forgets stories that have not changed for as long as the ledger keeps them; once a minute.
    private mutating func forgetOldStories(_ now: Moment) {
        nextForgetting = now.instant + .seconds(60)
        // An event that did not wait until its time has left its timer.
        if appointments.count > 2 * events.count + 1000 {
            appointments.removeAll { [events] item in
                if case .wait(let id) = item { events[id] == nil } else { false }
            }
        }
        waiting.forgetTimers()
        guard configuration.keepsLedger else { return }
        let limit = now.wall - configuration.storyRetention
        for partition in stories.partitions where partitions[partition].phase == .working {
            for (key, offset) in stories.nextExpired(of: partition, before: limit, atMost: 200) {
                recall(.ledger(offset), of: partition, for: .forgetting(partition, key, ledgerOffset: offset))
            }
        }
    }

    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }
}
