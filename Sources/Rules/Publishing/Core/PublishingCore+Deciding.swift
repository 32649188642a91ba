import NewsflashEvents
import NewsflashTimestamps

extension PublishingCore {
    /// Decides on the events in the inbox of a story, one after the other, until it is empty or stalls.
    mutating func decideNext(of story: Story, now: Moment) {
        // A decision that ends an event calls this again; the next event in the inbox is decided after the current one.
        guard story.deciding == nil else { return }
        while let id = story.inbox.next() {
            if let event = events[id] { decide(event, in: story, now: now) }
        }
        stories.releaseIfIdle(story)
    }

    /// Decides on a received event: at once if its story has no other to decide on, and otherwise after the others.
    mutating func decideOrQueue(_ event: Event, now: Moment) {
        let story = event.story
        if story.inbox.isEmpty, story.deciding == nil {
            decide(event, in: story, now: now)
        } else {
            story.inbox.append(event.id)
        }
        decideNext(of: story, now: now)
    }

    private mutating func decide(_ event: Event, in story: Story, now: Moment) {
        story.deciding = event.id
        decide(event, now: now)
        story.deciding = nil
    }

    /// Requests the text that subscribers received, for a kill without a text.
    ///
    /// - Returns: Whether the kill must wait for the text.
    private mutating func askForText(of event: Event) -> Bool {
        let story = event.story
        guard event.news.kind == .kill, event.news.text.isEmpty, story.knownText.isEmpty else { return false }
        if !story.isReadingText {
            guard !story.hasSoughtText, let offset = story.facts.wordsOffset else { return false }
            story.isReadingText = true
            story.hasSoughtText = true
            recall(.source(offset), of: story.partition, for: .text(story))
        }
        event.move(.wait(.text))
        return true
    }

    /// Whether an earlier owner may have sent events that the consumer has not reached.
    func hasUnreadExposed(_ partition: PartitionID) -> Bool {
        partitions[partition].isExposed(partitions[partition].frontier)
    }

    private mutating func decide(_ event: Event, now: Moment) {
        let story = event.story
        if isProcessed(event) { return event.isAhead ? leaveToConsumer(event) : recognize(event, now: now) }
        if event.isAhead, story.facts.processed.ahead.count >= ScannedEvents.longestTrail {
            return leaveToConsumer(event)
        }
        if event.isAhead, event.news.kind == .kill, hasUnreadExposed(event.place.partition) {
            // An earlier owner may have sent the events before it, and only these events show to whom.
            return leaveToConsumer(event)
        }
        if event.news.kind == .kill, story.members.contains(where: { events[$0]?.isSameAct(as: event) == true }) {
            return end(event, EventVerdict(.duplicate, "duplicate.id"), stage: .gate, now: now)
        }
        if needsWithdrawal(before: event) { return readWithdrawal(before: event) }
        settleKind(of: event)
        let seen = seen(of: story, by: event)
        if samples != nil { sample(event, seen: seen, now: now) }
        obeyEmbargo(of: event, latest: seen?.revision ?? 0, now: now)
        switch event.rules.gate.decide(event.news, story: seen, digest: event.digest, now: now.wall) {
        case .end where event.isAhead, .endAndHold where event.isAhead:
            leaveToConsumer(event)
        case .end where event.rejected != nil:
            if let rejection = event.rejected?.rejection {
                end(event, EventVerdict(rejection), stage: .decode, now: now)
            }
        case .end(let verdict):
            // It is too late for notified subscribers, or not for subscribers, but waiting news of the story is stopped.
            if event.news.kind == .kill, verdict.outcome == .expired || verdict.outcome == .shadow {
                supersede(story, with: event, by: EventVerdict(.superseded, "superseded.killed"), now: now)
                // Its turn decides when the answers are known.
                if verdict.outcome == .expired, mayBeNotified(of: story) { return join(event, now: now) }
            }
            // The desk has declared the news to be over.
            if event.news.isNews, verdict.reason == "expired.explicit" {
                supersede(story, with: event, by: EventVerdict(.superseded, "superseded.revision"), now: now)
            }
            // Hubs may have accepted requests of the event before a stop or a crash. A duplicate has no requests.
            if verdict.outcome != .duplicate { planIfBegun(event, now: now) }
            if event.isPlanned {
                conclude(event, event.requestCounts, cancelledBy: verdict, now: now)
            } else {
                end(event, verdict, stage: .gate, now: now)
            }
        case .hold:
            let verdict = EventVerdict(.suppressed, "suppressed.hold")
            supersede(story, with: event, by: verdict, now: now)
            guard let rejection = event.rejected?.rejection else { return end(event, verdict, stage: .gate, now: now) }
            story.facts.hold(by: event)
            end(event, EventVerdict(rejection), stage: .decode, now: now)
        case .endAndHold(let verdict):
            supersede(story, with: event, by: EventVerdict(.suppressed, "suppressed.hold"), now: now)
            story.facts.hold(by: event, mayComeAgain: true)
            end(event, verdict, stage: .gate, now: now)
        case .admit:
            if event.news.isNews, let embargo = event.news.embargo {
                story.facts.embargo = embargo > now.wall ? embargo : nil
            }
            let reason = event.news.kind == .kill ? "superseded.killed" : "superseded.revision"
            let inherited = supersede(story, with: event, by: EventVerdict(.superseded, reason), now: now)
            // If a superseded event was in a faster lane, this one takes that lane: more news must not delay the story.
            if let inherited { event.lane = min(event.lane, inherited) }
            join(event, now: now)
        }
    }

