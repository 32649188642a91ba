import NewsEvents
import Timestamps

extension PublishingCore {
    /// Ends an event as soon as none of its requests is under way.
    mutating func cancel(_ event: Event, by verdict: EventVerdict, now: Moment) {
        guard event.isAlive else { return }
        event.phase = .ended(verdict)
        let standing = event.standing
        if standing.inFlight == 0 { conclude(event, standing, now: now) }
    }

    /// Ends an event of which nothing is in flight: by its targets, or by what cancelled it.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - standing: How its requests stand.
    ///   - now: The present.
    mutating func conclude(_ event: Event, _ standing: Event.Standing, now: Moment) {
        if standing.isAccepted { return end(event, EventVerdict(.sent), stage: .send, standing, now: now) }
        var cancelled: EventVerdict?
        if case .ended(let verdict) = event.phase { cancelled = verdict }
        let verdict: EventVerdict
        let failed = event.targets.first { $0.isSettled && $0.phase != .settled(.accepted) }
        let reason =
            if case .settled(let end) = failed?.phase { end.rawValue } else { Event.Target.Settlement.refused.rawValue }
        if standing.accepted > 0 {
            verdict = EventVerdict(
                .partial,
                cancelled?.reason ?? "partial.\(reason)",
                cancelled?.detail ?? failed?.report.error
            )
        } else {
            verdict = cancelled ?? EventVerdict(.failed, "failed.\(reason)", failed?.report.error)
        }
        end(event, verdict, stage: .send, standing, now: now)
    }

    /// Ends an event: its story takes note, its records are written, and the event that follows has its turn.
    mutating func end(_ event: Event, _ verdict: EventVerdict, stage: DeadLetter.Stage, now: Moment) {
        end(event, verdict, stage: stage, event.standing, now: now)
    }

    /// Ends an event of whose requests it is known how they stand.
    private mutating func end(
        _ event: Event,
        _ verdict: EventVerdict,
        stage: DeadLetter.Stage,
        _ standing: Event.Standing,
        now: Moment
    ) {
        let story = event.story
        let mayHaveBeenSent = standing.mayHaveBeenSent
        let outcome = outcomeRecord(of: event, verdict, now: now)
        let lowestOpen = lowestOpen(besides: event)
        // Looks at the phase in which the event came to its end.
        story.record.take(event, standing, verdict, lowestOpen: lowestOpen, now: now.wall)
        event.phase = .writing(verdict)
        if !event.news.text.isEmpty, verdict.isTold || mayHaveBeenSent && story.toldText.isEmpty {
            story.text = event.news.text
        }
        actions.append(.report(.ended(outcome)))
        writeStory(
            .end(event.id),
            story,
            outcome: outcome,
            deadLetter: verdict.isDeadLetter ? stage : nil,
            original: event.original,
            isAtRisk: mayHaveBeenSent,
            now: now
        )
        passTurn(from: event, now: now)
    }

    /// Lets the next event of a story have its turn, if it was this one's.
    private mutating func passTurn(from event: Event, now: Moment) {
        let story = event.story
        let turns = story.turns
        guard turns.current == event.id else { return }
        story.turns = LiveStory.Turns(current: turns.next)
        if let next = turns.next.flatMap({ events[$0] }) { takeTurn(next, now: now) }
    }

    /// Writes the outcome once more of an event that the ledger knows as ended.
    mutating func endAgain(_ event: Event, _ verdict: EventVerdict, sent: [StoryRecord.Sent], now: Moment) {
        event.phase = .writing(verdict)
        var outcome = outcomeRecord(of: event, verdict, now: now)
        outcome.timing = OutcomeRecord.Timing()
        outcome.warnings.append("ledger.recognized")
        // Of each target the ledger knows the last revision only, which may be a later one by now.
        let own = sent.filter { $0.revision == event.news.revision }
        let later = verdict.isTold && own.isEmpty ? sent.filter { $0.revision > event.news.revision } : []
        outcome.targets = (own + later).map(OutcomeRecord.Target.init)
        write(
            .end(event.id),
            of: event.place.partition,
            story: event.story,
            nil,
            outcome: outcome,
            deadLetter: verdict.isDeadLetter ? .send : nil,
            original: event.original,
            isAtRisk: event.mayHaveBeenSent,
            now: now
        )
    }

