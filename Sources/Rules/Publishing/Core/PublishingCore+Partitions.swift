import NewsflashEvents
package import NewsflashTimestamps
package import NewsflashTopicPartitions

extension PublishingCore {
    /// The identifier of a source partition in this core.
    package mutating func partition(_ source: TopicPartition) -> PartitionID {
        partitions.id(of: source)
    }

    /// The source partition with that identifier.
    package func source(of partition: PartitionID) -> TopicPartition {
        partitions[partition].source
    }

    /// The source partitions that are ours and restored.
    package var workingPartitions: [TopicPartition] {
        partitions.ours.lazy.filter { $0.phase == .working }.map(\.source)
    }

    /// Takes a partition over, before its first record comes. None of its records is processed before ``restored(_:now:)``.
    ///
    /// - Returns: The number of the assignment, which must be passed back with the restored ledger.
    package mutating func assign(_ partition: PartitionID, now: Moment) -> UInt32 {
        // A partition may be assigned again without a report that it was revoked.
        if partitions[partition].phase != .away { _ = leave([partition], now: now) }
        partitions[partition].assign(writer: random.next())
        return partitions[partition].assignment
    }

    /// Adopts the content of a partition's ledger. Work on the partition begins when the ledger has confirmed the new owner. If
    /// a hub's label means another hub in the ledger, the partition is refused: none of its records is processed.
    ///
    /// - Parameters:
    ///   - restored: The content of the partition's ledger. It is ignored if its assignment is over.
    ///   - now: The current time.
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
        let pushes = index.removePushes()
        stories.restore(index, of: partition)
        tally.restore(pushes, now: now)
        partitions[partition].wasRead(restored, hubs: configuration.hubAddresses.merged(into: recordedHubs))
        let hasCrashed = partitions[partition].hasCrashedOwner
        restoredLate[partition, default: []] += restored.late
        restoredWaits[partition] = restored.waiting.map { story in
            var entry = WaitingStories.Entry(
                story.events,
                at: story.ledgerOffset,
                hubs: hubNames,
                mayHaveBeenSent: story.events.contains { event in
                    event.isSuspected || hasCrashed && mayHaveBegun(event, from: partition, now: now)
                }
            )
            for event in story.events where event.reason == .volumeLimit {
                entry.resumed += pauses.resumed(since: event.consumedAt)
            }
            let isForHubs = !entry.isExpress && entry.hubs != 0
            let isOver = story.events.contains { !waits($0, from: partition) && !(isForHubs && $0.reason == .hub) }
            return (WaitingStories.Key(partition: partition, story: story.key), entry, story.isAnyOver || isOver)
        }
        if let term = partitions[partition].claimedTerm {
            return workIfOwned(partition, ledgerOffset: term, now: now)
        }
        ledger.own(partition, owner(of: partition))
        if !configuration.keepsLedger { workIfOwned(partition, ledgerOffset: 0, now: now) }
    }

    /// Whether the cause for which an event waits in the ledger still applies.
    private func waits(_ event: StoryFacts.Waiting, from partition: PartitionID) -> Bool {
        switch event.reason {
        case .embargo, .approval, .quietHours: event.until != nil
        case .pause, .volumeLimit: pauses.isPaused(event.source, in: source(of: partition), at: event.offset)
        case .embargoDropped: !pauses.isResumed(source(of: partition), event.offset)
        case .retry, .hub, .turn: false
        }
    }

    /// Whether an event that waits in the ledger may have been sent before its earlier owner crashed.
    ///
    /// A wait until a time was over for the earlier owner if its civil clock showed that time, even if the clock was set back
    /// since.
    private func mayHaveBegun(_ event: StoryFacts.Waiting, from partition: PartitionID, now: Moment) -> Bool {
        switch event.reason {
        case .embargo, .approval, .quietHours: event.until.map { $0 <= max(now.wall, latestWall) } ?? true
        case .pause, .volumeLimit:
            !pauses.isPaused(event.source, in: source(of: partition), at: event.offset, since: event.pausedAt)
        case .embargoDropped: pauses.isResumed(source(of: partition), event.offset)
        case .retry, .hub, .turn: true
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

    /// Starts processing a partition after the ledger has confirmed this worker's owner record.
    ///
    /// - Parameters:
    ///   - partition: The partition.
    ///   - ledgerOffset: The offset of that record; records at lower offsets are from earlier owners.
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
            if isOver {
                waiting.enqueue(key)
            } else {
                for hub in hubs.indices where entry.waits(for: hub) { hubs[hub].addToBacklog(key) }
            }
        }
        waiting.fallDue(at: now.wall)
        recallWaiting(now)
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

    /// Begins to give partitions back. No request begins for them, events without a request in flight are dropped for their
    /// next owner, and answers to requests in flight are awaited.
    ///
    /// - Parameters:
    ///   - leaving: The partitions to give back.
    ///   - limit: The end of the wait for answers. Requests in flight then are recorded as possibly accepted.
    ///   - isLost: Whether others may own the partitions already.
    ///   - now: The current time.
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

    /// Drops the events of draining partitions that have no request in flight and have not ended.
    mutating func dropWhatLeaves() {
        guard partitions.isAnyDraining else { return }
        for event in sortedEvents(where: { isDraining($0.place.partition) && !$0.isInFlight && mayBeDropped($0) }) {
            drop(event)
        }
        for partition in partitions.draining where !hasWork(in: partition) { sayThatLeft(partition) }
    }

    /// Whether the next owner of a draining partition goes on with an event. If the partition is lost, the next owner decides
    /// on all events that have not ended.
    private func mayBeDropped(_ event: Event) -> Bool {
        event.isAlive || event.isCancelled && partitions[event.place.partition].isLost
    }

    private func isDraining(_ partition: PartitionID) -> Bool {
        partitions[partition].phase == .draining
    }

    /// Whether an event of a partition still has to be answered or recorded.
    private func hasWork(in partition: PartitionID) -> Bool {
        events.values.contains { $0.place.partition == partition } || writes.contains(of: [partition])
    }

    /// Writes once into the ledger of a partition that it was given back in order.
    private mutating func sayThatLeft(_ partition: PartitionID) {
        guard configuration.keepsLedger, partitions[partition].writeThatLeft() else { return }
        var owner = owner(of: partition)
        owner.term = partitions[partition].beganTerm
        if let before = partitions[partition].ownerBefore(as: owner) { return ledger.own(partition, before) }
        // The next owner must check records that a crashed owner may have sent and that this worker has not passed.
        owner.hasLeft = !partitions[partition].isExposed(partitions[partition].watermark ?? 0)
        owner.isSettled = !hasWork(in: partition) && partitions[partition].hasSettledEarlierOutcomes
        owner.processed = partitions[partition].uncommittedBare
        ledger.leave(partition, owner)
    }

    /// Forgets an event that the next owner of its partition goes on with.
    mutating func drop(_ event: Event) {
        let story = event.story
        if let offset = event.openOffset { story.dropped.append(offset) }
        if event.isAlive, event.requestCounts.accepted > 0 { story.facts.recordBegun(event.news.act) }
        events[event.id] = nil
        if event.isAhead { ahead.remove(event.place.offset, of: event.place.partition) }
        story.remove(event.id)
        if case .recording = event.state { story.holders -= 1 }
    }

    /// Records the requests in flight of a partition as possibly accepted, and cancels them.
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
                    request.plan.audience,
                    AudienceFact.Act(of: event.news, at: now.wall),
                    unanswered: request.unknowns + 1
                )
            }
            ledger.changed(event.story)
            drop(event)
        }
        dropWhatLeaves()
    }

    /// Whether no request of these partitions is in flight and no write of them is unconfirmed.
    package func isDrained(_ leaving: [PartitionID]) -> Bool {
        let gone = Set(leaving)
        return !events.values.contains { gone.contains($0.place.partition) } && !writes.contains(of: gone)
            && leaving.allSatisfy {
                ledger.isDone($0) && (!configuration.keepsLedger || partitions[$0].needsNoOwnerRecord)
            }
    }

    /// Gives partitions up, even if work is open. Requests in flight are cancelled if possible.
    ///
    /// - Returns: The offsets that may be committed for them.
    package mutating func leave(_ leaving: [PartitionID], now: Moment) -> [TopicPartition: Int64] {
        var offsets: [TopicPartition: Int64] = [:]
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
        tally.forgetExemptions { gone.contains($0.partition) }
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

    /// Receives the broker's answer to a commit. A failed commit is repeated with the next one.
    package mutating func commitEnded(_ sources: [TopicPartition], succeeded: Bool, now: Moment) {
        for source in sources { partitions.commitEnded(source, succeeded: succeeded) }
    }

    mutating func commitIfDue(_ now: Moment) {
        guard partitions.hasMoved else { return }
        if let nextCommit, nextCommit > now.instant { return }
        let offsets = partitions.beginCommits()
        guard !offsets.isEmpty else { return }
        nextCommit = now.instant + configuration.commitInterval
        actions.append(.commit(offsets))
    }
}
