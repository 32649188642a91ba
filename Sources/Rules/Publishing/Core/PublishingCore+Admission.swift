import NewsEvents
import Timestamps

extension PublishingCore {
    /// Takes up one record: decides on it, and lets it end or join its story.
    mutating func admit(_ record: IncomingRecord, now: Timestamp) {
        let partition = record.origin.partition
        guard mayWork(on: partition), trackers[partition]?.begin(record.origin.offset) == true else {
            actions.append(.release(record.id))
            return
        }
        heldBytes += record.byteCount
        switch record.content {
        case .tombstone:
            actions.append(.report(.tombstone(record.origin)))
            complete(record.origin, record: record.id, byteCount: record.byteCount)
        case .rejected(let rejection):
            var outcome = OutcomeRecord(
                of: rejection,
                origin: record.origin,
                config: configuration.digest,
                at: now
            )
            outcome.verdict.detail = rejection.detail
            close(record.id, byteCount: record.byteCount, outcome: outcome, stage: .decode)
        case .event(let event, let warnings):
            var work = Work(
                record: record.id,
                origin: record.origin,
                byteCount: record.byteCount,
                event: event,
                warnings: warnings.map(\.rawValue) + (event.published > now ? ["time.skew"] : []),
                consumedAt: now,
                lane: event.lane
            )
            admit(&work, now: now)
        }
    }

    private mutating func admit(_ work: inout Work, now: Timestamp) {
        let event = work.event
        let digest = ContentDigest(of: event)
        let state = memory[event.story]
        let decision = gate.decide(event, state: state, digest: digest, now: now)
        remember(event, digest: digest, state: state, decision: decision, partition: work.origin.partition)
        switch decision {
        case .end(let verdict):
            finish(work, verdict, stage: .gate, now: now)
        case .hold:
            cancelStory(event.story, by: EventVerdict(.suppressed, "suppressed.hold"), now: now)
            finish(work, EventVerdict(.suppressed, "suppressed.hold"), stage: .gate, now: now)
        case .admit, .wait:
            let reason = event.kind == .kill ? "superseded.killed" : "superseded.revision"
            let inherited = cancelStory(event.story, by: EventVerdict(.superseded, reason), now: now)
            // What was about to go first must not fall behind because there is more to say.
            work.lane = min(work.lane, inherited ?? work.lane)
            works[work.record] = work
            join(work, now: now)
            if case .wait = decision { announceEmbargo(work, now: now) }
        }
    }

    /// Puts an event into its story: in line for its turn, or behind the one in flight.
    private mutating func join(_ work: Work, now: Timestamp) {
        if lines[work.event.story] == nil {
            lines[work.event.story] = StoryLine(current: work.record)
            enqueueCurrent(work, now: now)
        } else {
            lines[work.event.story]?.next = work.record
        }
    }

    /// Puts the story's current event into its lane, now or when its embargo ends.
    func embargoEnd(of work: Work, now: Timestamp) -> Timestamp? {
        guard let embargo = work.event.embargo, embargo > now, work.event.kind != .kill else { return nil }
        return embargo
    }

    mutating func enqueueCurrent(_ work: Work, now: Timestamp) {
        if let embargo = embargoEnd(of: work, now: now) {
            timers.set(.embargo(work.record), at: embargo)
        } else {
            queue.append(Job(record: work.record, target: nil), to: work.lane)
        }
    }

    /// Ends what of a story is not in flight.
    ///
    /// - Returns: The best lane among those that had not been sent at all.
    @discardableResult
    private mutating func cancelStory(_ story: String, by verdict: EventVerdict, now: Timestamp) -> Lane? {
        guard let line = lines[story] else { return nil }
        var lane: Lane?
        if let next = line.next, let work = works[next] {
            lane = work.lane
            lines[story]?.next = nil
            finish(work, verdict, stage: .gate, now: now)
        }
        guard var current = works[line.current] else { return lane }
        if !current.isPlanned { lane = min(lane ?? current.lane, current.lane) }
        current.cancelled = verdict
        works[current.record] = current
        if !current.hasRequestInFlight { conclude(current, now: now) }
        return lane
    }

    private mutating func announceEmbargo(_ work: Work, now: Timestamp) {
        var outcome = outcomeRecord(of: work, EventVerdict(.held, "held.embargo"), now: now)
        outcome.isFinal = false
        actions.append(.announce(outcome))
    }

    /// Takes an event's revision into the memory of its story.
    private mutating func remember(
        _ event: NewsEvent,
        digest: ContentDigest,
        state: StoryState?,
        decision: Gate.Decision,
        partition: SourcePartition
    ) {
        if case .end(let verdict) = decision {
            // What is no act on the story, or repeats one, changes nothing; a repeat under a higher revision is seen.
            let isSeen = verdict.outcome == .expired || verdict.reason == "duplicate.content"
            guard isSeen, event.revision > (state?.revision ?? 0) else { return }
        }
        var new = state ?? StoryState(of: event, digest: digest)
        new.advance(to: event, digest: digest)
        switch (decision, event.kind) {
        case (.hold, _): new.phase = .held
        case (.admit, .kill): new.phase = .killed
        case (.admit, _), (.wait, _): new.phase = .open
        default: break
        }
        memory.set(new, for: event.story, in: partition)
    }
}
