import NewsEvents
import Timestamps

extension PublishingCore {
    /// The name of a source partition in this machine.
    package mutating func partition(_ source: SourcePartition) -> PartitionID {
        partitions.id(of: source)
    }

    /// The partition of that name.
    package func source(of partition: PartitionID) -> SourcePartition {
        partitions.source(of: partition)
    }

    /// The partitions that are ours and restored.
    package var workingPartitions: [SourcePartition] {
        partitions.ours.lazy.filter { $0.phase == .working }.map(\.source)
    }

    /// Takes a partition over, before the first record of it comes. Nothing of it is worked on before
    /// ``restored(_:now:)``.
    ///
    /// - Returns: The number of the assignment, to be given back with what was restored.
    package mutating func assign(_ partition: PartitionID) -> UInt32 {
        // A partition may come back without having been heard to leave.
        if partitions.phase(of: partition) != .away { _ = leave([partition]) }
        return partitions.assign(partition)
    }

    /// Takes up what the ledger of a partition says, and begins to work on it.
    ///
    /// - Parameters:
    ///   - ledger: All that its partition holds; one for an assignment that is over is passed over.
    ///   - now: The present.
    package mutating func restored(_ ledger: RestoredLedger, now: Moment) {
        guard partitions.isRestoring(ledger.partition, assignment: ledger.assignment) else { return }
        var table = ledger.stories
        let pushes = table.takePushes()
        stories.restore(table, of: ledger.partition)
        tally.restore(pushes, now: now)
        let early = partitions.work(on: ledger.partition, trustsLedger: ledger.fitsSource)
        for story in ledger.waiting { resume(story, of: ledger.partition, now: now) }
        let source = partitions.source(of: ledger.partition)
        actions.append(
            .report(.restored(source, stories: ledger.stories.count, waiting: ledger.waiting.count))
        )
        actions.append(.flow(ledger.partition))
        take(early, now: now)
    }

    /// Takes up the events of one story that waited in the ledger.
    private mutating func resume(
        _ story: (name: String, record: StoryRecord, ledgerOffset: Int64, events: [IncomingRecord]),
        of partition: PartitionID,
        now: Moment
    ) {
        let live = stories.open(story.name, of: partition, as: story.record, ledgerOffset: story.ledgerOffset)
        for (waiting, record) in zip(story.record.waiting, story.events) {
            let place = RecordPlace(
                partition: partition,
                offset: record.offset,
                reading: partitions.reading(of: partition),
                timestamp: record.timestamp
            )
            switch record.content {
            case .event(let news, let warnings):
                let event = Event(
                    events.nextID,
                    news,
                    digest: ContentDigest(of: news),
                    warnings: warnings,
                    place: place,
                    story: live,
                    rules: rules,
                    consumedAt: waiting.consumedAt,
                    original: record.original
                )
                events.insert(event)
                event.keptFor = waiting.reason
                if let closing = story.record.closing.first(where: { $0.offset == record.offset }) {
                    // It had ended, and nobody was told.
                    endAgain(event, closing.verdict, sent: story.record.sent, now: now)
                    continue
                }
                supersede(live, by: EventVerdict(.superseded, "superseded.revision"), now: now)
                join(event, now: now)
            case .rejected(let rejection):
                // It was read once, so it is the reader that has changed.
                live.record.waiting.removeAll { $0.offset == record.offset }
                endUnreadable(rejection, place: place, original: record.original, story: live, now: now)
            case .tombstone:
                continue
            }
        }
        stories.closeIfIdle(live)
    }

    /// Takes up what was read for events that wait for it.
    package mutating func recalled(_ story: RecalledStory, now: Moment) {
        guard let live = stories[story.story], let arrivals = live.arrivals else { return }
        let intruder = live.intruder
        if let record = story.record { live.record = record }
        if let intruder { live.record.merge(intruder.record) }
        live.text = story.text ?? live.text
        live.arrivals = nil
        live.intruder = nil
        // The first of several may end at once, and the others still need it.
        live.ties.holders += 1
        if intruder != nil { repair(live, now: now) }
        for event in arrivals.compactMap({ events[$0] }) { decide(event, now: now) }
        live.ties.holders -= 1
        stories.closeIfIdle(live)
    }

    /// Takes note of a record that another writer put into the ledger of a partition of ours, and mends it where it knows
    /// less than we do.
    ///
    /// - Parameters:
    ///   - record: What it says of the story.
    ///   - name: The story.
    ///   - partition: Ours.
    ///   - offset: Where it lies in the ledger.
    ///   - now: The present.
    package mutating func overwritten(
        _ record: StoryRecord,
        of name: String,
        in partition: PartitionID,
        at offset: Int64,
        now: Moment
    ) {
        guard partitions.phase(of: partition) == .working else { return }
        switch stories.open(name, of: partition, orElse: record) {
        case .known(let live):
            if live.arrivals == nil {
                live.record.merge(record)
                if live.record != record { repair(live, now: now) }
            } else {
                live.intruder = LiveStory.Intruder(record)
            }
            stories.closeIfIdle(live)
        case .unread(let live):
            live.intruder = LiveStory.Intruder(record)
            recall(live, at: .ledger(live.ledgerOffset))
        }
    }

    private mutating func repair(_ story: LiveStory, now: Moment) {
        let ledger = LedgerWrite(story: story.name, record: story.record)
        write(.ledger, of: story.partition, story: story, ledger, now: now)
        actions.append(.report(.repaired(story: story.name, partitions.source(of: story.partition))))
    }

    /// Begins to leave partitions: what has no request under way is dropped for their next owner, to whom the ledger says
    /// what is done.
    ///
    /// - Parameters:
    ///   - leaving: Those that leave.
    ///   - now: The present.
    package mutating func beginDraining(_ leaving: [PartitionID], now: Moment) {
        for partition in leaving { partitions.drain(partition) }
        dropWhatNeedNotBeFinished()
    }

    /// Drops what of leaving partitions has no request under way and has not ended.
    mutating func dropWhatNeedNotBeFinished() {
        guard partitions.isAnyDraining else { return }
        for event in events.all(where: { isDraining($0.place.partition) && $0.isAlive && !$0.isInFlight }) {
            events.remove(event)
        }
    }

    private func isDraining(_ partition: PartitionID) -> Bool {
        partitions.phase(of: partition) == .draining
    }

    /// Whether nothing of these partitions is in flight or waits to be confirmed.
    package func isDrained(_ leaving: [PartitionID]) -> Bool {
        let leaving = Set(leaving)
        return !events.contains { leaving.contains($0.place.partition) } && !writes.contains(of: leaving)
    }

    /// Leaves partitions, whatever of them is still open. Requests under way are ended where that is possible.
    ///
    /// - Returns: What may be committed for them.
    package mutating func leave(_ leaving: [PartitionID]) -> [SourcePartition: Int64] {
        var offsets: [SourcePartition: Int64] = [:]
        let gone = Set(leaving)
        var flights: [SendID] = []
        for desk in desks.indices {
            flights += desks[desk].cancel { [events] in events[$0].map { gone.contains($0.place.partition) } ?? false }
        }
        if !flights.isEmpty { actions.append(.cancel(flights)) }
        for event in events.all(where: { gone.contains($0.place.partition) }) { events.remove(event) }
        writes.forget(gone)
        for partition in gone {
            if let offset = partitions.leave(partition) { offsets[partitions.source(of: partition)] = offset }
            stories.forget(partition)
            ahead.forget(partition)
        }
        return offsets
    }

    /// Takes the broker's answer to a commit; one that failed is tried again with the next.
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
