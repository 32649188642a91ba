import NewsEvents
import NotificationHubs
package import Timestamps

/// The machine that takes events from records to their final outcomes.
///
/// A value without I/O: batches go in (records, answers of the hub, delivery reports, the time), and what the edge has to do
/// comes out of ``takeActions()``. One thread owns it. An offset counts as done only when the event's outcome, and its dead
/// letter where there is one, are confirmed; what is committed is the lowest offset not yet done.
///
/// See the article "Life of an event".
package struct PublishingCore: Sendable {
    package let configuration: PublishingConfiguration
    let planner: any EventPlanning
    let gate: Gate
    var governor: Governor
    var random: SeededRandom

    var trackers: [SourcePartition: OffsetTracker] = [:]
    var draining: Set<SourcePartition> = []
    var memory: StoryTable
    var works: [RecordID: Work] = [:]
    var lines: [String: StoryLine] = [:]
    var queue = LaneQueue<Job>()
    /// Turns of the normal lane since the retry lane last had one.
    var normalTurns = 0
    var flights: [SendID: Flight] = [:]
    var closings: [WriteID: Closing] = [:]
    var timers = TimerQueue<DueItem>()
    var lastNumber: UInt64 = 0

    var heldBytes = 0
    var isReading = true
    var isCommitting = false
    var hasUncommitted = false
    var nextCommit: Timestamp?

    var actions: [PublishingAction] = []

    /// Makes a machine that owns no partition yet.
    ///
    /// - Parameters:
    ///   - configuration: Bounds and policies.
    ///   - planner: Turns events into requests.
    ///   - seed: For the jitter of retries.
    package init(configuration: PublishingConfiguration, planner: any EventPlanning, seed: UInt64) {
        self.configuration = configuration
        self.planner = planner
        self.gate = Gate(policy: configuration.policy)
        self.governor = Governor(limits: configuration.limits)
        self.random = SeededRandom(seed: seed)
        self.memory = StoryTable(capacity: configuration.rememberedStories)
    }

    /// Takes what the edge has to do, in order.
    package mutating func takeActions() -> [PublishingAction] {
        defer { actions = [] }
        return actions
    }

    /// When ``timePassed(now:)`` is to be called even if nothing else happens.
    package var nextTimer: Timestamp? {
        var due = timers.nextDue
        if let governor = governor.nextDue, !queue.isEmpty { due = min(due ?? governor, governor) }
        if hasUncommitted, !isCommitting, let nextCommit { due = min(due ?? nextCommit, nextCommit) }
        return due
    }

    /// Does what has fallen due.
    package mutating func timePassed(now: Timestamp) {
        while let item = timers.popDue(at: now) { fallDue(item, now: now) }
        pump(now)
        commitIfDue(now)
    }

    /// Takes up records, in the order of their offsets in each partition.
    package mutating func take(_ records: [IncomingRecord], now: Timestamp) {
        for record in records { admit(record, now: now) }
        pump(now)
        commitIfDue(now)
        balanceReading()
    }

    /// The hub's secrets have changed: a line held for them is tried at once.
    package mutating func credentialsChanged(now: Timestamp) {
        governor.retryNow(now)
        pump(now)
    }

    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    func mayWork(on partition: SourcePartition) -> Bool {
        trackers[partition] != nil && !draining.contains(partition)
    }

    private mutating func fallDue(_ item: DueItem, now: Timestamp) {
        switch item {
        case .embargo(let record):
            guard let work = works[record], lines[work.event.story]?.current == record else { return }
            queue.append(Job(record: record, target: nil), to: work.lane)
        case .retry(let record, let target):
            requeue(record, target: target)
        case .rewrite(let id):
            guard let closing = closings[id] else { return }
            actions.append(.write(closing.order))
        }
    }

    /// Stops reading while more is held than the budget allows; goes on at three quarters of it.
    mutating func balanceReading() {
        if isReading, heldBytes > configuration.readAheadBytes {
            isReading = false
            actions.append(.setReading(false))
        } else if !isReading, heldBytes * 4 < configuration.readAheadBytes * 3 {
            isReading = true
            actions.append(.setReading(true))
        }
    }
}
