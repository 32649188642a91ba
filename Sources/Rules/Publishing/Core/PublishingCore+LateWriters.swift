import NewsflashEvents
import NewsflashTimestamps

/// Records that earlier owners of a partition write into its ledger after they have lost it.
extension PublishingCore {
    /// Merges a record that another writer put into the ledger of one of our partitions, and writes the merged facts.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - partition: The partition of the record.
    ///   - now: The current time.
    package mutating func overwritten(by record: LateRecord, in partition: PartitionID, now: Moment) {
        switch partitions[partition].phase {
        case .away, .draining: return
        case .restoring: return restoredLate[partition, default: []].append(record)
        case .working: break
        }
        partitions[partition].foundOpenOutcomes(record.facts.closing)
        let story = openStory(record.story, of: partition, orElse: record.facts)
        if story.inbox.isStalled {
            story.overwrite?.merge(record)
            story.overwrite = story.overwrite ?? record
        } else {
            apply(record, to: story, now: now)
        }
        stories.releaseIfIdle(story)
    }

    /// Applies another writer's record to a story whose own facts are loaded. If an ended withdrawal must then go on, its record
    /// is read first, so that one ledger record contains both the merged facts and the withdrawal.
    mutating func apply(_ record: LateRecord, to story: Story, now: Moment) {
        if let offset = withdrawalToRepeat(of: story, after: record.facts) {
            story.overwrite = record
            story.inbox.isStalled = true
            return recall(.source(offset), of: story.partition, for: .withdrawal(story))
        }
        merge(record, into: story, now: now)
    }

    /// Merges a record of another writer, and lists the merged facts for the ledger if its latest record differs.
    private mutating func merge(_ record: LateRecord, into story: Story, now: Moment) {
        markAsOurs(story)
        let facts = story.facts
        merge(record.facts, into: story)
        if story.facts != (record.isLatest ? record.facts : facts) { repair(story) }
        applyMergedFacts(to: story, now: now)
    }

    /// The offset of a withdrawal that has ended and did not go to all subscribers in another writer's facts; `nil` if there is
    /// none, or while another withdrawal of the story is in progress.
    private func withdrawalToRepeat(of story: Story, after facts: StoryFacts) -> Int64? {
        guard partitions[story.partition].trustsLedger, !isBeingWithdrawn(story) else { return nil }
        var merged = story.facts
        merged.merge(facts)
        return story.facts.hasMissedReaders(of: merged) ? merged.withdrawalOffset : nil
    }

    private func isBeingWithdrawn(_ story: Story) -> Bool {
        story.members.contains { events[$0]?.news.kind == .kill }
    }

    /// Goes on with a story after the record of its withdrawal was read: with facts of another writer, or with its inbox.
    mutating func recalledWithdrawal(_ record: RecalledRecord, of story: Story, now: Moment) {
        guard story.isOpen, story.inbox.isStalled else { return }
        story.inbox.isStalled = false
        story.withdrawal = story.facts.withdrawalOffset.map { ($0, record) }
        guard let late = story.overwrite.take() else { return decideNext(of: story, now: now) }
        // The merged facts may replace those of the withdrawal; its outcome must still contain that it was accepted.
        let accepted = story.facts.acceptedWithdrawals
        merge(late, into: story, now: now)
        if story.facts.phase == .killed, !story.facts.awaitingWithdrawal.isEmpty, !isBeingWithdrawn(story) {
            withdrawAgain(story, record, after: accepted, now: now)
        }
        decideNext(of: story, now: now)
    }

    /// Merges facts of another writer into those of a story. Events in progress here count as not ended, even if the other
    /// writer ended them.
    private func merge(_ facts: StoryFacts, into story: Story) {
        markAsOurs(story)
        var open: [UInt64] = []
        story.forEachBegun { if let event = events[$0] { open.append(event.news.act) } }
        story.facts.merge(facts, open: open)
    }

    /// Applies another writer's requests to the events in progress, after its facts were merged: requests that it sent are not
    /// repeated, and news that must not follow them ends.
    private mutating func applyMergedFacts(to story: Story, now: Moment) {
        for id in story.members {
            guard let event = events[id] else { continue }
            if event.state == .sending {
                if event.news.kind == .kill { planForMissed(event, now: now) }
                for index in event.requests.indices where event.requests[index].isPending {
                    event.acceptIfSentBefore(index)
                }
                let requestCounts = event.requestCounts
                if requestCounts.isSettled, requestCounts.inFlight == 0 { conclude(event, requestCounts, now: now) }
            }
            guard event.news.isNews else { continue }
            if story.facts.phase == .killed || story.facts.isBeingWithdrawn {
                cancel(event, by: EventVerdict(.suppressed, "suppressed.killed"), now: now)
            } else if story.facts.newsSent(besides: event.news).contains(where: { $0.revision > event.news.revision }) {
                cancel(event, by: EventVerdict(.superseded, "superseded.revision"), now: now)
            }
        }
    }

