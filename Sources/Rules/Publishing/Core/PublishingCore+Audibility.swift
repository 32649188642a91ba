import NewsflashEvents
import NewsflashRendering
import NewsflashTimestamps
import NotificationHubs

/// The result of an event's turn in a lane.
enum TurnDecision {
    /// The requests, the instants before which some of them must not begin, and warnings.
    case send([PlannedSend], deferred: [Int: Timestamp], warnings: [String])
    case wait(Wait)
    case end(EventVerdict, stage: DeadLetter.Stage)
}

extension PublishingCore {
    /// Decides on an event whose turn has come: its requests, when each may begin, whether it has to wait for a person, and how
    /// loud it may be.
    mutating func decision(on event: Event, facts: StoryFacts?, now: Moment) -> TurnDecision {
        switch plan(event, facts: facts, loudness: .usual, now: now) {
        case .end(let verdict, let stage):
            return .end(verdict, stage: stage)
        case .send(let sends, let warnings)
        where sends.isEmpty && facts?.accepted(event.news, besides: []).isEmpty == false:
            return .send([], deferred: [:], warnings: warnings)
        case .send(let sends, _) where sends.isEmpty:
            return .end(EventVerdict(invalid: .unmapped), stage: .map)
        case .send(let sends, let warnings):
            guard event.news.isForReaders, tally.counts || event.rules.gate.policy.quiet != nil else {
                return .send(sends, deferred: [:], warnings: warnings)
            }
            return decision(on: event, sends, warnings, facts: facts, now: now)
        }
    }

    /// Decides on requests to which quiet hours, volume limits or caps apply.
    private mutating func decision(
        on event: Event,
        _ usual: [PlannedSend],
        _ labels: [String],
        facts: StoryFacts?,
        now: Moment
    ) -> TurnDecision {
        var warnings = labels
        let rests = event.rules.gate.rests(of: usual, for: event.news, deadline: deadline(of: event), now: now.wall)
        if let first = rests.first, rests.allSatisfy({ $0 == first }), case .until(let end) = first {
            return .wait(.quietHours(until: end))
        }
        var push = push(of: usual, for: event, story: facts, now: now)
        if let wait = volumeLimit(event, push, now: now) { return .wait(wait) }
        let isCapped = isCapped(push, of: event, now: now)
        if isCapped { warnings.append("cap.silent") }
        var sends = usual
        if isCapped || rests.contains(.silent),
            case .send(let silent, _) = plan(event, facts: facts, loudness: .silent, now: now),
            silent.count == usual.count
        {
            for index in sends.indices where isCapped || rests[index] == .silent { sends[index] = silent[index] }
            push.isLoud = sends.contains { $0.interruption != .passive }
            if !isCapped { warnings.append("quiet.silent") }
        }
        count(push, of: event, now: now)
        var deferred: [Int: Timestamp] = [:]
        for (index, rest) in rests.enumerated() {
            if case .until(let end) = rest { deferred[index] = end }
        }
        return .send(sends, deferred: deferred, warnings: warnings)
    }

    /// Plans the requests of an event.
    func plan(_ event: Event, facts: StoryFacts?, loudness: Audibility, now: Moment) -> EventPlan {
        let addressees = Addressees(of: event.news, facts: facts)
        return plan(event, for: addressees, facts: facts, loudness: loudness, now: now)
    }

    /// Plans an event for some of its addressees.
    func plan(
        _ event: Event,
        for addressees: Addressees,
        facts: StoryFacts?,
        loudness: Audibility,
        now: Moment
    ) -> EventPlan {
        switch addressees {
        case .nobody(let verdict): return .end(verdict, stage: .gate)
        case .notified(let notified, let owed):
            let audiences = notified + owed
            if audiences.contains(where: { hubNames.contains($0.hub) }) { break }
            // Nothing is left to send: hubs accepted the requests to all other audiences before.
            if facts?.accepted(event.news, besides: []).isEmpty == false { return .send([], warnings: []) }
        case .categories: break
        }
        return event.rules.planner.plan(
            event.news,
            for: addressees,
            story: facts,
            deadline: event.news.kind == .kill
                ? event.rules.gate.deadlineOfDelivery(of: event.news, now: now.wall) : deadline(of: event),
            loudness: loudness,
            now: now.wall
        )
    }