    /// Ends a record that could not be read.
    ///
    /// - Parameters:
    ///   - rejection: What is wrong with it.
    ///   - place: Where it stands.
    ///   - original: Its bytes.
    ///   - story: Where its bytes waited in the ledger, if they did.
    ///   - now: The present.
    mutating func endUnreadable(
        _ rejection: EventRejection,
        place: RecordPlace,
        original: any OriginalRecord,
        story: LiveStory?,
        now: Moment
    ) {
        let outcome = OutcomeRecord(
            of: rejection,
            origin: origin(of: place),
            config: rules.digest,
            at: now.wall,
            traceparent: original.traceparent
        )
        actions.append(.report(.ended(outcome)))
        if let story {
            writeStory(.unreadable(place), story, outcome: outcome, deadLetter: .decode, original: original, now: now)
        } else {
            write(
                .unreadable(place),
                of: place.partition,
                story: nil,
                nil,
                outcome: outcome,
                deadLetter: .decode,
                original: original,
                now: now
            )
        }
    }

    func origin(of place: RecordPlace) -> RecordOrigin {
        RecordOrigin(
            partition: partitions.source(of: place.partition),
            offset: place.offset,
            timestamp: place.timestamp
        )
    }

    func outcomeRecord(of event: Event, _ verdict: EventVerdict, now: Moment) -> OutcomeRecord {
        if let rejection = event.rejected?.rejection {
            return OutcomeRecord(
                of: rejection,
                origin: origin(of: event.place),
                config: event.rules.digest,
                at: now.wall,
                traceparent: event.original.traceparent
            )
        }
        return OutcomeRecord(
            of: event.news,
            verdict: verdict,
            origin: origin(of: event.place),
            config: event.rules.digest,
            at: now.wall,
            timing: event.timing,
            targets: event.outcomeTargets,
            warnings: event.allWarnings,
            isSecure: event.story.record.isSecure,
            traceparent: event.original.traceparent
        )
    }

    /// The lowest source offset of an event's story that is begun and not done, or may not have been read yet, where the
    /// event itself is done.
    func lowestOpen(besides event: Event) -> Int64 {
        let story = event.story
        var lowest = partitions.frontier(of: story.partition)
        func consider(_ id: EventID?) {
            guard let id, id != event.id, let offset = events[id]?.openOffset else { return }
            lowest = min(lowest, offset)
        }
        let turns = story.turns
        consider(turns.current)
        consider(turns.next)
        story.arrivals?.forEach(consider)
        return lowest
    }

    // MARK: - Writing

    /// Writes a story's record together with what ends or parks an event of it.
    mutating func writeStory(
        _ purpose: Writes.Purpose,
        _ story: LiveStory,
        outcome: consuming OutcomeRecord?,
        deadLetter: DeadLetter.Stage? = nil,
        original: (any OriginalRecord)? = nil,
        isAtRisk: Bool = false,
        now: Moment
    ) {
        story.record.forgetClosings(below: partitions.watermark(of: story.partition) ?? 0)
        let order = WriteOrder(
            id: WriteID(nextNumber()),
            partition: story.partition,
            ledger: configuration.keepsLedger ? LedgerWrite(story: story.name, record: story.record) : nil,
            outcome: outcome,
            deadLetter: deadLetter,
            original: deadLetter == nil ? nil : original
        )
        handOut(order, for: purpose, of: story, isAtRisk: isAtRisk, now: now)
    }

    /// Hands a list of records out.
    ///
    /// - Parameters:
    ///   - purpose: What it is for.
    ///   - partition: Whose ledger it concerns.
    ///   - story: Stays at hand until the list is confirmed.
    ///   - ledger: The story's record, or a tombstone.
    ///   - outcome: What became of the event.
    ///   - deadLetter: Where in its way the event ended, if the original goes to the dead letters.
    ///   - original: The source record.
    ///   - isAtRisk: Whether the hub may have taken what the ledger does not know yet.
    ///   - now: The present.
    mutating func write(
        _ purpose: Writes.Purpose,
        of partition: PartitionID,
        story: LiveStory?,
        _ ledger: consuming LedgerWrite?,
        outcome: consuming OutcomeRecord? = nil,
        deadLetter: DeadLetter.Stage? = nil,
        original: (any OriginalRecord)? = nil,
        isAtRisk: Bool = false,
        now: Moment
    ) {
        let order = WriteOrder(
            id: WriteID(nextNumber()),
            partition: partition,
            ledger: ledger,
            outcome: outcome,
            deadLetter: deadLetter,
            original: deadLetter == nil ? nil : original
        )
        handOut(order, for: purpose, of: story, isAtRisk: isAtRisk, now: now)
    }

