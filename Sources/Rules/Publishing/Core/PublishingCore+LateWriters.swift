import NewsEvents
import Timestamps

/// Records that earlier owners of a partition write into its ledger after they have lost it.
extension PublishingCore {
    /// Merges a record that another writer put into the ledger of one of our partitions, and writes the merged facts.
    ///
    /// - Parameters:
    ///   - facts: The facts in that record.
    ///   - name: The story.
    ///   - partition: Ours.
    ///   - now: The current time.
    package mutating func overwritten(_ facts: StoryFacts, of name: String, in partition: PartitionID, now: Moment) {
        guard partitions[partition].phase == .working else { return }
        partitions[partition].foundOpenOutcomes(facts.closing)
        let story = openStory(name, of: partition, orElse: facts)
        if story.inbox.isStalled {
            story.overwrite?.merge(facts)
            story.overwrite = story.overwrite ?? facts
        } else {
            merge(facts, into: story)
            if story.facts != facts { repair(story) }
            applyMergedFacts(to: story, now: now)
        }
        stories.closeIfIdle(story)
    }

    /// Merges facts of another writer into those of a story. Events in progress here have not ended, whatever the other says.
    func merge(_ facts: StoryFacts, into story: Story) {
        markAsOurs(story)
        var open: [UInt64] = []
        story.forEachBegun { if let event = events[$0] { open.append(event.news.act) } }
        story.facts.merge(facts, open: open)
    }

    /// Applies what another writer sent to the events in progress, after its facts were merged: what it sent of them is not sent
    /// again, and news ends that may not follow.
    mutating func applyMergedFacts(to story: Story, now: Moment) {
        for id in story.members {
            guard let event = events[id] else { continue }
            if event.state == .sending {
                if event.news.kind == .kill { planForMissed(event, now: now) }
                for index in event.requests.indices where event.requests[index].isPending {
                    event.acceptIfSentBefore(index)
                }
                let standing = event.standing
                if standing.isSettled, standing.inFlight == 0 { conclude(event, standing, now: now) }
            }
            guard event.news.isNews else { continue }
            if story.facts.phase == .killed || story.facts.isBeingWithdrawn {
                cancel(event, by: EventVerdict(.suppressed, "suppressed.killed"), now: now)
            } else if story.facts.newsSent(besides: event.news).contains(where: { $0.revision > event.news.revision }) {
                cancel(event, by: EventVerdict(.superseded, "superseded.revision"), now: now)
            }
        }
        withdrawAgain(story, now: now)
    }

    /// Has a withdrawal in progress reach the audiences that only another writer's record shows.
    private mutating func planForMissed(_ kill: Event, now: Moment) {
        let known = kill.story.known
        guard case .notified(let waiting, let owed) = Addressees(of: kill.news, facts: known) else { return }
        let asked = kill.requests.map(\.plan.recipients)
        // Each plan groups the users again: a request in flight is not found among its requests.
        let addressees = Addressees.notified(waiting.withoutUsers(of: asked), owed: owed)
        guard case .send(let sends, _) = plan(kill, for: addressees, facts: known, loudness: .usual, now: now) else {
            return
        }
        let missed = sends.filter { send in !asked.contains { $0.areSame(as: send.recipients) } }
        kill.requests += requests(for: missed, of: kill, facts: known)
        enqueueReady(kill)
    }

    /// Sends a withdrawal that has ended to the audiences that only another writer's record shows. The ledger keeps it until then.
    private mutating func withdrawAgain(_ story: Story, now: Moment) {
        guard story.facts.phase == .killed, !story.facts.awaitingWithdrawal.isEmpty,
            !story.members.contains(where: { events[$0]?.news.kind == .kill }),
            let ended = endedWithdrawals.latest(of: story)
        else { return }
        let event = Event(EventID(number: nextNumber()), again: ended, of: story, rules: rules, arrivedAt: now.instant)
        events[event.id] = event
        if events.removeValue(forKey: ended.id) != nil {
            // Its outcome is not confirmed, and is not written any more: this end takes its place.
            writes.forget(ended.id)
            story.holders -= 1
            event.isAhead = ended.isAhead
            if event.isAhead { ahead.insert(event.id, at: event.place) }
        }
        story.facts.closing.removeAll { $0.offset == event.place.offset }
        join(event, now: now)
        wait(event, for: .retry, until: nil, now: now)
    }

    /// Has the ledger get facts that were merged.
    mutating func repair(_ story: Story) {
        ledger.changed(story)
        actions.append(.report(.repaired(story: story.name, partitions[story.partition].source)))
    }

    /// Has the ledger say again whose a partition is, because a late writer overwrote it: a new term begins.
    package mutating func ownerOverwritten(in partition: PartitionID) {
        guard partitions[partition].phase == .working else { return }
        ledger.own(partition, owner(of: partition))
    }
}