    /// Extends a withdrawal in progress to the audiences that only another writer's record contains.
    private mutating func planForMissed(_ kill: Event, now: Moment) {
        let known = kill.story.known
        guard case .notified(let waiting, let owed) = Addressees(of: kill.news, facts: known) else { return }
        let asked = kill.requests.map(\.plan.audience)
        // Each plan groups the users again: a request in flight is not found among its requests.
        let addressees = Addressees.notified(waiting.withoutUsers(of: asked), owed: owed)
        guard case .send(let sends, _) = plan(kill, for: addressees, facts: known, loudness: .usual, now: now) else {
            return
        }
        let missed = sends.filter { send in !asked.contains { $0.areSame(as: send.audience) } }
        kill.requests += requests(for: missed, of: kill, facts: known)
        enqueueReady(kill)
    }

    /// Sends a withdrawal that has ended to the audiences that only another writer's record contains. The ledger keeps it until
    /// then.
    ///
    /// - Parameters:
    ///   - story: The story.
    ///   - found: The record of the withdrawal.
    ///   - accepted: The acts of withdrawals that hubs had accepted before the facts were merged.
    ///   - now: The current time.
    private mutating func withdrawAgain(
        _ story: Story,
        _ found: RecalledRecord,
        after accepted: Set<UInt64>,
        now: Moment
    ) {
        guard found.story == story.name, let record = found.events.first,
            case .event(let news, warnings: _) = record.content, news.kind == .kill
        else {
            let source = partitions[story.partition].source
            return actions.append(.report(.withdrawalMissing(story: story.name, source)))
        }
        let event = makeEvent(news, [], of: record, at: place(of: record), in: story, now: now)
        event.hasEnded = true
        if let ended = events.values.first(where: { $0.story === story && $0.place.offset == record.offset }) {
            // Its outcome is not confirmed, and is not written any more: the new end replaces it.
            events[ended.id] = nil
            writes.forget(ended.id)
            story.holders -= 1
            event.isAhead = ended.isAhead
            if event.isAhead { ahead.insert(event.id, at: event.place) }
        }
        events[event.id] = event
        if accepted.contains(news.act) { story.facts.recordBegun(news.act) }
        story.facts.closing.removeAll { $0.offset == event.place.offset }
        join(event, now: now)
        // It may be there already: waiting for a person, because its source was paused meanwhile, or for its turn.
        if !event.isInLedger { wait(event, for: .retry, until: nil, now: now) }
    }

    // MARK: - News that an earlier owner may have sent after the withdrawal

    /// Whether the record of an ended withdrawal must be read before an event is decided on.
    ///
    /// An earlier owner that crashed may have sent the event although the withdrawal had come, and the withdrawal ended before
    /// the event was read. Only the event shows the audience, and the withdrawal must go there, too. One ledger record contains
    /// the end of the event and the withdrawal that goes on.
    func needsWithdrawal(before event: Event) -> Bool {
        let story = event.story
        guard event.mayHaveBeenSentBefore, event.news.isNews, story.facts.isWithdrawalEarly,
            let offset = story.facts.withdrawalOffset, partitions[story.partition].trustsLedger
        else { return false }
        return !event.isAhead && story.withdrawal?.offset != offset && !isBeingWithdrawn(story)
    }

    mutating func readWithdrawal(before event: Event) {
        guard let offset = event.story.facts.withdrawalOffset else { return }
        event.story.inbox.stall(before: event.id)
        recall(.source(offset), of: event.story.partition, for: .withdrawal(event.story))
    }

    /// Sends the withdrawal of a story to audiences that an earlier owner may have notified, after an event has shown them.
    mutating func goOnWithWithdrawal(after event: Event, now: Moment) {
        let story = event.story
        for id in story.members {
            guard let other = events[id], other.news.kind == .kill else { continue }
            if other.state == .sending, other.isPlanned { planForMissed(other, now: now) }
        }
        guard story.facts.isWithdrawalEarly, !isBeingWithdrawn(story), let withdrawal = story.withdrawal,
            withdrawal.offset == story.facts.withdrawalOffset, mayHaveBeenSent(event, after: withdrawal.record)
        else { return }
        withdrawAgain(story, withdrawal.record, after: story.facts.acceptedWithdrawals, now: now)
    }

    /// Whether an earlier owner may have sent an event although the withdrawal of its story had come: the priority scan found
    /// it before the consumer reached the withdrawal, or the source of the withdrawal was paused and another one went on with
    /// the story.
    private func mayHaveBeenSent(_ event: Event, after withdrawal: RecalledRecord) -> Bool {
        guard event.news.lane != .express, case .event(let kill, warnings: _) = withdrawal.events.first?.content else {
            return true
        }
        return kill.source != event.news.source
            && pauses.wasEverPaused(kill.source, in: source(of: event.place.partition))
    }

    private mutating func repair(_ story: Story) {
        ledger.changed(story)
        actions.append(.report(.repaired(story: story.name, partitions[story.partition].source)))
    }

    /// Writes this worker's owner record again, because a late writer overwrote it: a new term begins.
    package mutating func ownerOverwritten(in partition: PartitionID) {
        guard partitions[partition].phase == .working else { return }
        ledger.own(partition, owner(of: partition))
    }
}

extension StoryFacts {
    /// The acts of withdrawals that hubs accepted.
    fileprivate var acceptedWithdrawals: Set<UInt64> {
        Set(audiences.filter { $0.certainty == .accepted && $0.act.kind == .kill }.map(\.act.id))
    }
}
