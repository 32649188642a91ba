import NewsEvents
import Timestamps

extension PublishingCore {
    /// Takes up records, in the order of their offsets in each partition.
    package mutating func take(_ records: [IncomingRecord], now: Moment) {
        records.span.lendEach { admit($0, now: now) }
    }

    /// Takes up one record: decides on it, and lets it end or join its story.
    private mutating func admit(_ record: borrowing IncomingRecord, now: Moment) {
        switch partitions.phase(of: record.partition) {
        case .away, .draining: return
        case .restoring: return partitions.keepForLater(record)
        case .working: break
        }
        if case .rewind(let last) = partitions.begin(
            record.offset,
            of: record.partition,
            writtenAt: record.timestamp ?? now.wall
        ) {
            partitions.rewind(record.partition, to: record.offset, writtenAt: record.timestamp ?? now.wall)
            ahead.forget(record.partition)
            let source = partitions.source(of: record.partition)
            actions.append(.report(.rewound(source, from: last, to: record.offset)))
        }
        if let id = ahead.remove(record.offset, of: record.partition), let event = events[id] {
            return arrive(at: event)
        }
        let place = place(ofRecord: record)
        switch record.content {
        case .tombstone:
            actions.append(.report(.tombstone(origin(of: place))))
            partitions.complete(place)
        case .rejected(let rejection) where rejection.holdsStory:
            admit(
                NewsEvent(holding: rejection, at: now.wall),
                [],
                digest: record.digest,
                place: place,
                original: record.original,
                rejected: RejectedRecord(rejection),
                now: now
            )
        case .rejected(let rejection):
            endUnreadable(rejection, place: place, original: record.original, story: nil, now: now)
        case .event(let news, let warnings):
            admit(news, warnings, digest: record.digest, place: place, original: record.original, now: now)
        }
    }

    func place(ofRecord record: IncomingRecord) -> RecordPlace {
        RecordPlace(
            partition: record.partition,
            offset: record.offset,
            reading: partitions.reading(of: record.partition),
            timestamp: record.timestamp
        )
    }

    /// Lets an event join its story.
    mutating func admit(
        _ news: consuming NewsEvent,
        _ warnings: [EventWarning],
        digest: ContentDigest?,
        place: RecordPlace,
        original: any OriginalRecord,
        isAhead: Bool = false,
        rejected: RejectedRecord? = nil,
        now: Moment
    ) {
        let digest = if let digest { digest } else { ContentDigest(of: news) }
        let story: LiveStory
        switch stories.open(
            news.storyKey,
            of: place.partition,
            orElse: StoryRecord(awaiting: news, digest: digest, now: now.wall)
        ) {
        case .known(let known):
            story = known
        case .unread(let unread):
            story = unread
            // What is at hand may be enough to pass over what is done.
            if isDone(news.revision, at: place, by: story.record),
                !story.record.closing.contains(where: { $0.offset == place.offset })
            {
                story.arrivals = nil
                if !isAhead { passOver(place) }
                return stories.closeIfIdle(story)
            }
            recall(story, at: .ledger(story.ledgerOffset))
        }
        let event = Event(
            events.nextID,
            news,
            digest: digest,
            warnings: warnings,
            place: place,
            story: story,
            rules: rules,
            consumedAt: now.wall,
            original: original,
            rejected: rejected
        )
        events.insert(event)
        if event.news.published > now.wall { event.warnings.append("time.skew") }
        if isAhead {
            event.warnings.append("read.ahead")
            event.isAhead = true
            ahead.insert(event.id, at: place)
        }
        if story.arrivals == nil {
            decide(event, now: now)
        } else {
            story.arrivals?.append(event.id)
        }
    }

    /// Asks for what is not at hand of a story.
    mutating func recall(_ story: LiveStory, at place: RecallOrder.Place) {
        actions.append(
            .recall(RecallOrder(partition: story.partition, place: place, story: story.id, name: story.name))
        )
    }

    /// Sees to it that a kill without words of its own knows the words that readers were told.
    ///
    /// - Returns: Whether the event has to wait for them.
    private mutating func waitsForText(_ event: Event) -> Bool {
        let story = event.story
        guard event.news.kind == .kill, event.news.text.isEmpty, !story.hasSoughtText, story.toldText.isEmpty,
            !isBeingTold(story), let offset = story.record.wordsOffset
        else { return false }
        story.arrivals = [event.id]
        story.hasSoughtText = true
        recall(story, at: .source(offset))
        return true
    }

    /// Whether readers are being told of a story: what waits will never be told; what is under way may have been.
    private func isBeingTold(_ story: LiveStory) -> Bool {
        guard let standing = story.turns.newest.flatMap({ events[$0] })?.standing else { return false }
        return standing.inFlight > 0 || standing.mayHaveBeenSent
    }

