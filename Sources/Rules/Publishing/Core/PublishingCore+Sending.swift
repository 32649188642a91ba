import NewsEvents
import NotificationHubs
import Timestamps

extension PublishingCore {
    /// Lets requests go, best lane first, as long as the governors allow.
    mutating func pump(_ now: Moment) {
        for change in writes.exposure.takeChanges(now: now.instant, limit: configuration.exposureLimit.total) {
            for desk in desks.indices { desks[desk].lanes.pause(change.partition, change.isPaused) }
        }
        for desk in desks.indices { pump(desk, now) }
    }

    private mutating func pump(_ desk: Int, _ now: Moment) {
        if desks[desk].governor.wantsEvidence || desks[desk].governor.probeDue.map({ $0 <= now.instant }) == true {
            probe(desk, now)
        }
        while let lane = desks[desk].nextLane(now: now.instant) {
            guard mayGo(lane, at: desk, now: now.instant) else { return }
            guard let job = desks[desk].lanes.popFirst(in: lane), let event = events[job.event], event.isAlive else {
                continue
            }
            guard let target = prepare(job, event, at: desk, from: lane, now: now) else { continue }
            start(event, target: target, at: desk, from: lane, now: now)
        }
    }

    /// Sees to it that an event whose turn has come is still to be sent, and knows its requests.
    ///
    /// - Returns: The target to send; `nil` where this hub has nothing to do for it any more.
    private mutating func prepare(
        _ job: HubDesk.Job,
        _ event: Event,
        at desk: Int,
        from lane: Lane,
        now: Moment
    ) -> Int? {
        if let verdict = event.rules.gate.expiry(event.news, now: now.wall) {
            cancel(event, by: verdict, now: now)
            return nil
        }
        guard !isOnHold(event) else {
            restOnHold(event, now: now)
            return nil
        }
        if let target = job.target { return event.targets.indices.contains(target) ? target : nil }
        guard event.isPlanned || plan(event, now: now) else { return nil }
        let targets = event.targets
        if targets.count == 1, desks.count == 1 { return targets[0].phase == .ready ? 0 : nil }
        var first: Int?
        for target in targets.indices.reversed()
        where targets[target].phase == .ready && self.desk(of: targets[target].send) == desk {
            if let first {
                desks[desk].lanes.prepend(HubDesk.Job(event: job.event, target: first, age: job.age), to: lane)
            }
            first = target
        }
        return first
    }

    /// Which hub a request is for; `nil` where it is configured no more.
    func desk(of send: PlannedSend) -> Int? {
        hubNames.count == 1 && hubNames[0] == send.hub ? 0 : hubNames.firstIndex(of: send.hub)
    }

    /// Asks a hub whether it takes requests, without a word of news: nobody gets it.
    ///
    /// Where the hub refuses what we make, the next event's own message is asked about, and goes to nobody as well.
    private mutating func probe(_ desk: Int, _ now: Moment) {
        var message = configuration.probe.message
        if desks[desk].governor.hold?.reason == .refusals {
            guard let sample = sample(desk, now) else { return }
            message = sample
        }
        actions.append(.reloadCredentials)
        let id = SendID(nextNumber())
        desks[desk].probeBegan(id, now: now.instant)
        actions.append(
            .send(SendOrder(id: id, hub: desk, message: message, expression: configuration.probe.expression))
        )
    }

    /// The message of something that waits; each time of something else.
    private mutating func sample(_ desk: Int, _ now: Moment) -> HubMessage? {
        while let (job, lane) = desks[desk].nextProbeJob() {
            guard let event = events[job.event], event.isAlive,
                let target = prepare(job, event, at: desk, from: lane, now: now)
            else { continue }
            desks[desk].lanes.append(
                HubDesk.Job(event: job.event, target: target, age: job.age),
                of: event.place.partition,
                to: lane
            )
            return event.targets[target].send.message
        }
        return nil
    }

    /// Whether one push more may be exposed to a crash: what is under way, and what was sent and is not yet in the ledger,
    /// would be sent again. There is room of its own for express, and for what has an appointment, as at the end of an embargo.
    func mayGo(_ lane: Lane, at desk: Int, now: Instant) -> Bool {
        let isUrgent = lane == .express || desks[desk].lanes.hasUrgent(in: lane)
        let room = writes.exposure.room(isUrgent: isUrgent, now: now, limit: configuration.exposureLimit)
        return writes.exposure.count + desks[desk].governor.inFlight < room
    }

