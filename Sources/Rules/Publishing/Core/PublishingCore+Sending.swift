import NewsflashEvents
import NewsflashTimestamps
import NotificationHubs

extension PublishingCore {
    /// Begins requests, best lane first, as long as the hubs and the bound of requests at risk allow.
    mutating func pump(_ now: Moment) {
        for change in exposure.updatePauses(now: now.instant, limit: configuration.exposureLimit.total) {
            for hub in hubs.indices { hubs[hub].lanes.pause(change.partition, change.isPaused) }
        }
        for hub in hubs.indices { pump(hub, now) }
    }

    private mutating func pump(_ hub: Int, _ now: Moment) {
        if hubs[hub].governor.needsProbe || hubs[hub].governor.probeDue.map({ $0 <= now.instant }) == true {
            probe(hub, now)
        }
        refill(hub, now: now)
        if hubs[hub].isOpenCircuit { return relieve(hub, now) }
        while let lane = nextLane(of: hub, now: now.instant), let event = dequeue(lane, at: hub) {
            guard let index = nextRequest(of: event, at: hub, now: now) else {
                unloadIfWaiting(event, now: now)
                continue
            }
            begin(event, index, at: hub, from: lane, now: now)
            // An event with more requests keeps its place.
            if event.hasReady(at: hubNames[hub]) { putBack(event, at: hub, to: lane) }
        }
    }

    private mutating func nextLane(of hub: Int, now: Instant) -> Lane? {
        let open = openLanes(of: hub, now: now)
        return hubs[hub].nextLane(now: now) { open & 1 << $0.rawValue != 0 }
    }

    /// The lanes of a hub from which one more request may begin, one bit each. Requests are at risk if they are in flight, or
    /// accepted and in no confirmed batch, over all hubs. Express and appointments have a reserve. After an outage, the express
    /// events in the ledger come first.
    func openLanes(of hub: Int, now: Instant) -> Int {
        let isExpressOnly = expressOnlyUntil(of: hub, now: now) != nil
        var atRisk = exposure.count
        for other in hubs.indices { atRisk += hubs[other].governor.inFlight }
        var open = 0
        for lane in Lane.allCases where lane == .express || !isExpressOnly {
            let isUrgent = lane == .express || hubs[hub].lanes[lane].hasUrgent
            let room = exposure.room(isUrgent: isUrgent, now: now, limit: configuration.exposureLimit)
            if atRisk + unusedShares(of: room, besides: hub) < room { open |= 1 << lane.rawValue }
        }
        return open
    }

    /// The part of the bound of requests at risk that is left to other hubs, so that a slow hub does not use all of it: half of
    /// an equal share for each hub that accepts requests for the same events.
    private func unusedShares(of room: Int, besides hub: Int) -> Int {
        let share = room / (2 * hubs.count)
        return hubs.indices.reduce(0) { sum, other in
            isBeside(other, hub) ? sum + max(0, share - hubs[other].governor.inFlight) : sum
        }
    }

    /// Whether another hub gets the same events, and accepts requests now.
    func isBeside(_ other: Int, _ hub: Int) -> Bool {
        other != hub && hubs[other].acceptsRequests && hubs[other].role.mode == hubs[hub].role.mode
    }

    /// Until when a hub that has recovered gets only express events, because some of them still have to be read from the ledger;
    /// `nil` if it gets all.
    func expressOnlyUntil(of hub: Int, now: Instant) -> Instant? {
        guard let end = hubs[hub].expressOnlyUntil, end > now, waiting.isReadingExpress(of: hub),
            events.count < Self.mostInMemory
        else { return nil }
        return end
    }

    // MARK: - Lanes

    /// Puts an event into the lane of a hub, unless it is queued there already.
    mutating func enqueue(_ event: Event, at hub: Int, by lane: Lane? = nil) {
        guard !event.isQueued(at: hub) else { return }
        let lane = lane ?? event.lane
        // It is older than those that came while it waited in the ledger.
        if event.storedReason == .hub { return putBack(event, at: hub, to: lane) }
        event.setQueued(true, at: hub)
        let entry = HubScheduler.Entry(event: event.id, age: event.place.offset)
        if event.isAppointment {
            hubs[hub].lanes[lane].prepend(entry)
        } else {
            hubs[hub].lanes[lane].append(entry, of: event.place.partition)
        }
    }

    /// Puts an event back to its position by age.
    mutating func putBack(_ event: Event, at hub: Int, to lane: Lane) {
        guard !event.isQueued(at: hub) else { return }
        event.setQueued(true, at: hub)
        let entry = HubScheduler.Entry(event: event.id, age: event.place.offset)
        if event.isAppointment {
            hubs[hub].lanes[lane].prepend(entry)
        } else {
            hubs[hub].lanes[lane].putBack(entry, of: event.place.partition) { $0.age < entry.age }
        }
    }