    /// Decides on an event whose story is known.
    mutating func decide(_ event: Event, now: Moment) {
        let story = event.story
        if isDone(event.news.revision, at: event.place, by: story.record) {
            return event.isAhead ? leaveToReader(event) : recognize(event, now: now)
        }
        if event.isAhead, story.record.done.above.count >= AheadEvents.longestTrail { return leaveToReader(event) }
        if waitsForText(event) { return }
        let seen = seen(of: story, by: event)
        if samples != nil { sample(event, seen: seen, now: now) }
        switch event.rules.gate.decide(event.news, story: seen, digest: event.digest, now: now.wall) {
        case .end where event.isAhead:
            leaveToReader(event)
        case .end where event.rejected != nil:
            if let rejection = event.rejected?.rejection {
                end(event, EventVerdict(rejection), stage: .decode, now: now)
            }
        case .end(let verdict):
            // Too late for readers who were told, but not for what waits.
            if event.news.kind == .kill, verdict.outcome == .expired {
                supersede(story, by: EventVerdict(.superseded, "superseded.killed"), now: now)
            }
            end(event, verdict, stage: .gate, now: now)
        case .hold:
            supersede(story, by: EventVerdict(.suppressed, "suppressed.hold"), now: now)
            if let rejection = event.rejected?.rejection {
                story.record.phase = .held
                return end(event, EventVerdict(rejection), stage: .decode, now: now)
            }
            end(event, EventVerdict(.suppressed, "suppressed.hold"), stage: .gate, now: now)
        case .admit:
            let reason = event.news.kind == .kill ? "superseded.killed" : "superseded.revision"
            let inherited = supersede(story, by: EventVerdict(.superseded, reason), now: now)
            // What was about to go first must not fall behind because there is more to say.
            if let inherited { event.lane = min(event.lane, inherited) }
            join(event, now: now)
        }
    }

    /// Whether the ledger says that a record is done.
    private func isDone(_ revision: Int64, at place: RecordPlace, by record: StoryRecord) -> Bool {
        partitions.trustsLedger(of: place.partition) && record.done.contains(place.offset)
            && (record.hasPassed(revision) || record.keeps(place.offset))
    }

    /// Passes over a record that is done.
    private mutating func passOver(_ place: RecordPlace) {
        actions.append(.report(.recognized(origin(of: place))))
        partitions.complete(place)
    }

    /// Passes over a record that the ledger knows as done. Where its outcome may not have been confirmed, as after a crash,
    /// the outcome is written once more.
    private mutating func recognize(_ event: Event, now: Moment) {
        let record = event.story.record
        guard let closing = record.closing.first(where: { $0.offset == event.place.offset }) else {
            passOver(event.place)
            events.remove(event)
            stories.closeIfIdle(event.story)
            return
        }
        actions.append(.report(.recognized(origin(of: event.place))))
        endAgain(event, closing.verdict, sent: record.sent, now: now)
    }

    /// What is known of a story, the events under way included as if they had ended well.
    private func seen(of story: LiveStory, by event: Event) -> StoryRecord? {
        guard let newest = story.turns.newest.flatMap({ events[$0] }),
            !newest.isKeptByPerson || newest.isSameAct(as: event)
        else { return story.record.revision > 0 ? story.record : nil }
        var seen = story.record
        // What nobody has confirmed yet may come again with more names.
        var isTold = true
        if case .waiting(.approval) = newest.phase { isTold = false }
        seen.advance(to: newest.news, digest: newest.digest, isTold: isTold)
        if let act = newest.news.repeatedAct { seen.noteEarlier(act) }
        if seen.phase != .killed { seen.phase = newest.news.kind == .kill ? .killed : .open }
        return seen
    }

    /// Puts an event into its story: it has its turn at once, or after the one under way.
    mutating func join(_ event: Event, now: Moment) {
        if event.story.turns.current == nil {
            event.story.turns.current = event.id
            takeTurn(event, now: now)
        } else {
            event.story.turns.next = event.id
            event.phase = .waiting(.turn)
        }
    }

    /// Puts the event whose turn it is into its lane: now, when the ledger knows what it took the place of, or when it has
    /// nothing more to wait for.
    ///
    /// - Parameters:
    ///   - event: Whose turn it is.
    ///   - isAppointment: Whether it has waited for this very moment, so that it goes before what waits in its lane.
    ///   - now: The present.
    mutating func takeTurn(_ event: Event, isAppointment: Bool = false, now: Moment) {
        if holds.areAny, let order = holds.hold(on: event.news) {
            return keepWaiting(event, wait(for: order, event), now: now)
        }
        if event.news.embargo != nil || event.rules.gate.wantsNames(for: event.news.kind),
            let wait = event.rules.gate.wait(on: event.news, since: event.consumedAt, now: now.wall)
        {
            return keepWaiting(event, wait, now: now)
        }
        guard event.story.ties.unremembered > 0 else { return enqueue(event, first: isAppointment) }
        event.phase = .waiting(.ledger)
        // A ledger that is not heard of keeps no flash and no kill.
        if event.lane == .express { delays.set(.turn(event.id), at: now.instant + Exposure.patience) }
    }