    /// Plans an event whose turn has come.
    ///
    /// - Returns: Whether there is something to send; else the event has ended.
    private mutating func plan(_ event: Event, now: Moment) -> Bool {
        let known = event.story.known
        if event.news.kind == .kill {
            // It may be a mistake in its name, so somebody has to see it.
            if !event.story.record.hasHistory { event.warnings.append("story.unknown") }
            if let verdict = event.rules.gate.silence(on: event.news, story: known) {
                end(event, verdict, stage: .gate, now: now)
                return false
            }
        }
        switch decision(on: event, story: known, now: now) {
        case .end(let verdict, let stage):
            end(event, verdict, stage: stage, now: now)
            return false
        case .wait(let wait):
            keepWaiting(event, wait, now: now)
            return false
        case .send(let sends, let resting, let warnings):
            event.targets = targets(for: sends, of: event, story: known)
            event.planWarnings = warnings
            event.phase = .sending
            rest(event, resting, now: now)
            let standing = event.standing
            guard standing.isSettled else { return true }
            conclude(event, standing, now: now)
            return false
        }
    }

    /// The requests of an event. What was accepted of this very revision, before a crash or a repetition, is not sent again.
    private func targets(for sends: [PlannedSend], of event: Event, story: StoryRecord?) -> [Event.Target] {
        [Event.Target](capacity: sends.count) { targets in
            for send in sends {
                var target = Event.Target(send)
                if let sent = story?.accepted(send, of: event.news) {
                    target.wasAccepted(at: sent.at)
                } else if desk(of: send) == nil {
                    target.lacksHub()
                }
                targets.append(consume target)
            }
        }
    }

    private mutating func start(_ event: Event, target: Int, at desk: Int, from lane: Lane, now: Moment) {
        guard let isFirst = event.targets[target].begin() else { return }
        if event.times.firstSend == nil { event.times.firstSend = now.wall }
        let id = SendID(nextNumber())
        let facts = Governor.Request(lane: lane, began: now.instant, isFirstAttempt: isFirst)
        desks[desk].began(id, HubDesk.Flight.Request(event: event.id, target: target, facts: facts))
        let send = event.targets[target].send
        actions.append(.send(SendOrder(id: id, hub: desk, message: send.message, expression: send.expression)))
    }

    /// Whether someone waits for the answer to a request or a probe.
    package func isInFlight(_ id: SendID) -> Bool {
        desks.indices.contains { desk in
            switch desks[desk].awaits(id) {
            case .request(let request): events.contains(request.event)
            case .probe: true
            case .cancelled, nil: false
            }
        }
    }

    /// Forgets a request that nobody waits for any more and that never went out.
    package mutating func abandon(_ id: SendID) {
        for desk in desks.indices where desks[desk].landed(id) != nil { desks[desk].governor.abandoned() }
    }

    /// Takes the hub's answers.
    package mutating func sendsEnded(_ results: ArraySlice<SendResult>, now: Moment) {
        results.span.lendEach { sendEnded($0, now: now) }
        dropWhatNeedNotBeFinished()
    }

    private mutating func sendEnded(_ result: borrowing SendResult, now: Moment) {
        for desk in desks.indices {
            switch desks[desk].landed(result.id) {
            case .request(let request):
                let change = desks[desk].governor.ended(
                    result.reply,
                    of: request.facts,
                    took: result.took,
                    now: now
                )
                report(change, now: now)
                settle(request, at: desk, result.reply, now: now)
            case .probe(let began):
                report(desks[desk].governor.probeEnded(result.reply, began: began, now: now), now: now)
            case .cancelled:
                desks[desk].governor.abandoned()
            case nil: continue
            }
        }
    }

    private mutating func report(_ change: Governor.Change?, now: Moment) {
        switch change {
        case .held(let hold): actions.append(.report(.held(hold)))
        case .released(let reason, let after): actions.append(.report(.released(reason, after: after)))
        case .paused(let until): actions.append(.report(.paused(until: now.wall(of: until))))
        case nil: break
        }
    }