    /// Hands a list of records out for the first time.
    private mutating func handOut(
        _ order: WriteOrder,
        for purpose: Writes.Purpose,
        of story: LiveStory?,
        isAtRisk: Bool,
        now: Moment
    ) {
        var isAwaited = false
        if case .end = purpose, story != nil, order.ledger != nil, !isAtRisk { isAwaited = true }
        story?.ties.noteWrite(isAwaited: isAwaited)
        writes.insert(
            Writes.Pending(
                purpose: purpose,
                partition: order.partition,
                story: story?.id,
                order: order,
                since: now.instant,
                isAtRisk: isAtRisk,
                isAwaitedByStory: isAwaited
            )
        )
        actions.append(.write(order))
    }

    /// Writes a list of records once more, with the story as it is by now: an older state must not follow a newer one.
    mutating func rewrite(_ id: WriteID) {
        guard let write = writes[id] else { return }
        guard write.order.ledger?.record != nil, let story = write.story.flatMap({ stories[$0] }) else {
            return actions.append(.write(write.order))
        }
        actions.append(.write(write.order.with(story.record)))
    }

    /// Takes note of orders whose record the ledger has; of their other records it is not known yet.
    package mutating func areRemembered(_ orders: [WriteID], now: Moment) {
        for id in orders {
            guard let story = writes.isRemembered(id, now: now.instant).flatMap({ stories[$0] }) else { continue }
            endIsRemembered(of: story, now: now)
        }
    }

    /// Takes note that the ledger knows of an end without a push; the event that follows in the story may have its turn now.
    private mutating func endIsRemembered(of story: LiveStory, now: Moment) {
        story.ties.unremembered -= 1
        guard story.ties.unremembered == 0, let next = story.turns.current.flatMap({ events[$0] }),
            next.phase == .waiting(.ledger)
        else { return }
        takeTurn(next, now: now)
    }

    /// Takes the broker's confirmations.
    package mutating func writesEnded(_ results: [WriteResult], now: Moment) {
        for index in results.indices {
            let id = results[index].id
            if let failure = results[index].failure {
                writeFailed(id, failure, now: now)
            } else if let write = writes.remove(id, now: now.instant) {
                confirmed(write, ledgerOffset: results[index].ledgerOffset, now: now)
            }
        }
    }

    private mutating func writeFailed(_ id: WriteID, _ failure: String, now: Moment) {
        guard let write = writes[id] else { return }
        let failures = writes.failed(id)
        let delay = configuration.retry.delay(afterFailures: failures, using: &random)
        delays.set(.rewrite(id), at: now.instant + delay)
        let event = write.order.outcome?.event ?? ""
        actions.append(.report(.writeFailed(event: event, detail: failure, at: now.wall + delay)))
    }

    private mutating func confirmed(_ write: Writes.Pending, ledgerOffset: Int64?, now: Moment) {
        let story = write.story.flatMap { stories[$0] }
        if let story {
            story.ties.writes -= 1
            story.ledgerOffset = max(story.ledgerOffset, ledgerOffset ?? -1)
            if write.isAwaitedByStory { endIsRemembered(of: story, now: now) }
        }
        switch write.purpose {
        case .end(let id):
            if let event = events[id] { endIsTold(event, now: now) }
        case .park(let place), .unreadable(let place):
            partitions.complete(place)
        case .ledger:
            break
        }
        if let story { stories.closeIfIdle(story) }
    }

    /// Forgets an event whose records are all confirmed.
    private mutating func endIsTold(_ event: Event, now: Moment) {
        // An event that had waited lies in the ledger until its end is told: its offset is done already, so after a crash
        // nothing else would bring it back.
        let isKept = event.story.record.close(event.place.offset, now: now.wall)
        if isKept { writeStory(.ledger, event.story, outcome: nil, now: now) }
        // The offset of a parked event was done when the ledger had it.
        if !event.isParked { partitions.complete(event.place) }
        if event.isAhead { ahead.remove(event.place.offset, of: event.place.partition) }
        events.remove(event)
    }

    /// Whether the records of an order are still to be confirmed.
    package func isAwaited(_ id: WriteID) -> Bool {
        writes.contains(id)
    }
}
