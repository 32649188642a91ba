import NewsEvents
package import Timestamps

extension PublishingCore {
    /// The name of a source partition in this machine.
    package mutating func partition(_ source: SourcePartition) -> PartitionID {
        partitions.id(of: source)
    }

    /// The partition of that name.
    package func source(of partition: PartitionID) -> SourcePartition {
        partitions[partition].source
    }

    /// The partitions that are ours and restored.
    package var workingPartitions: [SourcePartition] {
        partitions.ours.lazy.filter { $0.phase == .working }.map(\.source)
    }

    /// Takes a partition over, before the first record of it comes. Nothing of it is worked on before
    /// ``restored(_:now:)``.
    ///
    /// - Returns: The number of the assignment, to be given back with what was restored.
    package mutating func assign(_ partition: PartitionID, now: Moment) -> UInt32 {
        // A partition may come back without a word that it left.
        if partitions[partition].phase != .away { _ = leave([partition], now: now) }
        partitions[partition].assign(writer: random.next())
        return partitions[partition].assignment
    }

    /// Takes over what the ledger of a partition says. Work on it begins when the ledger has confirmed whose it is. If the
    /// ledger knows a hub's label for another hub, nothing of the partition is ever worked on.
    ///
    /// - Parameters:
    ///   - restored: All that its partition holds; one for an assignment that is over is passed over.
    ///   - now: The present.
    package mutating func restored(_ restored: RestoredLedger, now: Moment) {
        guard partitions[restored.partition].isRestoring(restored.assignment) else { return }
        let partition = restored.partition
        let recordedHubs = restored.owners.latest()?.hubs ?? [:]
        let conflicts = configuration.hubAddresses.conflicts(with: recordedHubs)
        guard conflicts.isEmpty else {
            actions.append(.report(.refused(partitions[partition].source, conflicts)))
            return
        }
        var index = restored.stories
        let pushes = index.takePushes()
        stories.restore(index, of: partition)
        tally.restore(pushes, now: now)
        partitions[partition].wasRead(restored, hubs: configuration.hubAddresses.merged(into: recordedHubs))
        let hasCrashed = partitions[partition].hasCrashedOwner
        restoredLate[partition, default: []] += restored.late
        restoredWaits[partition] = restored.waiting.map { story in
            let entry = WaitingStories.Entry(
                story.events,
                at: story.ledgerOffset,
                hubs: hubNames,
                mayHaveBeenSent: story.events.contains { event in
                    event.isSuspected || hasCrashed && mayHaveBegun(event, of: story.key, from: partition, now: now)
                }
            )
            return (
                WaitingStories.Key(partition: partition, story: story.key), entry,
                story.isAnyOver || story.events.contains { !waits($0, of: story.key, from: partition) }
            )
        }
        if let term = partitions[partition].claimedTerm {
            return workIfOwned(partition, ledgerOffset: term, now: now)
        }
        ledger.own(partition, owner(of: partition))
        if !configuration.keepsLedger { workIfOwned(partition, ledgerOffset: 0, now: now) }
    }

    /// Whether what an event in the ledger waits for has not come yet.
    private func waits(_ event: StoryFacts.Waiting, of story: StoryIndex.Key, from partition: PartitionID) -> Bool {
        switch event.reason {
        case .embargo, .approval, .quietHours: event.until != nil
        case .release, .brake: holds.isHeld(event.source, from: source(of: partition).topic)
        case .embargoDropped: !isReleased(story, since: event.heldAt)
        case .retry, .hub, .turn: false
        }
    }

    /// Whether an event that waits in the ledger may have been sent before its earlier owner crashed.
    private func mayHaveBegun(
        _ event: StoryFacts.Waiting,
        of story: StoryIndex.Key,
        from partition: PartitionID,
        now: Moment
    ) -> Bool {
        switch event.reason {
        case .embargo, .approval, .quietHours: event.until.map { $0 <= now.wall } ?? true
        case .release, .brake: !holds.isHeld(event.source, from: source(of: partition).topic, since: event.heldAt)
        case .embargoDropped: isReleased(story, since: event.heldAt)
        case .retry, .hub, .turn: true
        }
    }

