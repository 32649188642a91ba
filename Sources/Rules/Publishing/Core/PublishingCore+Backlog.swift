import NewsflashEvents
import NewsflashTimestamps

/// Events that wait in the ledger for a hub, so that they take no room from the other hubs: those of a hub whose circuit is
/// open, and those of a hub that is slower than another one.
extension PublishingCore {
    /// The number of events that wait in each lane of a hub whose circuit is open.
    private static let mostBehindOpenCircuit = 64
    /// How long a circuit is open before the ledger keeps all of its events, so that their offsets do not wait for the hub.
    private static let shortOutage = Duration.seconds(10)
    /// The number of events that a hub has in its lanes more than others below which it gets some from the ledger.
    private static let refillBelow = 128

    /// The hubs whose circuits are open.
    private var openHubs: [Int] { hubs.indices.filter { hubs[$0].isOpenCircuit } }

    /// Whether the circuit of a hub is open and the ledger keeps what it needs. If it refuses our messages, probes need them.
    private func isAway(_ hub: Int) -> Bool {
        mayWait(for: hub) && hubs[hub].governor.circuit.map { $0.reason != .refusals } ?? false
    }

    /// The hubs whose circuits are open and that need no messages for probes, one bit each.
    var awayHubs: UInt64 {
        hubs.indices.reduce(0) { isAway($1) ? $0 | 1 << UInt64($1) : $0 }
    }

    /// Whether the ledger can keep events for a hub: ``WaitingStories`` has no room for more hubs.
    private func mayWait(for hub: Int) -> Bool { configuration.keepsLedger && hub < WaitingStories.mostHubs }

    /// The names of the hubs for which an event waits.
    func hubsAwaited(by event: Event) -> [String] {
        let planned = event.requests.filter { !$0.isSettled }.map(\.plan.hub)
        guard planned.isEmpty else { return hubNames.filter(planned.contains) }
        let behind = hubs.indices.filter { mayNeed($0, event) && (hubs[$0].isOpenCircuit || !hubs[$0].backlog.isEmpty) }
        return behind.map { hubNames[$0] }
    }

    /// Whether a hub may need an event that is not planned yet.
    func mayNeed(_ hub: Int, _ event: Event) -> Bool {
        hubs.count == 1 || hubs[hub].role.mode == event.news.mode || event.news.replay?.onlyTag != nil
    }

    // MARK: - Open circuits

    /// Moves events that only wait for hubs with open circuits to the ledger: at first beyond a small number, in a longer
    /// outage all.
    mutating func relieve(_ hub: Int, _ now: Moment) {
        guard mayWait(for: hub), hubs.contains(where: { !$0.isOpenCircuit }) else { return }
        // If the hub refuses our messages, probes need the messages of waiting events.
        guard let circuit = hubs[hub].governor.circuit, circuit.reason != .refusals else { return }
        let most = now.instant - circuit.began < Self.shortOutage ? Self.mostBehindOpenCircuit : 0
        for lane in [Lane.normal, .retry, .express] {
            while hubs[hub].lanes[lane].count > most, let event = dequeue(lane, at: hub) {
                switch event.state {
                case .queued where event.lanes == 0: waitForHubs(event, now: now)
                case .sending where waitsOnly(event, for: openHubs): waitForHubs(event, now: now)
                case .undecided, .waiting, .queued, .sending, .ending, .recording: continue
                }
            }
        }
    }

    private mutating func waitForHubs(_ event: Event, now: Moment) {
        waitOn(event, .hub(until: lifeEnd(of: event)), now: now)
        unloadIfWaiting(event, now: now)
    }

    /// Whether an event of which a part was sent has something left for certain hubs, and for no others.
    private func waitsOnly(_ event: Event, for certain: [Int]) -> Bool {
        event.requests.allSatisfy { request in
            switch request.state {
            case .settled: true
            case .inFlight, .deferred: false
            case .ready, .backingOff: hub(of: request.plan).map(certain.contains) ?? true
            }
        }
    }

    /// Goes on with events that waited for a hub, also if other hubs have a part of their requests.
    mutating func hubResumed(_ hub: Int, now: Moment) {
        for event in sortedEvents(where: \.isAlive) {
            switch event.state {
            case .sending: enqueueReady(event)
            case .queued where mayNeed(hub, event): enqueue(event, at: hub)
            case .waiting(.hub): enqueueOrWait(event, now: now)
            case .undecided, .waiting, .queued, .ending, .recording: continue
            }
        }
        waiting.resume(hub: hub)
        hubs[hub].expressOnlyUntil = now.instant + HubScheduler.longestExpressOnly
    }