    /// Whether subscribers may be notified of a story although its facts have no accepted request: by one in flight, or by an
    /// earlier owner that crashed.
    private func mayBeNotified(of story: Story) -> Bool {
        !story.facts.awaitingWithdrawal.isEmpty || story.members.contains { events[$0]?.isInFlight ?? false }
    }

    /// Keeps an embargo that is later than that of the story, even if its own event ends: waiting events of the story obey it.
    private mutating func obeyEmbargo(of event: Event, latest revision: Int64, now: Moment) {
        let news = event.news
        let story = event.story
        guard var embargo = news.embargo, embargo > max(story.facts.embargo ?? now.wall, now.wall), news.kind != .kill,
            news.replay == nil, news.kind == .hold || news.revision >= revision, !event.isAhead
        else { return }
        embargo = min(embargo, now.wall + event.rules.gate.policy.maximumEmbargo)
        story.facts.embargo = embargo
        story.facts.changedAt = now.wall
        ledger.changed(story)
    }

    /// The embargo that applies to an event with an embargo: its own, or a later one of its story.
    func embargo(on event: Event) -> Timestamp? {
        guard let own = event.news.embargo, event.news.kind != .kill else { return nil }
        guard let latest = event.story.facts.embargo, event.news.replay == nil else { return own }
        return max(own, latest)
    }

    /// Determines the kind of an event that depends on whether subscribers were notified of its story before.
    func settleKind(of event: Event) {
        let story = event.story
        guard event.news.kindIfFirst != nil, story.facts.newsSent(besides: event.news).isEmpty,
            !story.members.contains(where: { events[$0]?.isInFlight ?? false })
        else { return }
        event.becomeFirst()
    }

    /// Whether the ledger lists the record of an event as processed.
    private func isProcessed(_ event: Event) -> Bool {
        let facts = event.story.facts
        return partitions[event.place.partition].trustsLedger && facts.processed.contains(event.place.offset)
            && (facts.hasPassed(event.news.revision) || facts.keeps(event.place.offset))
    }

    /// Skips a record that is processed. If its outcome may not have been confirmed, for example after a crash, the outcome is
    /// written again.
    private mutating func recognize(_ event: Event, now: Moment) {
        actions.append(.report(.recognized(origin(of: event.place))))
        let facts = event.story.facts
        // The outcome of an event that waits in the ledger is written again when the event is read back.
        let isWaiting = facts.keeps(event.place.offset)
        if !isWaiting, let closing = facts.closing.first(where: { $0.offset == event.place.offset }) {
            return endAgain(event, closing, now: now)
        }
        partitions.complete(event.place)
        events[event.id] = nil
    }

    /// The facts of a story as if its events in progress had ended well; `nil` if the story is unknown.
    private func seen(of story: Story, by event: Event) -> StoryFacts? {
        guard let newest = story.newest.flatMap({ events[$0] }),
            !givesWay(newest, to: event)
        else { return story.facts.hasHistory ? story.facts : nil }
        var seen = story.facts
        // An event with too few approvals may come again with more.
        let isFinal = !newest.rules.gate.lacksApproval(newest.news)
        seen.advance(to: newest.news, digest: newest.digest, isFinal: isFinal)
        if let act = newest.news.repeatedAct { seen.recordEarlier(act) }
        if seen.phase != .killed { seen.phase = newest.news.kind == .kill ? .killed : .open }
        // The audiences of a second kill are known when the first has ended.
        if event.news.kind == .kill { seen.phase = .open }
        return seen
    }

    /// Whether an event waits because its source is paused, and another source may go on with the story.
    private func givesWay(_ waiting: Event, to event: Event) -> Bool {
        // An event that has begun keeps its turn, because hubs have accepted requests of it.
        waiting.waitsForPerson && waiting.news.source != event.news.source && !isPaused(event)
            && !waiting.story.facts.audiences.contains { $0.act.id == waiting.news.act && $0.isNotified }
    }

