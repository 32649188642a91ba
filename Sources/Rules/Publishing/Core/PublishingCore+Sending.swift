import NewsEvents
import NotificationHubs
import Timestamps

extension PublishingCore {
    /// Lets requests go, best lane first, as long as the governors allow.
    mutating func pump(_ now: Moment) {
        for desk in desks.indices { pump(desk, now) }
    }

    private mutating func pump(_ desk: Int, _ now: Moment) {
        while let lane = desks[desk].nextLane {
            guard mayGo(lane) else { return }
            let permission = desks[desk].governor.permission(for: lane, now: now)
            guard permission != .wait else { return }
            guard let job = desks[desk].lanes.popFirst(in: lane), let event = events[job.event], event.isAlive else {
                continue
            }
            if let verdict = event.rules.gate.expiry(event.news, now: now.wall) {
                cancel(job.event, by: verdict, now: now)
                continue
            }
            if !event.isPlanned {
                guard plan(job.event, event, now: now) else { continue }
                let count = events[job.event]?.targets.count ?? 0
                for target in (0..<count).dropFirst().reversed() {
                    desks[desk].lanes.prepend(HubDesk.Job(event: job.event, target: target), to: lane)
                }
            }
            start(job, at: desk, from: lane, permission: permission, now: now)
        }
    }

    /// Whether the broker keeps up: what was sent and is not yet in the ledger would be sent again after a crash. Express may
    /// have twice the room.
    private func mayGo(_ lane: Lane) -> Bool {
        writes.countAtRisk < configuration.unconfirmedLimit * (lane == .express ? 2 : 1)
    }

    /// Plans an event whose turn has come.
    ///
    /// - Returns: Whether there is something to send; else the event has ended.
    private mutating func plan(_ id: EventID, _ event: Event, now: Moment) -> Bool {
        guard let story = stories[event.story] else { return false }
        var known = story.record
        known.text = story.toldText
        if let verdict = event.rules.gate.silence(on: event.news, story: known) {
            end(id, verdict, stage: .gate, now: now)
            return false
        }
        switch event.rules.planner.plan(event.news, story: known) {
        case .end(let verdict, let stage):
            end(id, verdict, stage: stage, now: now)
            return false
        case .send(let sends, let warnings):
            guard !sends.isEmpty else {
                end(id, EventVerdict(.invalid, InvalidReason.unmapped.rawValue), stage: .map, now: now)
                return false
            }
            events.update(id) { event in
                event.targets = sends.map(Event.Target.init)
                event.planWarnings = warnings
                event.phase = .sending
                // What was accepted of this very revision, before a crash or a repetition, is not sent again.
                for index in event.targets.indices {
                    guard let sent = known.accepted(event.targets[index].send, revision: event.news.revision) else {
                        continue
                    }
                    event.targets[index].phase = .settled
                    event.targets[index].report.status = .accepted
                    event.targets[index].report.acceptedAt = sent.at
                }
            }
            guard events[id]?.isSettled == true else { return true }
            conclude(id, now: now)
            return false
        }
    }

    private mutating func start(
        _ job: HubDesk.Job,
        at desk: Int,
        from lane: Lane,
        permission: Governor.Permission,
        now: Moment
    ) {
        let target = job.target ?? 0
        let send = events.update(job.event) { event -> PlannedSend? in
            guard event.targets[target].phase == .ready else { return nil }
            event.targets[target].phase = .inFlight
            event.targets[target].report.attempts += 1
            if event.firstSendAt == nil { event.firstSendAt = now.wall }
            return event.targets[target].send
        }
        guard case .some(.some(let send)) = send else { return }
        if permission == .probe { actions.append(.reloadCredentials) }
        let id = SendID(nextNumber())
        desks[desk].began(id, HubDesk.Flight(event: job.event, target: target, permission: permission), from: lane)
        actions.append(.send(SendOrder(id: id, hub: desk, message: send.message, expression: send.expression)))
    }

    /// Whether someone waits for the answer to a request.
    package func isInFlight(_ id: SendID) -> Bool {
        desks.contains { $0.awaits(id).map { events.contains($0.event) } ?? false }
    }