    /// Whether a person has released a story; with a time, whether by another order than that of the time.
    private func isReleased(_ story: StoryIndex.Key, since last: Timestamp?) -> Bool {
        holds.storyReleases.contains { order in
            order.at != last && order.scope.story.map { StoryIndex.Key($0) == story } ?? false
        }
    }

    /// The owner record by which this worker begins in the ledger of a partition.
    func owner(of partition: PartitionID) -> LedgerOwner {
        LedgerOwner(
            hasLeft: false,
            isSettled: false,
            writer: partitions[partition].writer,
            hubs: partitions[partition].hubs
        )
    }

    /// Begins to work on a partition after the ledger has confirmed this worker's owner record.
    ///
    /// - Parameters:
    ///   - partition: The partition.
    ///   - ledgerOffset: The offset of that record; records at lower offsets are of earlier owners.
    ///   - now: The current time.
    mutating func workIfOwned(_ partition: PartitionID, ledgerOffset: Int64, now: Moment) {
        if let assignment = partitions[partition].readAgain(ledgerOffset: ledgerOffset) {
            forgetRestored(partition)
            return actions.append(.readLedgerAgain(partition, assignment: assignment))
        }
        guard let early = partitions[partition].work(ledgerOffset: ledgerOffset) else {
            return partitions[partition].renew(ledgerOffset: ledgerOffset)
        }
        let waits = restoredWaits.removeValue(forKey: partition) ?? []
        let source = partitions[partition].source
        actions.append(.report(.restored(source, stories: stories.count(of: partition), waiting: waits.count)))
        for (key, entry, isOver) in waits {
            waiting.insert(key, entry)
            if isOver { waiting.enqueue(key) }
        }
        waiting.fallDue(at: now.wall)
        recallWaiting()
        let late = restoredLate.removeValue(forKey: partition) ?? []
        for record in late { overwritten(by: record, in: partition, now: now) }
        actions.append(.flow(partition))
        receive(early, now: now)
    }

    private mutating func forgetRestored(_ partition: PartitionID) {
        restoredWaits[partition] = nil
        restoredLate[partition] = nil
    }

    // MARK: - Leaving

    /// Begins to give partitions back: no request begins for them, what is not in flight is dropped for their next owner, and
    /// what is in flight is waited for.
    ///
    /// - Parameters:
    ///   - leaving: Those that leave.
    ///   - limit: Until when answers are waited for; what is in flight then is recorded as possibly accepted.
    ///   - isLost: Whether others may own them already.
    ///   - now: The present.
    package mutating func beginDraining(
        _ leaving: [PartitionID],
        waitingUntil limit: Instant,
        isLost: Bool = false,
        now: Moment
    ) {
        for partition in leaving {
            partitions[partition].drain()
            if isLost {
                partitions[partition].lose()
                _ = partitions[partition].writeThatLeft()
            }
            delays.set(.giveUp(partition, reading: partitions[partition].reading), at: limit)
        }
        dropWhatLeaves()
    }

    /// Drops what of leaving partitions has no request in flight and has not ended.
    mutating func dropWhatLeaves() {
        guard partitions.isAnyDraining else { return }
        for event in sortedEvents(where: { isDraining($0.place.partition) && !$0.isInFlight && mayBeDropped($0) }) {
            drop(event)
        }
        for partition in partitions.draining where !hasWork(in: partition) { sayThatLeft(partition) }
    }

    /// Whether the next owner of a leaving partition goes on with an event; of a lost one it decides on all that has not ended.
    private func mayBeDropped(_ event: Event) -> Bool {
        event.isAlive || event.isCancelled && partitions[event.place.partition].isLost
    }

    private func isDraining(_ partition: PartitionID) -> Bool {
        partitions[partition].phase == .draining
    }

    /// Whether an event of a partition is still to be answered or recorded.
    private func hasWork(in partition: PartitionID) -> Bool {
        events.values.contains { $0.place.partition == partition } || writes.contains(of: [partition])
    }

