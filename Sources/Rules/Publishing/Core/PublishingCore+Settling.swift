import NewsflashEvents
import NewsflashTimestamps
import NotificationHubs

extension PublishingCore {
    /// Whether the answer to a request or a probe is awaited.
    package func isInFlight(_ id: SendID) -> Bool {
        hubs.contains { hub in
            switch hub.awaits(id) {
            case .request(let request): events[request.event] != nil
            case .probe: true
            case .cancelled, nil: false
            }
        }
    }

    /// Forgets a cancelled request that was never written to the connection.
    package mutating func abandon(_ id: SendID) {
        for hub in hubs.indices where hubs[hub].landed(id) != nil { hubs[hub].governor.abandoned() }
    }

    /// Receives the hubs' answers.
    package mutating func requestsEnded(_ results: ArraySlice<SendResult>, now: Moment) {
        for result in results { requestEnded(result, now: now) }
        dropWhatLeaves()
    }

    private mutating func requestEnded(_ result: SendResult, now: Moment) {
        for hub in hubs.indices {
            switch hubs[hub].landed(result.id) {
            case .request(let request):
                let change = hubs[hub].governor.ended(result.reply, of: request.facts, took: result.took, now: now)
                settle(request, at: hub, result.reply, now: now)
                report(change, of: hub, now: now)
            case .probe(let began):
                report(hubs[hub].governor.probeEnded(result.reply, began: began, now: now), of: hub, now: now)
            case .cancelled:
                hubs[hub].governor.abandoned()
            case nil: continue
            }
        }
    }

    private mutating func report(_ change: SendLimiter.Change?, of hub: Int, now: Moment) {
        switch change {
        case .opened(let circuit): actions.append(.report(.circuitOpened(circuit, hub: hubNames[hub])))
        case .closed(let reason, let after):
            actions.append(.report(.circuitClosed(reason, hub: hubNames[hub], after: after)))
            hubResumed(hub, now: now)
        case .paused(let until):
            actions.append(.report(.throttled(hub: hubNames[hub], until: now.wall(of: until))))
        case nil: break
        }
    }

    /// Records an answer: first in the facts of the story, then in the request. Then decides what follows.
    private mutating func settle(_ flight: HubScheduler.FlightRequest, at hub: Int, _ reply: HubReply, now: Moment) {
        guard let event = events[flight.event], event.requests.indices.contains(flight.index) else { return }
        let index = flight.index
        recordFacts(of: event, index, reply, now: now)
        event.requests[index].answered(reply)
        // A late writer may have recorded meanwhile that the hub accepted it.
        if reply.verdict != .accepted { event.acceptIfSentBefore(index) }
        switch reply.verdict {
        case _ where event.requests[index].isAccepted: break
        case .accepted:
            event.requests[index].accept(at: now.wall)
        case .refused where hubs[hub].governor.circuit?.reason != .refusals:
            event.requests[index].settle(.refused)
        case .notSent, .throttled, .unauthorized, .forbidden, .notFound, .gone, .refused:
            // The event is not at fault, or not known to be. It waits for the hub, and this does not count as a failure.
            event.requests[index].becomeReady()
        case .unavailable, .unknown:
            failed(event, flight, at: hub, reply, now: now)
        }
        let requestCounts = event.requestCounts
        // The new owner of the partition decides how it ends.
        guard !partitions[event.place.partition].isLost else { return }
        guard requestCounts.inFlight > 0 || !(requestCounts.isSettled || !event.isAlive) else {
            return conclude(event, requestCounts, now: now)
        }
        guard event.isAlive else { return }
        if requestCounts.inFlight == 0 {
            if isPaused(event) {
                waitIfPaused(event, now: now)
                return unloadIfWaiting(event, now: now)
            }
            waitForWaking(event)
        }
        guard event.state == .sending else { return }
        if event.requests[index].state == .ready {
            // An event that the hub did not accept goes back to its position by age.
            putBack(event, at: hub, to: event.requests[index].failures == 0 ? event.lane : event.retryLane)
        }
        enqueueReady(event)
        if requestCounts.inFlight == 0 { waitForSlowHubs(event, besides: hub, now: now) }
    }

    /// Records the result for an audience in the facts of a story.
    private mutating func recordFacts(of event: Event, _ index: Int, _ reply: HubReply, now: Moment) {
        let story = event.story
        let audience = event.requests[index].plan.audience
        let act = AudienceFact.Act(of: event.news, at: now.wall)
        if reply.verdict == .accepted {
            let isFirst = event.times.recordAcceptance(at: now.wall)
            if isFirst, let push = event.push {
                story.facts.recordPush(push, forgettingBefore: now.wall - tally.horizon)
            }
            story.facts.recordAccepted(audience, act)
            story.facts.keepTextIfMissing(of: event)
            story.versions.atRisk += 1
            exposure.began(in: story.partition, now: now.instant)
        } else if reply.mayHaveBeenAccepted {
            let unanswered = event.requests[index].unknowns + (reply.isUnknownAttempt ? 1 : 0)
            story.facts.recordPossible(audience, act, unanswered: unanswered)
            story.facts.keepTextIfMissing(of: event)
        } else if !story.versions.hasIntents {
            return
        }
        story.facts.changedAt = now.wall
        ledger.changed(story)
    }

    /// Decides what follows a failed attempt: another one, or the end if the request itself has failed too often.
    private mutating func failed(
        _ event: Event,
        _ flight: HubScheduler.FlightRequest,
        at hub: Int,
        _ reply: HubReply,
        now: Moment
    ) {
        let index = flight.index
        let governor = hubs[hub].governor
        let limits = configuration.attempts
        switch event.requests[index].failed(reply, began: flight.facts.began, governor, limits: limits) {
        case .giveUp(let settlement):
            event.requests[index].settle(settlement)
        case .waitForAnswer:
            report(hubs[hub].governor.doubt(reply, now: now), of: hub, now: now)
            event.requests[index].becomeReady()
        case .tryAgain(let needsEvidence):
            if needsEvidence { hubs[hub].governor.wantEvidence() }
            if governor.circuit != nil {
                event.requests[index].becomeReady()
            } else {
                retryLater(event, index, reply, notBefore: governor.pause(reply), now: now)
            }
        }
    }

    private mutating func retryLater(
        _ event: Event,
        _ index: Int,
        _ reply: HubReply,
        notBefore pause: Duration,
        now: Moment
    ) {
        let request = event.requests[index]
        let delay = max(pause, configuration.retry.delay(afterFailures: request.failures, using: &random))
        event.requests[index].backOff(until: now.instant + delay)
        delays.set(.retry(event.id), at: now.instant + delay)
        actions.append(
            .report(
                .retrying(
                    event: event.news.id,
                    attempt: request.report.attempts,
                    label: reply.label,
                    detail: reply.detail,
                    at: now.wall + delay
                )
            )
        )
        // One event that the hub does not accept must not delay the commit of later offsets.
        if !event.isInLedger, event.isAlive, now.instant - event.arrivedAt > configuration.parkAfter {
            wait(event, for: .retry, until: nil, now: now)
        }
    }

    /// Returns requests to their lanes whose backoff is over.
    mutating func retry(_ event: Event, now: Moment) {
        guard event.state == .sending else { return }
        for index in event.requests.indices {
            if case .backingOff(let until) = event.requests[index].state, until <= now.instant {
                event.requests[index].becomeReady()
            }
        }
        enqueueReady(event)
    }
}
