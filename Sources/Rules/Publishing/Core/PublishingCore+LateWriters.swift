import NewsEvents
import Timestamps

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

    /// Goes on with facts of another writer after the record of a withdrawal was read.
    mutating func recalledWithdrawal(_ record: RecalledRecord, of story: Story, now: Moment) {
        guard story.isOpen, story.inbox.isStalled, let late = story.overwrite.take() else { return }
        story.inbox.isStalled = false
        // The merged facts may replace those of the withdrawal; its outcome must still contain that it was accepted.
        let accepted = Set(
            story.facts.audiences.filter { $0.certainty == .accepted && $0.act.kind == .kill }.map(\.act.id)
        )
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
        wait(event, for: .retry, until: nil, now: now)
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