    /// Has the ledger of a partition say that it was given back in order; once.
    private mutating func sayThatLeft(_ partition: PartitionID) {
        guard configuration.keepsLedger, partitions[partition].writeThatLeft() else { return }
        var owner = owner(of: partition)
        owner.term = partitions[partition].beganTerm
        if let before = partitions[partition].ownerBefore(as: owner) { return ledger.own(partition, before) }
        // The next owner has to look at records that a crashed owner may have sent and that this worker has not passed.
        owner.hasLeft = !partitions[partition].isExposed(partitions[partition].watermark ?? 0)
        owner.isSettled = !hasWork(in: partition) && partitions[partition].hasSettledEarlierOutcomes
        owner.processed = partitions[partition].uncommittedBare
        ledger.leave(partition, owner)
    }

    /// Forgets an event that the next owner of its partition goes on with.
    mutating func drop(_ event: Event) {
        let story = event.story
        if let offset = event.openOffset { story.dropped.append(offset) }
        if event.isAlive, event.standing.accepted > 0 { story.facts.recordBegun(event.news.act) }
        events[event.id] = nil
        if event.isAhead { ahead.remove(event.place.offset, of: event.place.partition) }
        story.remove(event.id)
        if case .recording = event.state { story.holders -= 1 }
    }

    /// Records what is still in flight of a partition as possibly accepted, and waits for it no longer.
    mutating func giveUp(_ partition: PartitionID, now: Moment) {
        guard isDraining(partition) else { return }
        var flights: [SendID] = []
        for hub in hubs.indices {
            flights += hubs[hub].cancel { [events] in events[$0]?.place.partition == partition }
        }
        if !flights.isEmpty {
            actions.append(.cancel(flights))
            actions.append(.report(.gaveUp(partitions[partition].source, requests: flights.count)))
        }
        for event in sortedEvents(where: { $0.place.partition == partition && $0.isInFlight }) {
            event.story.facts.keepTextIfMissing(of: event)
            for request in event.requests where request.state == .inFlight {
                event.story.facts.recordPossible(
                    request.plan.recipients,
                    AudienceFact.Act(of: event.news, at: now.wall)
                )
            }
            ledger.changed(event.story)
            drop(event)
        }
        dropWhatLeaves()
    }

    /// Whether nothing of these partitions is in flight or waits to be confirmed.
    package func isDrained(_ leaving: [PartitionID]) -> Bool {
        let gone = Set(leaving)
        return !events.values.contains { gone.contains($0.place.partition) } && !writes.contains(of: gone)
            && leaving.allSatisfy {
                ledger.isDone($0) && (!configuration.keepsLedger || partitions[$0].needsNoOwnerRecord)
            }
    }

    /// Leaves partitions, whatever of them is still open. Requests in flight are ended if that is possible.
    ///
    /// - Returns: What may be committed for them.
    package mutating func leave(_ leaving: [PartitionID], now: Moment) -> [SourcePartition: Int64] {
        var offsets: [SourcePartition: Int64] = [:]
        let gone = Set(leaving)
        for partition in leaving {
            partitions[partition].drain()
            giveUp(partition, now: now)
            sayThatLeft(partition)
            if !isDrained([partition]) {
                let open = events.values.count { $0.place.partition == partition }
                actions.append(.report(.leftUnconfirmed(partitions[partition].source, events: open)))
            }
            // Decided changes go to the ledger even if nobody waits for the confirmation.
            if ledger.hasLastBatch(of: partition) { writeBatch(of: partition, now: now) }
        }
        for (id, event) in events where gone.contains(event.place.partition) { events[id] = nil }
        writes.forget(gone)
        exposure.forget(gone)
        ledger.forget(gone)
        for partition in leaving {
            if let offset = partitions[partition].leave() { offsets[partitions[partition].source] = offset }
            stories.forget(partition)
            ahead.forget(partition)
            waiting.forget(partition)
            forgetRestored(partition)
        }
        return offsets
    }

    /// Receives the broker's answer to a commit; one that failed is tried again with the next.
    package mutating func commitEnded(_ sources: [SourcePartition], succeeded: Bool, now: Moment) {
        for source in sources { partitions.commitEnded(source, succeeded: succeeded) }
    }

    mutating func commitIfDue(_ now: Moment) {
        guard partitions.hasMoved else { return }
        if let nextCommit, nextCommit > now.instant { return }
        let offsets = partitions.takeCommits()
        guard !offsets.isEmpty else { return }
        nextCommit = now.instant + configuration.commitInterval
        actions.append(.commit(offsets))
    }
}