    // MARK: - Quiet hours

    /// Defers the requests whose subscribers have quiet hours; the others go.
    mutating func deferRequests(of event: Event, _ deferred: [Int: Timestamp], now: Moment) {
        var last: Timestamp?
        for (index, end) in deferred where event.requests[index].state == .ready {
            event.requests[index].defer(until: end)
            appointments.set(.wake(event.id), at: end)
            last = max(last ?? end, end)
        }
        guard let last else { return }
        if event.storedReason != .quietHours { wait(event, for: .quietHours, until: last, now: now) }
        waitForWaking(event)
    }

    /// Makes an event wait if its only unsettled requests are deferred.
    mutating func waitForWaking(_ event: Event) {
        guard event.state == .sending else { return }
        var first: Timestamp?
        for request in event.requests {
            switch request.state {
            case .settled: continue
            case .deferred(let end): first = min(first ?? end, end)
            case .ready, .inFlight, .backingOff: return
            }
        }
        guard let first else { return }
        event.move(.wait(.quietHours(until: first)))
        appointments.set(.wait(event.id), at: first)
    }

    /// Makes deferred requests ready whose quiet hours are over, while others of the event are in progress.
    mutating func wake(_ event: Event, now: Moment) {
        guard event.state == .sending else { return }
        for index in event.requests.indices {
            if case .deferred(let end) = event.requests[index].state, end <= now.wall {
                event.requests[index].becomeReady()
            }
        }
        enqueueReady(event)
    }

    // MARK: - Caps and volume limits

    private func push(
        of sends: [PlannedSend],
        for event: Event,
        story: StoryFacts?,
        now: Moment
    ) -> StoryFacts.Push {
        var categories: [String] = []
        for send in sends { for name in send.categories where !categories.contains(name) { categories.append(name) } }
        let words = event.news.text.isEmpty ? story?.text ?? [] : event.news.text
        return StoryFacts.Push(
            at: now.wall,
            source: event.news.source,
            words: tally.counts ? ContentDigest.ofHeadlines(words) : 0,
            categories: categories,
            isLoud: sends.contains { $0.interruption != .passive }
        )
    }

    /// The wait caused by a volume limit; `nil` if the event may go. Kills are exempt.
    private mutating func volumeLimit(_ event: Event, _ push: StoryFacts.Push, now: Moment) -> Wait? {
        guard event.news.kind != .kill, event.push == nil, !hasBegun(event), !tally.isExempt(event.place),
            let limit = tally.exceededLimit(for: push, now: now.instant)
        else { return nil }
        switch limit {
        case .sameText:
            break
        case .perSource, .all:
            let order = ControlRecord(
                .pause,
                limit == .all ? .all : .source(push.source),
                by: .volumeLimit,
                reason: "policy.volumeLimits.\(limit.rawValue): more events than this volume limit allows",
                // In the precision of the topic, so that the time identifies the same order there.
                at: Timestamp(milliseconds: now.wall.milliseconds)
            )
            control(order, now: now)
        }
        return .volumeLimit(until: lifeEnd(of: event))
    }

    /// Whether a request of the event was accepted before, so that it was counted then.
    private func hasBegun(_ event: Event) -> Bool {
        event.story.facts.audiences.contains { $0.act.id == event.news.act && $0.isNotified }
    }

    private func isCapped(_ push: StoryFacts.Push, of event: Event, now: Moment) -> Bool {
        guard push.isLoud, event.news.kind != .flash, event.news.kind != .kill else { return false }
        // A plan that is made again keeps its loudness.
        if let earlier = event.push { return !earlier.isLoud }
        return tally.isCapped(push, after: event.story.facts.pushes, now: now.instant)
    }

    /// Counts a push before it is sent, so that the limits apply to others at the same moment.
    private mutating func count(_ push: StoryFacts.Push, of event: Event, now: Moment) {
        guard tally.counts, event.push == nil, !hasBegun(event) else { return }
        event.push = push
        tally.record(push, of: event.place, now: now.instant)
    }
}