    /// Gives an event its turn in its story, or queues it after the current event.
    mutating func join(_ event: Event, now: Moment) {
        let story = event.story
        guard let current = story.current.flatMap({ events[$0] }) else {
            story.current = event.id
            return enqueueOrWait(event, now: now)
        }
        if givesWay(current, to: event), story.queue.isEmpty {
            story.aside.append(current.id)
            story.current = event.id
            return enqueueOrWait(event, now: now)
        }
        story.queue.append(event.id)
        event.move(.wait(.turn))
        // If the current event waits in the ledger, this one waits as long, so it is written there too.
        if current.isInLedger { wait(event, for: .turn, until: nil, now: now) }
    }

    /// Enqueues the current event of a story if nothing blocks it; otherwise makes it wait.
    mutating func enqueueOrWait(_ event: Event, isAppointment: Bool = false, now: Moment) {
        if event.news.isNews, event.story.facts.phase == .killed {
            // It was admitted before the withdrawal, which had to wait for a person. If it waited now, a withdrawal that goes
            // on would wait for it.
            return end(event, EventVerdict(.suppressed, "suppressed.killed"), stage: .gate, now: now)
        }
        if let order = pause(on: event) {
            return waitOn(event, wait(for: order, event), now: now)
        }
        if event.storedReason == .volumeLimit, !tally.isExempt(event.place), !wasPausedByLimit(event) {
            return waitOn(event, .volumeLimit(until: lifeEnd(of: event)), now: now)
        }
        if event.news.embargo != nil || event.rules.gate.needsApproval(event.news.kind),
            let wait = event.rules.gate.wait(on: event.news, since: event.consumedAt, now: now.wall)
        {
            return waitOn(event, wait, now: now)
        }
        if let embargo = embargo(on: event), embargo > now.wall {
            return waitOn(event, .embargo(embargo), now: now)
        }
        if let end = droppedEmbargo(of: event, now: now) {
            return waitOn(event, .embargoDropped(until: end), now: now)
        }
        if isAppointment { event.isAppointment = true }
        if askForText(of: event) { return }
        guard event.story.versions.isPastBarrier(isNews: event.news.isNews) || !configuration.keepsLedger else {
            event.move(.wait(.ledger))
            // A ledger without confirmations must not delay a flash or a kill for longer.
            if event.lane == .express { delays.set(.turn(event.id), at: now.instant + RequestsAtRisk.patience) }
            return
        }
        enqueue(event, now: now)
    }

    /// Whether a volume limit had paused the source of an event. If nothing pauses it any more, the limit decides again.
    private func wasPausedByLimit(_ event: Event) -> Bool {
        event.story.facts.waiting.contains { $0.offset == event.place.offset && $0.pausedAt != nil }
    }

    /// Compares an event with the embargo of its story.
    ///
    /// - Returns: The end of its life, if it has to wait for a decision by a person or a later revision; otherwise `nil`.
    private func droppedEmbargo(of event: Event, now: Moment) -> Timestamp? {
        guard event.storedReason == .embargoDropped || event.story.facts.embargo.map({ $0 > now.wall }) ?? false,
            event.news.isNews, event.news.embargo == nil, event.news.replay == nil,
            event.rules.gate.policy.embargoDropped == .hold
        else { return nil }
        if pauses.isResumed(source(of: event.place.partition), event.place.offset) {
            event.story.facts.embargo = nil
            return nil
        }
        event.droppedEmbargo = event.story.facts.embargo
        return lifeEnd(of: event)
    }

    /// Puts an event into the lanes of the hubs that may need it.
    mutating func enqueue(_ event: Event, now: Moment) {
        guard event.move(.enqueue) else { return }
        guard !waitInLedger(event, now: now) else { return }
        for hub in hubs.indices where mayNeed(hub, event) { enqueue(event, at: hub) }
    }

    /// Ends events of a story that were not sent, because a newer event came.
    ///
    /// A withdrawal is never superseded.
    ///
    /// - Returns: The best lane among the events that had not been sent at all.
    @discardableResult
    mutating func supersede(_ story: Story, with event: Event, by verdict: EventVerdict, now: Moment) -> Lane? {
        var lane: Lane?
        if event.news.kind == .kill {
            for id in story.members {
                guard let other = events[id], !other.news.isNews, givesWay(other, to: event) else { continue }
                // The withdrawal of a source that is not paused replaces this one: it goes to the same audiences.
                end(other, verdict, stage: .gate, now: now)
            }
        }
        for id in story.queue {
            guard let next = events[id], next.news.isNews else { continue }
            lane = min(lane ?? next.lane, next.lane)
            end(next, verdict, stage: .gate, now: now)
        }
        guard let current = story.current.flatMap({ events[$0] }), current.isAlive, current.news.isNews else {
            return lane
        }
        if !current.isPlanned { lane = min(lane ?? current.lane, current.lane) }
        cancel(current, by: verdict, now: now)
        return lane
    }
}