    /// Lets an event wait that the ledger keeps meanwhile.
    mutating func keepWaiting(_ event: Event, _ wait: EventWait, now: Moment) {
        event.phase = .waiting(wait)
        if let end = wait.end { appointments.set(.wait(event.id), at: end) }
        guard let reason = wait.reason, event.keptFor != reason else { return }
        park(event, reason, until: wait.end, now: now)
    }

    /// Goes on with an event that has waited for the clock.
    mutating func waitIsOver(_ wait: EventWait, of event: Event, now: Moment) {
        switch wait {
        case .approval:
            let verdict = event.rules.gate.expiry(event.news, now: now.wall) ?? event.rules.gate.refusal(of: event.news)
            end(event, verdict, stage: .gate, now: now)
        case .embargo, .quietHours:
            takeTurn(event, isAppointment: true, now: now)
        case .release, .brake:
            guard let verdict = event.rules.gate.expiry(event.news, now: now.wall) else { return }
            end(event, verdict, stage: .gate, now: now)
        case .story, .turn, .ledger:
            break
        }
    }

    /// The first instant at which an event has expired.
    func lifeEnd(of event: Event) -> Timestamp {
        event.rules.gate.deadline(of: event.news) + .milliseconds(1)
    }

    /// Puts an event into its lane.
    ///
    /// - Parameters:
    ///   - event: Whose turn it is.
    ///   - isFirst: Whether it goes before what waits there already, as at the end of an embargo, which is an appointment.
    mutating func enqueue(_ event: Event, first isFirst: Bool = false) {
        event.phase = .queued
        let job = HubDesk.Job(event: event.id, target: nil, age: event.place.offset)
        if desks.count == 1 { return put(job, of: event, at: 0, first: isFirst) }
        let isForAllHubs = event.news.replay?.onlyTag != nil
        for desk in desks.indices where isForAllHubs || desks[desk].role.mode == event.news.mode {
            put(job, of: event, at: desk, first: isFirst)
        }
    }

    private mutating func put(_ job: HubDesk.Job, of event: Event, at desk: Int, first isFirst: Bool) {
        if isFirst {
            desks[desk].lanes.prepend(job, to: event.lane)
        } else {
            desks[desk].lanes.append(job, of: event.place.partition, to: event.lane)
        }
    }

    /// Ends what of a story is not in flight.
    ///
    /// - Returns: The best lane among those that had not been sent at all.
    @discardableResult
    mutating func supersede(_ story: LiveStory, by verdict: EventVerdict, now: Moment) -> Lane? {
        var lane: Lane?
        let turns = story.turns
        if let next = turns.next.flatMap({ events[$0] }) {
            lane = next.lane
            story.turns.next = nil
            end(next, verdict, stage: .gate, now: now)
        }
        guard let current = turns.current.flatMap({ events[$0] }), current.isAlive else { return lane }
        if !current.isPlanned { lane = min(lane ?? current.lane, current.lane) }
        cancel(current, by: verdict, now: now)
        return lane
    }

    /// Lets the ledger keep an event that waits, so that its offset is done; or say for what it waits by now.
    mutating func park(_ event: Event, _ reason: StoryRecord.WaitReason, until: Timestamp?, now: Moment) {
        guard configuration.keepsLedger else { return }
        let copy = event.original.copy()
        event.original = copy
        let isNew = !event.isParked
        event.keptFor = reason
        let waiting = StoryRecord.Waiting(
            offset: event.place.offset,
            timestamp: event.place.timestamp,
            consumedAt: event.consumedAt,
            until: until,
            reason: reason,
            attempts: event.targets.reduce(0) { $0 + $1.report.attempts },
            key: copy.key,
            value: copy.value,
            headers: copy.headers
        )
        event.story.record.waiting.removeAll { $0.offset == waiting.offset }
        event.story.record.waiting.append(waiting)
        if event.standing.isUncertain { event.story.record.noteUncertain(event, at: now.wall) }
        if event.news.delivery == .secure { event.story.record.isSecure = true }
        event.story.record.done.finish(event.place.offset, lowestOpen: lowestOpen(besides: event))
        event.story.record.changedAt = now.wall
        var outcome: OutcomeRecord?
        if let verdict = reason.provisional {
            outcome = outcomeRecord(of: event, verdict, now: now)
            outcome?.isFinal = false
        }
        if let outcome { actions.append(.report(.deferred(outcome))) }
        writeStory(isNew ? .park(event.place) : .ledger, event.story, outcome: outcome, now: now)
    }
}