    /// Writes an answer into its target, and plans another attempt or the event's end where that is due.
    private mutating func settle(_ flight: HubDesk.Flight.Request, at desk: Int, _ reply: HubReply, now: Moment) {
        guard let event = events[flight.event] else { return }
        let target = flight.target
        event.targets[target].answered(reply)
        switch reply.verdict {
        case .accepted:
            accepted(event, target, at: now)
        case .refused where desks[desk].governor.hold?.reason != .refusals:
            event.targets[target].phase = .settled(.refused)
            event.targets[target].report.status = .rejected
        case .notSent:
            event.targets[target].report.attempts -= 1
            waitForLine(event, target, at: desk)
        case .throttled, .unauthorized, .forbidden, .notFound, .gone, .refused:
            // No fault of the event, or not known to be: it waits for the line at no cost.
            waitForLine(event, target, at: desk)
        case .unavailable, .unknown:
            failed(event, flight, at: desk, reply, now: now)
        }
        let standing = event.standing
        guard standing.inFlight == 0 else { return }
        if standing.isSettled || !event.isAlive {
            conclude(event, standing, now: now)
        } else if isOnHold(event) {
            restOnHold(event, now: now)
        } else {
            sleepIfAllElseIsDone(event)
            // What is left may take hours, as at a hub that is away: a crash must not push again what was taken.
            if reply.verdict == .accepted { rememberSoFar(event, now: now) }
        }
    }

    /// Lets the ledger know what was accepted of an event that is not at its end.
    private mutating func rememberSoFar(_ event: Event, now: Moment) {
        guard configuration.keepsLedger else { return }
        event.story.record.changedAt = now.wall
        let ledger = LedgerWrite(story: event.story.name, record: event.story.record)
        write(.ledger, of: event.place.partition, story: event.story, ledger, isAtRisk: true, now: now)
    }

    /// Plans what follows an attempt that failed: another one, or the end where it has failed too often by itself.
    private mutating func failed(
        _ event: Event,
        _ flight: HubDesk.Flight.Request,
        at desk: Int,
        _ reply: HubReply,
        now: Moment
    ) {
        let target = flight.target
        let governor = desks[desk].governor
        let limits = configuration.attempts
        switch event.targets[target].failed(reply, began: flight.facts.began, governor, limits: limits) {
        case .giveUp(let settlement):
            event.targets[target].phase = .settled(settlement)
        case .waitForAnswer:
            report(desks[desk].governor.doubt(reply, now: now), now: now)
            waitForLine(event, target, at: desk)
        case .tryAgain(let needsEvidence):
            if needsEvidence { desks[desk].governor.wantEvidence() }
            if governor.hold != nil {
                waitForLine(event, target, at: desk)
            } else {
                retryLater(event, target, reply, notBefore: governor.pause(reply), now: now)
            }
        }
    }

    private mutating func accepted(_ event: Event, _ target: Int, at now: Moment) {
        let isFirst = event.times.noteAccept(at: now.wall)
        if isFirst, let push = event.push {
            event.story.record.recordPush(push, forgettingBefore: now.wall - tally.horizon)
        }
        let send = event.targets[target].wasAccepted(at: now.wall)
        event.story.record.recordSent(StoryRecord.Sent(send, revision: event.news.revision, at: now.wall))
    }

    /// Puts a target back to its place by age, where it goes again when the governor allows.
    private mutating func waitForLine(_ event: Event, _ target: Int, at desk: Int) {
        event.targets[target].phase = .ready
        let lane = event.targets[target].failures == 0 ? event.lane : event.retryLane
        let age = event.place.offset
        desks[desk].lanes.putBack(
            HubDesk.Job(event: event.id, target: target, age: age),
            of: event.place.partition,
            to: lane
        ) { $0.age < age }
    }

    private mutating func retryLater(
        _ event: Event,
        _ target: Int,
        _ reply: HubReply,
        notBefore pause: Duration,
        now: Moment
    ) {
        let failures = event.targets[target].failures
        let delay = max(pause, configuration.retry.delay(afterFailures: failures, using: &random))
        event.targets[target].phase = .waiting
        delays.set(.retry(event.id, target: target), at: now.instant + delay)
        actions.append(
            .report(
                .retrying(
                    event: event.news.id,
                    attempt: event.targets[target].report.attempts,
                    label: reply.label,
                    detail: reply.detail,
                    at: now.wall + delay
                )
            )
        )
        // One event that the hub does not take must not keep the offsets of the others open.
        if !event.isParked, event.isAlive, now.wall - event.consumedAt > configuration.parkAfter {
            park(event, .retry, until: nil, now: now)
        }
    }

    /// Brings a target that waited back to its lane.
    mutating func requeue(_ event: Event, target: Int) {
        guard event.isAlive, event.targets.indices.contains(target), event.targets[target].phase == .waiting else {
            return
        }
        event.targets[target].phase = .ready
        desks[desk(of: event.targets[target].send) ?? 0].lanes.append(
            HubDesk.Job(event: event.id, target: target, age: event.place.offset),
            of: event.place.partition,
            to: event.retryLane
        )
    }
}
