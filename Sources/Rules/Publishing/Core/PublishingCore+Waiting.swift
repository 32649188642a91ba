import NewsflashEvents
import NewsflashTimestamps

extension PublishingCore {
    /// Makes an event wait. The ledger keeps it if the wait may be long.
    mutating func waitOn(_ event: Event, _ wait: Wait, now: Moment) {
        event.move(.wait(wait))
        if let end = wait.end { appointments.set(.wait(event.id), at: end) }
        // An embargo can be moved while the event waits, and the life of a kill can become longer.
        guard let reason = wait.reason, event.storedReason != reason || !isKept(event, wait) else { return }
        self.wait(event, for: reason, until: wait.end, now: now)
        // The following events of the story wait as long.
        guard event.story.current == event.id else { return }
        for id in event.story.queue {
            if let next = events[id], !next.isInLedger { self.wait(next, for: .turn, until: nil, now: now) }
        }
    }

    /// Whether the ledger has the end of a wait, and the hubs for which the event waits. A request that a hub refused is ready
    /// again after the event was read from the ledger, so it may wait for other hubs than before.
    private func isKept(_ event: Event, _ wait: Wait) -> Bool {
        guard let kept = event.story.facts.waiting.first(where: { $0.offset == event.place.offset }),
            kept.until == wait.end
        else { return false }
        return kept.reason != .hub || kept.hubs == hubsAwaited(by: event)
    }

    /// Goes on with an event whose wait has ended by the clock.
    mutating func waitIsOver(_ wait: Wait, of event: Event, now: Moment) {
        switch wait {
        case .approval(let end):
            guard end <= now.wall else { return }
            let verdict = expiry(of: event, now: now) ?? event.rules.gate.refusal(of: event.news)
            self.end(event, verdict, stage: .gate, now: now)
        case .embargo, .quietHours:
            enqueueOrWait(event, isAppointment: true, now: now)
        case .pause, .volumeLimit, .embargoDropped, .hub:
            guard let verdict = expiry(of: event, now: now) else { return }
            cancel(event, by: verdict, now: now)
        case .turn, .ledger, .text:
            break
        }
    }

    /// The verdict for an event whose life is over; `nil` if it is not over.
    func expiry(of event: Event, now: Moment) -> EventVerdict? {
        if let deadline = deadlineAfterLaterEmbargo(of: event), now.wall <= deadline { return nil }
        return event.rules.gate.expiry(event.news, story: event.story.facts, now: now.wall)
    }

    /// The instant after which an event is not sent.
    func deadline(of event: Event) -> Timestamp {
        let deadline = event.rules.gate.deadline(of: event.news)
        return deadlineAfterLaterEmbargo(of: event).map { max($0, deadline) } ?? deadline
    }

    /// News lives from the embargo that applies to it: one that it dropped, or one that is later than its own.
    private func deadlineAfterLaterEmbargo(of event: Event) -> Timestamp? {
        guard event.news.expires == nil, let embargo = event.droppedEmbargo ?? embargo(on: event) else { return nil }
        return embargo + event.rules.gate.policy.life(of: event.news.kind)
    }

    /// The first instant at which an event has expired; a century later for a kill that must be sent at any age.
    func lifeEnd(of event: Event) -> Timestamp {
        let end = deadline(of: event) + .milliseconds(1)
        guard event.news.kind == .kill, event.story.facts.wasNotified else { return end }
        return end + .seconds(100 * 365 * 86_400)
    }

    /// Stores a waiting event in the ledger, so that its offset is processed, or updates the stored cause.
    mutating func wait(_ event: Event, for reason: StoryFacts.WaitReason, until: Timestamp?, now: Moment) {
        guard configuration.keepsLedger else { return }
        let story = event.story
        let copy = event.original.copy()
        event.original = copy
        let isNew = !event.isInLedger
        event.storedReason = reason
        let waiting = StoryFacts.Waiting(
            offset: event.place.offset,
            timestamp: event.place.timestamp,
            consumedAt: event.consumedAt,
            until: until,
            reason: reason,
            source: event.news.source,
            pausedAt: pause(on: event)?.at,
            isSuspected: event.mayHaveBeenSentBefore,
            isExpress: event.lane == .express,
            hasEnded: event.hasEnded,
            hubs: reason == .hub ? hubsAwaited(by: event) : [],
            attempts: event.requests.reduce(0) { $0 + $1.report.attempts },
            key: copy.key,
            value: copy.value,
            headers: copy.headers
        )
        // A withdrawal without a text needs the text that was found for it when it goes on.
        if event.news.kind == .kill, event.news.text.isEmpty, story.facts.text.isEmpty { story.facts.text = story.text }
        story.facts.waiting.removeAll { $0.offset == waiting.offset }
        story.facts.waiting.append(waiting)
        if event.news.delivery == .secure { story.facts.isSecure = true }
        finishOffset(of: event)
        story.facts.changedAt = now.wall
        ledger.changed(story)
        if isNew { story.versions.add(.wait(event.place)) }
        guard let verdict = reason.provisional else { return }
        var outcome = outcomeRecord(of: event, verdict, now: now)
        outcome.isFinal = false
        actions.append(.report(.deferred(outcome)))
        story.versions.add(.announce(outcome))
    }

