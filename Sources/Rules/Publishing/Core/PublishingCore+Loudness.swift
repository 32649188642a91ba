import NewsEvents
import NotificationHubs
import Rendering
import Timestamps

/// What an event's turn leads to.
enum TurnDecision {
    /// Its requests, the instants before which some of them must not go, and warnings.
    case send([PlannedSend], resting: [Int: Timestamp], warnings: [String])
    case wait(EventWait)
    case end(EventVerdict, stage: DeadLetter.Stage)
}

extension PublishingCore {
    /// Decides on an event whose turn has come: its requests, when each may go, whether it has to wait for a person, and how
    /// loud it may be.
    @inline(__always)
    mutating func decision(on event: Event, story: StoryRecord?, now: Moment) -> TurnDecision {
        let deadline = event.rules.gate.deadline(of: event.news)
        switch takeDraft(of: event, story: story, now: now)
            ?? plan(event, story: story, deadline: deadline, .usual, now: now)
        {
        case .end(let verdict, let stage):
            return .end(verdict, stage: stage)
        case .send(let sends, _) where sends.isEmpty:
            return .end(EventVerdict(.invalid, InvalidReason.unmapped.rawValue), stage: .map)
        case .send(let sends, let warnings):
            guard event.news.isForReaders, tally.counts || event.rules.gate.keepsQuiet else {
                return .send(sends, resting: [:], warnings: warnings)
            }
            return decision(on: event, sends, warnings, story: story, deadline: deadline, now: now)
        }
    }

    /// Decides on requests of which it matters whom they disturb.
    private mutating func decision(
        on event: Event,
        _ usual: [PlannedSend],
        _ labels: [String],
        story: StoryRecord?,
        deadline: Timestamp,
        now: Moment
    ) -> TurnDecision {
        var warnings = labels
        let rests = rests(of: usual, for: event, deadline: deadline, now: now)
        if let first = rests.first, rests.allSatisfy({ $0 == first }), case .until(let end) = first {
            return .wait(.quietHours(until: end))
        }
        var push = push(of: usual, for: event, story: story, now: now)
        if let wait = brake(event, push, deadline: deadline, now: now) { return .wait(wait) }
        let isCapped = isCapped(push, of: event, now: now)
        if isCapped { warnings.append("cap.silent") }
        var sends = usual
        if isCapped || rests.contains(.silent),
            case .send(let silent, _) = plan(event, story: story, deadline: deadline, .silent, now: now),
            silent.count == usual.count
        {
            for index in sends.indices where isCapped || rests[index] == .silent { sends[index] = silent[index] }
            push.isLoud = sends.contains { $0.interruption != .passive }
            if !isCapped { warnings.append("quiet.silent") }
        }
        count(push, of: event, now: now)
        var resting: [Int: Timestamp] = [:]
        for (index, rest) in rests.enumerated() {
            if case .until(let end) = rest { resting[index] = end }
        }
        return .send(sends, resting: resting, warnings: warnings)
    }

    func plan(
        _ event: Event,
        story: StoryRecord?,
        deadline: Timestamp,
        _ loudness: Loudness,
        now: Moment
    ) -> EventPlan {
        event.rules.planner.plan(event.news, story: story, deadline: deadline, loudness: loudness, now: now.wall)
    }

    // MARK: - Quiet hours

    private func rests(
        of sends: [PlannedSend],
        for event: Event,
        deadline: Timestamp,
        now: Moment
    ) -> [Rest] {
        guard let quiet = event.rules.gate.policy.quiet else { return [] }
        return sends.map { send in
            quiet.rest(
                urgency: event.news.urgency,
                kind: event.news.kind,
                categories: event.news.categories,
                locale: send.locale,
                now: now.wall,
                deadline: deadline
            )
        }
    }

    /// Lets the requests wait whose readers sleep, while the others go.
    func restingTargets(_ event: Event) -> [Int] {
        event.targets.indices.filter { index in
            if case .resting = event.targets[index].phase { true } else { false }
        }
    }

