import NewsEvents
import Timestamps

extension PublishingCore {
    /// Takes up records, in the order of their offsets in each partition.
    package mutating func take(_ records: [IncomingRecord], now: Moment) {
        for record in records { admit(record, now: now) }
        pump(now)
        commitIfDue(now)
    }

    /// Takes up one record: decides on it, and lets it end or join its story.
    private mutating func admit(_ record: IncomingRecord, now: Moment) {
        switch partitions.phase(of: record.partition) {
        case .away, .draining: return
        case .restoring: return partitions.keepForLater(record)
        case .working: break
        }
        if case .rewind(let last) = partitions.begin(record.offset, of: record.partition) {
            partitions.rewind(record.partition, to: record.offset)
            ahead.forget(record.partition)
            let source = partitions.source(of: record.partition)
            actions.append(.report(.rewound(source, from: last, to: record.offset)))
        }
        if let id = ahead.remove(record.offset, of: record.partition), events.contains(id) { return arrive(at: id) }
        let place = place(ofRecord: record)
        switch record.content {
        case .tombstone:
            actions.append(.report(.tombstone(origin(of: place))))
            partitions.complete(place)
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
        _ news: NewsEvent,
        _ warnings: [EventWarning],
        digest: ContentDigest?,
        place: RecordPlace,
        original: any OriginalRecord,
        isAhead: Bool = false,
        now: Moment
    ) {
        let story: StoryID
        let digest = digest ?? ContentDigest(of: news)
        let unseen = StoryRecord(awaiting: news, digest: digest, now: now.wall)
        switch stories.open(news.story, of: place.partition, orElse: unseen) {
        case .known(let id):
            story = id
        case .unread(let id, let ledgerOffset):
            story = id
            // What is at hand may be enough to pass over what is done.
            if let known = stories[id]?.record, isDone(news.revision, at: place, by: known),
                !known.closing.contains(where: { $0.offset == place.offset })
            {
                stories.update(id) { $0.arrivals = nil }
                if !isAhead { passOver(place) }
                return stories.closeIfIdle(id)
            }
            recall(id, at: .ledger(ledgerOffset))
        }
        var event = Event(
            news,
            digest: digest,
            warnings: warnings,
            place: place,
            story: story,
            rules: rules,
            consumedAt: now.wall,
            original: original
        )
        if news.published > now.wall { event.warnings.append("time.skew") }
        if isAhead { event.warnings.append("read.ahead") }
        event.isAhead = isAhead
        let id = events.insert(event)
        if isAhead { ahead.insert(id, at: place) }
        let mustWait = stories.update(story) { live in
            live.arrivals?.append(id)
            return live.arrivals != nil
        }
        if mustWait != true { decide(id, now: now) }
    }

    /// Asks for what is not at hand of a story.
    mutating func recall(_ id: StoryID, at place: RecallOrder.Place) {
        guard let story = stories[id] else { return }
        actions.append(.recall(RecallOrder(partition: story.partition, place: place, story: id, name: story.name)))
    }

    /// Sees to it that a kill without words of its own knows the words that readers were told.
    ///
    /// - Returns: Whether the event has to wait for them.
    private mutating func waitsForText(_ id: EventID, _ event: Event, _ story: LiveStory) -> Bool {
        guard event.news.kind == .kill, event.news.text.isEmpty, !story.hasSoughtText, story.toldText.isEmpty,
            story.newest.flatMap({ events[$0] })?.news.text.isEmpty ?? true, let offset = story.record.wordsOffset
        else { return false }
        stories.update(event.story) {
            $0.arrivals = [id]
            $0.hasSoughtText = true
        }
        recall(event.story, at: .source(offset))
        return true
    }

    /// Decides on an event whose story is known.
    mutating func decide(_ id: EventID, now: Moment) {
        guard let event = events[id], let story = stories[event.story] else { return }
        if isDone(event.news.revision, at: event.place, by: story.record) {
            return event.isAhead ? leaveToReader(id, event) : recognize(id, event, story.record, now: now)
        }
        if event.isAhead, story.record.done.above.count >= AheadEvents.longestTrail { return leaveToReader(id, event) }
        if waitsForText(id, event, story) { return }
        let seen = seen(of: story)
        switch event.rules.gate.decide(event.news, story: seen, digest: event.digest, now: now.wall) {
        case .end where event.isAhead:
            leaveToReader(id, event)
        case .end(let verdict):
            end(id, verdict, stage: .gate, now: now)
        case .hold:
            supersede(event.story, by: EventVerdict(.suppressed, "suppressed.hold"), now: now)
            end(id, EventVerdict(.suppressed, "suppressed.hold"), stage: .gate, now: now)
        case .admit, .wait:
            let reason = event.news.kind == .kill ? "superseded.killed" : "superseded.revision"
            let inherited = supersede(event.story, by: EventVerdict(.superseded, reason), now: now)
            // What was about to go first must not fall behind because there is more to say.
            if let inherited { events.update(id) { $0.lane = min($0.lane, inherited) } }
            join(id, now: now)
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
    private mutating func recognize(_ id: EventID, _ event: Event, _ record: StoryRecord, now: Moment) {
        guard let closing = record.closing.first(where: { $0.offset == event.place.offset }) else {
            passOver(event.place)
            events.remove(id)
            stories.closeIfIdle(event.story)
            return
        }
        actions.append(.report(.recognized(origin(of: event.place))))
        endAgain(id, closing.verdict, sent: record.sent, now: now)
    }

    /// What is known of a story, the events under way included as if they had ended well.
    private func seen(of story: LiveStory) -> StoryRecord? {
        guard let newest = story.newest.flatMap({ events[$0] }) else {
            return story.record.revision > 0 ? story.record : nil
        }
        var seen = story.record
        seen.advance(to: newest.news, digest: newest.digest, isTold: true)
        seen.phase = newest.news.kind == .kill ? .killed : .open
        return seen
    }

    /// Puts an event into its story: it has its turn at once, or after the one under way.
    mutating func join(_ id: EventID, now: Moment) {
        guard let event = events[id], let story = stories[event.story] else { return }
        if story.current == nil {
            stories.update(event.story) { $0.current = id }
            takeTurn(id, now: now)
        } else {
            stories.update(event.story) { $0.next = id }
            events.update(id) { $0.phase = .waiting(.turn) }
        }
    }

    /// Puts the event whose turn it is into its lane, now or when its embargo ends.
    mutating func takeTurn(_ id: EventID, now: Moment) {
        guard let event = events[id] else { return }
        guard let embargo = event.news.embargo, embargo > now.wall, event.news.kind != .kill else { return enqueue(id) }
        events.update(id) { $0.phase = .waiting(.embargo(embargo)) }
        appointments.set(.embargo(id), at: embargo)
        if !event.isParked { park(id, .embargo, until: embargo, now: now) }
    }

    /// Puts an event into its lane.
    ///
    /// - Parameters:
    ///   - id: Whose turn it is.
    ///   - isFirst: Whether it goes before what waits there already, as at the end of an embargo, which is an appointment.
    mutating func enqueue(_ id: EventID, first isFirst: Bool = false) {
        events.update(id) { $0.phase = .queued }
        guard let event = events[id] else { return }
        let job = HubDesk.Job(event: id, target: nil, age: event.place.offset)
        if isFirst {
            desks[0].lanes.prepend(job, to: event.lane)
        } else {
            desks[0].lanes.append(job, of: event.place.partition, to: event.lane)
        }
    }

    /// Ends what of a story is not in flight.
    ///
    /// - Returns: The best lane among those that had not been sent at all.
    @discardableResult
    mutating func supersede(_ story: StoryID, by verdict: EventVerdict, now: Moment) -> Lane? {
        guard let live = stories[story] else { return nil }
        var lane: Lane?
        if let next = live.next, let event = events[next] {
            lane = event.lane
            stories.update(story) { $0.next = nil }
            end(next, verdict, stage: .gate, now: now)
        }
        guard let current = live.current, let event = events[current], event.isAlive else { return lane }
        if !event.isPlanned { lane = min(lane ?? event.lane, event.lane) }
        cancel(current, by: verdict, now: now)
        return lane
    }

    /// Lets the ledger keep an event that waits, so that its offset is done.
    mutating func park(_ id: EventID, _ reason: StoryRecord.WaitReason, until: Timestamp?, now: Moment) {
        guard configuration.keepsLedger, let event = events[id] else { return }
        let copy = event.original.copy()
        events.update(id) {
            $0.original = copy
            $0.isParked = true
        }
        let attempts = event.targets.reduce(0) { $0 + $1.report.attempts }
        let waiting = StoryRecord.Waiting(
            offset: event.place.offset,
            timestamp: event.place.timestamp,
            consumedAt: event.consumedAt,
            until: until,
            reason: reason,
            attempts: attempts,
            key: copy.key,
            value: copy.value,
            headers: copy.headers
        )
        let lowestOpen = lowestOpen(of: event.story, without: id)
        stories.update(event.story) {
            $0.record.waiting.append(waiting)
            $0.record.noteUncertain(event, at: now.wall)
            $0.record.done.finish(event.place.offset, lowestOpen: lowestOpen)
            $0.record.changedAt = now.wall
        }
        var outcome: OutcomeRecord?
        if reason == .embargo {
            outcome = outcomeRecord(of: event, EventVerdict(.held, "held.embargo"), now: now)
            outcome?.isFinal = false
        }
        if let outcome { actions.append(.report(.deferred(outcome))) }
        writeStory(.park(event.place), event.story, outcome: outcome, now: now)
    }
}