    // MARK: - Unloading from memory

    /// Removes the events of a story from memory if all of them have long waits and are in the ledger.
    mutating func unload(_ story: Story, now: Moment) {
        guard story.versions.isConfirmed, story.inbox.isEmpty, story.holders == 0 else { return }
        let waits = story.members.compactMap { events[$0] }
        guard !waits.isEmpty, waits.allSatisfy({ mayBeUnloaded($0, now: now) }) else { return }
        let entry = WaitingStories.Entry(
            story.facts.waiting,
            at: story.ledgerOffset,
            hubs: hubNames,
            mayHaveBeenSent: waits.contains(where: \.mayHaveBeenSentBefore)
        )
        for event in waits { events[event.id] = nil }
        story.current = nil
        story.queue = []
        story.aside = []
        guard stories.releaseIfIdle(story) else { return }
        let key = WaitingStories.Key(partition: story.partition, story: StoryIndex.Key(story.name))
        waiting.insert(key, entry)
    }

    /// Removes an event from memory that waits again for a cause that the ledger has: no confirmation follows.
    mutating func unloadIfWaiting(_ event: Event, now: Moment) {
        if case .waiting = event.state { unload(event.story, now: now) }
    }

    private func mayBeUnloaded(_ event: Event, now: Moment) -> Bool {
        guard event.isInLedger, !event.isAhead, case .waiting(let wait) = event.state else { return false }
        switch wait {
        case .turn: return event.storedReason == .turn
        case .ledger, .text: return false
        case .approval, .embargo, .quietHours, .pause, .volumeLimit, .embargoDropped, .hub:
            return event.storedReason == wait.reason
                && wait.end.map { $0 > now.wall + WaitingStories.lead + WaitingStories.lead } ?? true
        }
    }

    /// While this number of events is in memory, waiting events are not read from the ledger.
    static let mostInMemory = 2000

    var canRecallWaiting: Bool { waiting.isAnyQueued && hasRoomForWaiting }

    /// Express events and those whose time has come have a reserve.
    private var hasRoomForWaiting: Bool { events.count < Self.mostInMemory * (waiting.isAnyUrgent ? 2 : 1) }

    /// Requests events whose wait is over, up to the limit.
    mutating func recallWaiting(_ now: Moment) {
        let away = awayHubs
        while hasRoomForWaiting, let (key, entry) = waiting.dequeue(exceptFor: away, now: now) {
            let offset = entry.ledgerOffset
            recall(.ledger(offset), of: key.partition, for: .waiting(key, ledgerOffset: offset))
        }
    }

    // MARK: - Reading back into memory

    /// Receives a record that was requested.
    package mutating func recalled(_ record: RecalledRecord, now: Moment) {
        switch recalls.removeValue(forKey: record.id) {
        case .facts(let story):
            guard story.isOpen, story.inbox.isStalled else { return }
            story.inbox.isStalled = false
            if record.story == story.name, let facts = record.facts {
                story.facts = facts
                if partitions[story.partition].hasSettledEarlierOutcomes {
                    story.facts.forgetClosings(below: .max)
                }
                resume(story, record.events, mayHaveBeenSent: story.isExposed, resumed: story.resumed, now: now)
            }
            if let late = story.overwrite.take() { apply(late, to: story, now: now) }
            decideNext(of: story, now: now)
        case .text(let story):
            guard story.isOpen, story.isReadingText else { return }
            story.isReadingText = false
            if record.story == story.name, case .event(let news, warnings: _) = record.events.first?.content {
                story.text = news.text
            }
            if let current = story.current.flatMap({ events[$0] }), current.state == .waiting(.text) {
                enqueueOrWait(current, now: now)
            }
            stories.releaseIfIdle(story)
        case .withdrawal(let story):
            recalledWithdrawal(record, of: story, now: now)
        case .waiting(let key, let offset):
            // An event may have come meanwhile, so that the story went on and waits in a newer record.
            guard let entry = waiting.entry(of: key), entry.ledgerOffset == offset else { return }
            recalledWaiting(key, entry, record, now: now)
        case .forgetting(let partition, let key, let offset):
            guard let name = record.story, stories.story(name, of: partition) == nil,
                stories.isLatest(offset, of: key, in: partition)
            else { return }
            stories.forget(name, of: partition)
            ledger.forget(name, of: partition)
        case nil:
            break
        }
    }