    mutating func rest(_ event: Event, _ resting: [Int: Timestamp], now: Moment) {
        guard !resting.isEmpty else { return }
        var last: Timestamp?
        for (index, end) in resting where event.targets[index].phase == .ready {
            event.targets[index].phase = .resting(until: end)
            appointments.set(.rest(event.id), at: end)
            last = max(last ?? end, end)
        }
        guard let last, event.keptFor != .quietHours else { return }
        park(event, .quietHours, until: last, now: now)
    }

    /// Lets an event wait of which all is settled but what waits for its readers to wake: nobody works on it.
    func sleepIfAllElseIsDone(_ event: Event) {
        let sleepers = restingTargets(event)
        guard case .sending = event.phase, !sleepers.isEmpty,
            event.targets.indices.allSatisfy({ sleepers.contains($0) || event.targets[$0].isSettled })
        else { return }
        let ends = sleepers.compactMap { index in
            if case .resting(let end) = event.targets[index].phase { end } else { nil }
        }
        if let end = ends.min() { event.phase = .waiting(.quietHours(until: end)) }
    }

    /// Lets the requests go whose readers have woken. What is left of an event is planned anew, as its texts and times are of
    /// yesterday; what was accepted is not sent again.
    mutating func wake(_ event: Event, now: Moment) {
        let sleepers = restingTargets(event)
        guard event.isAlive, !sleepers.isEmpty else { return }
        let areOthersDone = event.targets.indices.allSatisfy { sleepers.contains($0) || event.targets[$0].isSettled }
        if areOthersDone {
            event.targets = []
            return takeTurn(event, isAppointment: true, now: now)
        }
        for index in sleepers {
            guard case .resting(let end) = event.targets[index].phase, end <= now.wall else { continue }
            event.targets[index].phase = .waiting
            requeue(event, target: index)
        }
    }

    // MARK: - Caps and brakes

    private func push(
        of sends: [PlannedSend],
        for event: Event,
        story: StoryRecord?,
        now: Moment
    ) -> StoryRecord.Push {
        var categories: [String] = []
        for send in sends { for name in send.categories where !categories.contains(name) { categories.append(name) } }
        let words = event.news.text.isEmpty ? story?.text ?? [] : event.news.text
        return StoryRecord.Push(
            at: now.wall,
            source: event.news.source,
            words: tally.counts ? WordsDigest.of(words) : 0,
            categories: categories,
            isLoud: sends.contains { $0.interruption != .passive }
        )
    }

    /// What an event that is one too many waits for; `nil` where it may go. A kill is never one too many.
    private mutating func brake(
        _ event: Event,
        _ push: StoryRecord.Push,
        deadline: Timestamp,
        now: Moment
    ) -> EventWait? {
        guard event.news.kind != .kill, event.push == nil, !tally.isLetGo(event.id),
            let brake = tally.brake(for: push, now: now.instant)
        else { return nil }
        switch brake {
        case .sameText:
            break
        case .perSource, .all:
            let order = ControlRecord(
                .hold,
                brake == .all ? .all : .source(push.source),
                by: .brake,
                reason: "policy.brake.\(brake.rawValue): more events than this newsroom tells in such a time",
                at: now.wall
            )
            control(order, now: now)
        }
        return .brake(until: lifeEnd(of: event))
    }

    private func isCapped(_ push: StoryRecord.Push, of event: Event, now: Moment) -> Bool {
        guard push.isLoud, event.news.kind != .flash, event.news.kind != .kill else { return false }
        // What is planned anew stays as loud as it was.
        if let earlier = event.push { return !earlier.isLoud }
        return tally.isCapped(push, after: event.story.record.pushes, now: now.instant)
    }

    /// Counts a push when it is about to go, so that those which come at the same moment are too many as well.
    private mutating func count(_ push: StoryRecord.Push, of event: Event, now: Moment) {
        guard tally.counts, event.push == nil else { return }
        event.push = push
        tally.note(push, of: event.id, now: now.instant)
    }
}