    /// Puts an event into the lanes of all hubs for which a request of it is ready.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - present: The hub at which it has its turn now.
    mutating func enqueueReady(_ event: Event, except present: Int? = nil) {
        guard event.state == .sending else { return }
        for request in event.requests where request.state == .ready {
            guard let hub = hub(of: request.plan), hub != present else { continue }
            enqueue(event, at: hub, by: request.failures == 0 ? event.lane : event.retryLane)
        }
    }

    /// Dequeues the next event of a lane that must still be sent; `nil` if the lane is empty.
    mutating func dequeue(_ lane: Lane, at hub: Int) -> Event? {
        while let entry = hubs[hub].lanes[lane].popFirst() {
            guard let event = events[entry.event] else { continue }
            event.setQueued(false, at: hub)
            guard partitions[event.place.partition].phase == .working else { continue }
            switch event.state {
            case .queued, .sending: return event
            case .undecided, .waiting, .ending, .recording: continue
            }
        }
        return nil
    }

    /// The request of an event whose turn has come at a hub.
    ///
    /// - Returns: `nil` if this hub has nothing to send for the event: it expired, its source is paused, or its requests go to
    ///   other hubs.
    private mutating func nextRequest(of event: Event, at hub: Int, now: Moment) -> Int? {
        if let verdict = expiry(of: event, now: now) {
            cancel(event, by: verdict, now: now)
            return nil
        }
        guard !isPaused(event) else {
            // If a request is in flight, the event waits from the answer on.
            waitIfPaused(event, now: now)
            return nil
        }
        if let embargo = embargo(on: event), embargo > now.wall, !event.isInFlight {
            // The clock was set back after the event got its turn, or a record of its story has a later embargo.
            waitOn(event, .embargo(embargo), now: now)
            return nil
        }
        if event.state == .queued, !plan(event, at: hub, now: now) { return nil }
        return event.requests.firstIndex { $0.state == .ready && $0.plan.hub == hubNames[hub] }
    }

    /// The index of the hub of a request; `nil` if it is not configured.
    func hub(of send: PlannedSend) -> Int? {
        hubNames.count == 1 && hubNames[0] == send.hub ? 0 : hubNames.firstIndex(of: send.hub)
    }

    // MARK: - Planning

    /// Plans an event whose turn has come.
    ///
    /// - Returns: Whether it has something to send; otherwise it waits or has ended.
    private mutating func plan(_ event: Event, at hub: Int, now: Moment) -> Bool {
        let known = event.story.known
        // The name of the story may be wrong, so a person has to see it.
        if event.news.kind == .kill, !event.story.facts.hasHistory { event.warnings.append("story.unknown") }
        switch decision(on: event, facts: known, now: now) {
        case .end(let verdict, let stage):
            end(event, verdict, stage: stage, now: now)
            return false
        case .wait(let wait):
            waitOn(event, wait, now: now)
            return false
        case .send(let planned, let planDeferred, let warnings):
            event.move(.plan)
            let (sends, deferred) = event.awaited(planned, planDeferred, facts: known)
            event.requests = requests(for: sends, of: event, facts: known)
            event.acceptedBefore = known?.accepted(event.news, besides: sends) ?? []
            if case .notified(let facts, let owed) = Addressees(of: event.news, facts: known) {
                event.unreachable = (facts + owed).filter { !hubNames.contains($0.hub) }
            }
            event.planWarnings = warnings
            deferRequests(of: event, deferred, now: now)
            let requestCounts = event.requestCounts
            if requestCounts.isSettled {
                conclude(event, requestCounts, now: now)
                return false
            }
            enqueueReady(event, except: hub)
            // An event that comes back from the ledger has its turn at the slow hub now.
            // One that caps and limits have counted must not leave memory before a hub has accepted it: it would count twice.
            if event.storedReason != .hub, event.push == nil, !event.hasReady(at: hubNames[hub]) {
                waitForSlowHubs(event, besides: hub, now: now)
            }
            return event.state == .sending
        }
    }

