import NewsEvents
import NotificationHubs
import Randomness
package import Timestamps

/// The machine that takes events from records to their final outcomes.
///
/// Without I/O: batches go in (records, answers of the hub, delivery reports, and then the time), and what the edge has to do
/// comes out of ``takeActions()``. One thread makes it and owns it: it is not `Sendable`, since its events and stories are objects that
/// it changes. An offset counts as done only when the records of the event's end are
/// confirmed: the ledger's, the outcome, and the dead letter where there is one. What is committed is the lowest offset not
/// yet done; what is done above it the ledger knows.
///
/// Its parts keep their state to themselves: ``Partitions``, ``Stories``, ``EventSlab``, a ``HubDesk`` a hub, ``Writes``.
/// See the article "Life of an event".
package struct PublishingCore {
    package let configuration: PublishingConfiguration
    /// The rules for events that are admitted from now on.
    var rules: RuleSet
    /// What decisions were made of, while somebody asks for it; `nil` while nobody does.
    var samples: [DecisionSample]?
    var random: SeededRandom

    var partitions = Partitions()
    var stories: Stories
    var events = EventSlab()
    /// Events under way that the reader has not come to.
    var ahead = AheadEvents()
    var desks: [HubDesk]
    /// The names of their hubs.
    let hubNames: [String]
    /// Which sources are on hold.
    var holds = SourceHolds()
    /// What was pushed of late.
    var tally: PushTally
    var writes = Writes()
    var delays = TimerQueue<Instant, DueItem>()
    var appointments = TimerQueue<Timestamp, DueItem>()

    var nextCommit: Instant?
    private var nextForgetting: Instant?
    private var nextExpiring: Instant?
    private(set) var lastNumber: UInt64 = 0
    var actions: [PublishingAction] = []

    /// What a timer brings back.
    enum DueItem: Sendable {
        /// What an event waits for by the clock is over.
        case wait(EventID)
        /// Readers of some of its requests are awake.
        case rest(EventID)
        /// Waits no longer for the ledger.
        case turn(EventID)
        case retry(EventID, target: Int)
        case rewrite(WriteID)
    }

    /// Makes a machine that owns no partition yet.
    ///
    /// - Parameters:
    ///   - configuration: Bounds and policies.
    ///   - planner: Turns events into requests.
    ///   - seed: For the jitter of retries.
    package init(configuration: PublishingConfiguration, planner: any EventPlanning, seed: UInt64) {
        self.init(configuration: configuration, rules: RuleSet(configuration, planner: planner), seed: seed)
    }

    /// Makes a machine that owns no partition yet.
    ///
    /// - Parameters:
    ///   - configuration: Bounds; its policy is that of the rules.
    ///   - rules: For events that are admitted until others are put into force.
    ///   - seed: For the jitter of retries.
    package init(configuration: PublishingConfiguration, rules: RuleSet, seed: UInt64) {
        self.configuration = configuration
        self.rules = rules
        self.random = SeededRandom(seed: seed)
        self.tally = PushTally(rules.gate.policy)
        self.stories = Stories(byteLimit: configuration.storyMemoryBytes)
        self.hubNames = configuration.hubs.map(\.name)
        self.desks = configuration.hubs.map { HubDesk($0, governor: Governor(limits: configuration.limits)) }
    }

    /// Takes what the edge has to do, in order.
    package mutating func takeActions() -> [PublishingAction] {
        defer { actions = [] }
        return actions
    }

    /// When ``timePassed(now:)`` is to be called even if nothing else happens.
    ///
    /// - Parameter now: The present, to place what the civil clock decides.
    /// - Returns: `nil` where nothing is due.
    package mutating func nextTimer(now: Moment) -> Instant? {
        var due = delays.nextDue
        func atLatest(_ instant: Instant?) {
            guard let instant else { return }
            due = min(due ?? instant, instant)
        }
        atLatest(appointments.nextDue.map { now.instant(of: $0) })
        for desk in desks.indices {
            let open = Lane.allCases.filter { mayGo($0, at: desk, now: now.instant) }
            atLatest(desks[desk].nextDue(now: now.instant) { open.contains($0) })
        }
        atLatest(writes.exposure.nextChange)
        if partitions.hasMoved { atLatest(nextCommit) }
        atLatest(nextForgetting)
        if isAnyDeskStopped { atLatest(nextExpiring ?? now.instant) }
        return due
    }

    /// Does what has fallen due, lets requests go that may, and commits.
    ///
    /// What came before has changed what is known, and is followed here: so what has ended can be written down before anything
    /// new is planned.
    package mutating func timePassed(now: Moment) {
        while let item = delays.popDue(at: now.instant) { fallDue(item, now: now) }
        while let item = appointments.popDue(at: now.wall) { fallDue(item, now: now) }
        if nextForgetting.map({ $0 <= now.instant }) ?? true { forgetOldStories(now) }
        if isAnyDeskStopped, nextExpiring.map({ $0 <= now.instant }) ?? true { expire(now) }
        pump(now)
        commitIfDue(now)
    }

    /// Whether a hub takes nothing at present, so that what waits for it has no turn at which its life would be looked at.
    private var isAnyDeskStopped: Bool {
        desks.indices.contains { desks[$0].governor.hold != nil || desks[$0].governor.pausedUntil != nil }
    }

    /// Ends events whose life is over while they wait for a hub; once a second.
    private mutating func expire(_ now: Moment) {
        nextExpiring = now.instant + .seconds(1)
        let over = events.all { event in
            switch event.phase {
            case .queued, .sending: !event.isInFlight && event.rules.gate.expiry(event.news, now: now.wall) != nil
            case .waiting, .ended, .writing: false
            }
        }
        for event in over {
            guard let verdict = event.rules.gate.expiry(event.news, now: now.wall) else { continue }
            cancel(event, by: verdict, now: now)
        }
    }

    private mutating func fallDue(_ item: DueItem, now: Moment) {
        switch item {
        case .wait(let id):
            if let event = events[id], case .waiting(let wait) = event.phase { waitIsOver(wait, of: event, now: now) }
        case .rest(let id):
            if let event = events[id] { wake(event, now: now) }
        case .turn(let id):
            guard let event = events[id], event.phase == .waiting(.ledger) else { return }
            enqueue(event)
        case .retry(let id, let target):
            if let event = events[id] { requeue(event, target: target) }
        case .rewrite(let id):
            rewrite(id)
        }
    }

    /// Lets go of stories that nobody has spoken of for as long as the ledger keeps them; once a minute.
    private mutating func forgetOldStories(_ now: Moment) {
        nextForgetting = now.instant + .seconds(60)
        guard configuration.keepsLedger else { return }
        let limit = now.wall - configuration.storyRetention
        for partition in stories.partitions where partitions.phase(of: partition) == .working {
            for name in stories.takeExpired(of: partition, changedBefore: limit, atMost: 1000)
            where !stories.isLive(name, of: partition) {
                write(.ledger, of: partition, story: nil, LedgerWrite(story: name, record: nil), now: now)
            }
        }
    }

    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }
}