    private mutating func recalledWaiting(
        _ key: WaitingStories.Key,
        _ entry: WaitingStories.Entry,
        _ record: RecalledRecord,
        now: Moment
    ) {
        waiting.wasRead(key)
        guard let name = record.story, let facts = record.facts else {
            // A late writer may have replaced it: its record will be merged soon.
            return waiting.retry(key, at: now.wall + .seconds(5))
        }
        waiting.remove(key)
        guard stories.story(name, of: key.partition) == nil else { return }
        let story = stories.open(name, of: key.partition, as: facts, ledgerOffset: entry.ledgerOffset)
        if partitions[key.partition].hasSettledEarlierOutcomes { story.facts.forgetClosings(below: .max) }
        resume(
            story,
            record.events,
            mayHaveBeenSent: entry.mayHaveBeenSent,
            resumed: entry.resumed,
            now: now
        )
        decideNext(of: story, now: now)
        unload(story, now: now)
    }

    /// Goes on with the events of a story that waited in the ledger.
    ///
    /// - Parameters:
    ///   - story: The story, with its facts loaded.
    ///   - records: Its waiting events, decoded.
    ///   - isExposed: Whether an earlier owner may have sent one of them.
    ///   - resumed: The scopes that a person has resumed meanwhile.
    ///   - now: The current time.
    private mutating func resume(
        _ story: Story,
        _ records: [IncomingRecord],
        mayHaveBeenSent isExposed: Bool,
        resumed: [PauseScope],
        now: Moment
    ) {
        story.holders += 1
        // Events that have come meanwhile are decided after these.
        story.inbox.isStalled = true
        // Events with accepted requests come first: a withdrawal that waits with them also goes to their audiences.
        let begun = zip(story.facts.waiting, records).filter { story.facts.hasBegun($0.1) }
        let others = zip(story.facts.waiting, records).filter { !story.facts.hasBegun($0.1) }
        for (entry, record) in begun + others {
            let place = place(of: record)
            switch record.content {
            case .event(let news, let warnings):
                let event = makeEvent(
                    news,
                    warnings,
                    of: record,
                    at: place,
                    in: story,
                    consumedAt: entry.consumedAt,
                    now: now
                )
                events[event.id] = event
                settleKind(of: event)
                event.storedReason = entry.reason
                if entry.reason == .hub { event.awaitedHubs = entry.hubs }
                if entry.reason == .embargoDropped { event.droppedEmbargo = story.facts.embargo }
                if entry.reason == .volumeLimit, !isPaused(event),
                    isCovered(event.place, of: news.source, by: resumed)
                {
                    tally.exempt(place)
                }
                event.isAppointment = entry.reason == .embargo || entry.reason == .quietHours
                event.mayHaveBeenSentBefore = isExposed
                event.hasEnded = entry.hasEnded
                if let closing = story.facts.closing.first(where: { $0.offset == record.offset }) {
                    // It had ended, and its outcome was not confirmed.
                    endAgain(event, closing, now: now)
                    continue
                }
                let reason = event.news.kind == .kill ? "superseded.killed" : "superseded.revision"
                supersede(story, with: event, by: EventVerdict(.superseded, reason), now: now)
                join(event, now: now)
            case .rejected(let rejection):
                // It was decoded before, so the decoder has changed.
                story.facts.waiting.removeAll { $0.offset == record.offset }
                let outcome = OutcomeRecord(
                    of: rejection,
                    origin: origin(of: place),
                    config: rules.digest,
                    at: now.wall,
                    traceparent: record.original.traceparent
                )
                ledger.changed(story)
                story.versions.add(.outcome(outcome, .decode, record.original))
                actions.append(.report(.ended(outcome)))
            case .tombstone:
                continue
            }
        }
        story.inbox.isStalled = false
        story.holders -= 1
    }
}

extension PublishingCore {
    /// Whether one of several scopes covers a record.
    func isCovered(_ place: RecordPosition, of name: String, by scopes: [PauseScope]) -> Bool {
        scopes.contains { $0.covers(name, in: source(of: place.partition), at: place.offset) }
    }
}

extension StoryFacts {
    /// Whether hubs accepted a request of a record's event, or may have.
    fileprivate func hasBegun(_ record: IncomingRecord) -> Bool {
        guard case .event(let news, _) = record.content else { return false }
        return audiences.contains { $0.act.id == news.act && $0.isNotified }
    }
}

extension WaitingStories.Entry {
    /// Creates the entry of one story from its waiting events.
    init(_ events: [StoryFacts.Waiting], at ledgerOffset: Int64, hubs names: [String], mayHaveBeenSent: Bool) {
        self.init(
            ledgerOffset: ledgerOffset,
            until: events.compactMap(\.until).min(),
            isPaused: events.contains { $0.reason.waitsForResume },
            hubs: names.indices.reduce(into: 0) { mask, hub in
                if events.contains(where: { $0.hubs.contains(names[hub]) }) { mask |= 1 << UInt64(hub) }
            },
            mayHaveBeenSent: mayHaveBeenSent,
            isExpress: events.contains(where: \.isExpress)
        )
    }
}