    /// The requests of an event. A request of the same act that a hub accepted, before a crash or a wait, is not sent again;
    /// one that a hub may have accepted keeps its number of attempts without an answer.
    func requests(for sends: [PlannedSend], of event: Event, facts: StoryFacts?) -> [Request] {
        sends.map { send in
            let earlier = event.requests.first { $0.plan.audience.areSame(as: send.audience) }
            var request = earlier.map { Request(send, after: $0) } ?? Request(send)
            if let fact = facts?.isAccepted(event.news, by: send.audience) {
                request.accept(at: fact.act.at)
            } else if hub(of: send) == nil {
                request.lacksHub()
            } else if let attempts = facts?.unansweredAttempts(of: event.news, for: send.audience) {
                request.hasUnknownAttempts(attempts)
                // It ended before the wait. A withdrawal has another attempt instead.
                if attempts >= configuration.attempts.unknown, event.news.kind != .kill { request.settle(.unknown) }
            }
            return request
        }
    }

    private mutating func begin(_ event: Event, _ index: Int, at hub: Int, from lane: Lane, now: Moment) {
        let isFirst = event.requests[index].begin()
        event.story.versions.missesIntents = true
        if event.times.firstSend == nil { event.times.firstSend = now.wall }
        let id = SendID(nextNumber())
        let facts = SendLimiter.Request(lane: lane, began: now.instant, isFirstAttempt: isFirst)
        hubs[hub].began(id, HubScheduler.FlightRequest(event: event.id, index: index, facts: facts))
        if nextIntents == nil { nextIntents = now.instant + Self.intentInterval }
        let send = event.requests[index].plan
        let order = SendRequest(
            id: id,
            hub: hub,
            message: send.message,
            expression: send.expression,
            place: event.place
        )
        actions.append(.send(order))
    }

    // MARK: - Probes

    /// Tests whether a hub accepts requests, with a message that nobody gets.
    ///
    /// If the hub refuses our messages, the test has the message of the next event, which nobody gets either.
    private mutating func probe(_ hub: Int, _ now: Moment) {
        var message = configuration.probe.message
        if hubs[hub].governor.circuit?.reason == .refusals {
            guard let sample = sample(hub, now) else { return }
            message = sample
        }
        actions.append(.reloadCredentials)
        let id = SendID(nextNumber())
        hubs[hub].probeBegan(id, now: now.instant)
        actions.append(
            .send(SendRequest(id: id, hub: hub, message: message, expression: configuration.probe.expression))
        )
    }

    /// The message of a waiting event; another one for each probe.
    private mutating func sample(_ hub: Int, _ now: Moment) -> HubMessage? {
        while let (entry, lane) = hubs[hub].nextProbeEntry() {
            guard let event = events[entry.event] else { continue }
            event.setQueued(false, at: hub)
            switch event.state {
            case .queued, .sending: break
            case .undecided, .waiting, .ending, .recording: continue
            }
            guard let index = nextRequest(of: event, at: hub, now: now) else { continue }
            enqueue(event, at: hub, by: lane)
            return event.requests[index].plan.message
        }
        return nil
    }
}

extension Event {
    /// The sends of a plan without second ones to hubs that have accepted this act, if it is news that waited in the ledger for
    /// other hubs: under other rules than before, the audiences differ from those that were notified.
    fileprivate func awaited(
        _ sends: [PlannedSend],
        _ deferred: [Int: Timestamp],
        facts: StoryFacts?
    ) -> ([PlannedSend], [Int: Timestamp]) {
        // The audiences of a correction come from the facts, under any rules.
        guard let awaitedHubs, news.isNews, let facts, case .categories = Addressees(of: news, facts: facts) else {
            return (sends, deferred)
        }
        let otherRules = facts.accepted(news, besides: sends).map(\.hub).filter { !awaitedHubs.contains($0) }
        let left = sends.indices.filter { index in
            !otherRules.contains(sends[index].hub) || facts.isAccepted(news, by: sends[index].audience) != nil
        }
        guard left.count < sends.count else { return (sends, deferred) }
        var ends: [Int: Timestamp] = [:]
        for (index, old) in left.enumerated() { ends[index] = deferred[old] }
        return (left.map { sends[$0] }, ends)
    }

    /// Whether it has a ready request for a hub.
    fileprivate func hasReady(at hub: String) -> Bool {
        requests.contains { $0.state == .ready && $0.plan.hub == hub }
    }

    /// Whether it is in a lane of a hub. This is not stored for hubs beyond the sixty-fourth: an event may be queued there
    /// twice, and its second turn finds nothing to send.
    fileprivate func isQueued(at hub: Int) -> Bool { hub < 64 && lanes & 1 << UInt64(hub) != 0 }

    func setQueued(_ isQueued: Bool, at hub: Int) {
        guard hub < 64 else { return }
        if isQueued { lanes |= 1 << UInt64(hub) } else { lanes &= ~(1 << UInt64(hub)) }
    }
}