    /// The events in memory that meet a condition, oldest first.
    func sortedEvents(where isMet: (Event) -> Bool) -> [Event] {
        events.values.filter(isMet).sorted { $0.id.number < $1.id.number }
    }

    // MARK: - Slow hubs

    /// Moves an event to the ledger if only slower hubs still need it, and these have used up their share of the read-ahead or
    /// have older events in the ledger.
    ///
    /// The read-ahead is one for all hubs: without this, the hub that answered would get nothing more before the slower ones.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - present: The hub that has answered.
    ///   - now: The current time.
    mutating func waitForSlowHubs(_ event: Event, besides present: Int, now: Moment) {
        guard hubs.count > 1, event.state == .sending, event.lane != .express, !event.isAppointment else { return }
        let slow = hubs.indices.filter { hub in
            hub != present && mayWait(for: hub)
                && (!hubs[hub].backlog.isEmpty || isSlow(hub, comparedWith: present, event))
        }
        let away = hubs.indices.filter { $0 != present && isAway($0) && !slow.contains($0) }
        guard !slow.isEmpty, waitsOnly(event, for: slow + away) else { return }
        for hub in slow + away {
            event.setQueued(false, at: hub)
            for lane in [Lane.normal, .retry] {
                hubs[hub].lanes[lane].remove(of: event.place.partition) { $0.event == event.id }
            }
        }
        waitForTurn(event, at: slow, now: now)
    }

    /// Moves an event to the ledger that no lane has yet, if all hubs that may need it accept nothing at present and have used
    /// up their shares, or have older events in the ledger: hubs for tests would otherwise stop those of subscribers.
    ///
    /// - Returns: Whether it was moved.
    mutating func waitInLedger(_ event: Event, now: Moment) -> Bool {
        guard hubs.contains(where: { !$0.acceptsRequests || !$0.backlog.isEmpty }) else { return false }
        let mine = hubs.indices.filter { mayNeed($0, event) }
        guard mine.count < hubs.count, !mine.isEmpty, event.storedReason != .hub, event.lane != .express,
            !event.isAppointment,
            mine.allSatisfy({ hub in
                let isFull = !hubs[hub].acceptsRequests && hubs[hub].queuedCount > share(for: event)
                return mayWait(for: hub) && (!hubs[hub].backlog.isEmpty || isFull)
            })
        else { return false }
        waitForTurn(event, at: mine, now: now)
        return true
    }

    /// Moves an event to the ledger, and to the end of the backlogs of hubs.
    private mutating func waitForTurn(_ event: Event, at slow: [Int], now: Moment) {
        let key = WaitingStories.Key(partition: event.place.partition, story: StoryIndex.Key(event.story.name))
        for hub in slow { hubs[hub].addToBacklog(key, event.id) }
        waitForHubs(event, now: now)
    }

    /// Stores an event in the ledger that stays in the lane of a slow hub for long, so that later offsets can be committed.
    mutating func storeIfSlow(_ event: Event, now: Moment) {
        guard event.state == .sending, !event.isInLedger, now.instant - event.arrivedAt > configuration.parkAfter,
            waitsOnly(event, for: hubs.indices.filter { !hubs[$0].backlog.isEmpty || isAway($0) })
        else { return }
        wait(event, for: .retry, until: nil, now: now)
    }

    /// Whether the events that only one of two hubs has still to get use up its share of the read-ahead.
    private func isSlow(_ hub: Int, comparedWith other: Int, _ event: Event) -> Bool {
        hubs[hub].queuedCount - hubs[other].queuedCount > share(for: event)
    }

    /// The number of events such as this one in the share of a hub. Half of the read-ahead is shared equally.
    private func share(for event: Event) -> Int {
        let bytes = event.original.byteCount + PublishingConfiguration.bytesBesideRecord
        return configuration.readAheadBytes / (2 * hubs.count) / bytes
    }

    /// Fills up the lanes of a hub with events that wait for it in the ledger, oldest first. If it refuses our messages, its
    /// probes need them.
    mutating func refill(_ hub: Int, now: Moment) {
        guard !hubs[hub].backlog.isEmpty, hubs[hub].governor.circuit?.reason ?? .refusals == .refusals else { return }
        // If all hubs have many events in their lanes, only the difference counts.
        let common = hubs.indices.filter { isBeside($0, hub) }.map { hubs[$0].queuedCount }.min() ?? 0
        while hubs[hub].queuedCount - common + waiting.refillCount(of: hub) < Self.refillBelow,
            let next = hubs[hub].backlog.popFirst()
        {
            if let event = next.event.flatMap({ events[$0] }) {
                if case .waiting(.hub) = event.state { enqueueOrWait(event, now: now) }
            } else {
                waiting.refill(next.story, for: hub)
            }
        }
    }
}