    /// Takes the hub's answers.
    package mutating func sendsEnded(_ results: [SendResult], now: Moment) {
        for result in results {
            for desk in desks.indices {
                guard let flight = desks[desk].landed(result.id) else { continue }
                let change = desks[desk].governor.ended(
                    result.reply,
                    wasProbe: flight.permission == .probe,
                    now: now
                )
                report(change, now: now)
                settle(flight, at: desk, result.reply, now: now)
            }
        }
        dropWhatNeedNotBeFinished()
        pump(now)
        commitIfDue(now)
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
    private mutating func settle(_ flight: HubDesk.Flight, at desk: Int, _ reply: HubReply, now: Moment) {
        let id = flight.event
        let target = flight.target
        guard events.contains(id) else { return }
        let hold = desks[desk].governor.hold
        events.update(id) { event in
            event.targets[target].report.httpStatus = reply.status
            event.targets[target].report.trackingID = reply.trackingID
            event.targets[target].report.error = reply.verdict == .accepted ? nil : reply.detail
            if reply.mayHaveBeenAccepted, reply.verdict != .accepted {
                event.targets[target].report.status = .unknown
            }
        }
        switch reply.verdict {
        case .accepted:
            accepted(id, target, reply, now: now)
        case .refused where hold?.reason != .refusals:
            events.update(id) {
                $0.targets[target].phase = .settled
                $0.targets[target].report.status = .rejected
            }
        case .throttled, .unauthorized, .forbidden, .notFound, .gone, .refused:
            // No fault of the event, or not known to be: it waits for the line at no cost.
            waitForLine(id, target, at: desk)
        case .unavailable, .unknown:
            events.update(id) { $0.targets[target].failures += 1 }
            if hold != nil { waitForLine(id, target, at: desk) } else { retryLater(id, target, reply, now: now) }
        }
        guard let event = events[id], !event.isInFlight else { return }
        if event.isSettled || !event.isAlive { conclude(id, now: now) }
    }

    private mutating func accepted(_ id: EventID, _ target: Int, _ reply: HubReply, now: Moment) {
        events.update(id) { event in
            event.targets[target].phase = .settled
            event.targets[target].report.status = .accepted
            event.targets[target].report.notificationID = reply.notificationID
            event.targets[target].report.acceptedAt = now.wall
            event.firstAcceptAt = event.firstAcceptAt ?? now.wall
            event.lastAcceptAt = now.wall
        }
        guard let event = events[id] else { return }
        stories.update(event.story) {
            $0.record.recordSent(
                StoryRecord.Sent(event.targets[target].send, revision: event.news.revision, at: now.wall)
            )
        }
    }

    /// Puts a target back into its lane, where it goes again when the governor allows.
    private mutating func waitForLine(_ id: EventID, _ target: Int, at desk: Int) {
        events.update(id) { $0.targets[target].phase = .ready }
        appendAgain(id, target, at: desk)
    }

    private mutating func retryLater(_ id: EventID, _ target: Int, _ reply: HubReply, now: Moment) {
        guard let event = events[id] else { return }
        let delay = configuration.retry.delay(afterFailures: event.targets[target].failures, using: &random)
        events.update(id) { $0.targets[target].phase = .waiting }
        delays.set(.retry(id, target: target), at: now.instant + delay)
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
            park(id, .retry, until: nil, now: now)
        }
    }

    /// Brings a target that waited back to its lane.
    mutating func requeue(_ id: EventID, target: Int) {
        guard let event = events[id], event.isAlive, event.targets[target].phase == .waiting else { return }
        events.update(id) { $0.targets[target].phase = .ready }
        appendAgain(id, target, at: 0)
    }

    private mutating func appendAgain(_ id: EventID, _ target: Int, at desk: Int) {
        guard let event = events[id] else { return }
        let lane = event.lane == .express ? Lane.express : .retry
        desks[desk].lanes.append(HubDesk.Job(event: id, target: target), of: event.place.partition, to: lane)
    }
}
