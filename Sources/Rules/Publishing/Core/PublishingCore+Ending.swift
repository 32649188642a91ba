import NewsEvents
import Timestamps

extension PublishingCore {
    /// Ends an event as soon as none of its requests is under way.
    mutating func cancel(_ id: EventID, by verdict: EventVerdict, now: Moment) {
        guard let event = events[id], event.isAlive else { return }
        events.update(id) { $0.phase = .ended(verdict) }
        if !event.isInFlight { conclude(id, now: now) }
    }

    /// Ends an event of which nothing is in flight: by its targets, or by what cancelled it.
    mutating func conclude(_ id: EventID, now: Moment) {
        guard let event = events[id] else { return }
        var cancelled: EventVerdict?
        if case .ended(let verdict) = event.phase { cancelled = verdict }
        let accepted = event.targets.count { $0.report.status == .accepted }
        let failed = event.targets.first { $0.isSettled && $0.phase != .settled(.accepted) }
        let reason =
            if case .settled(let end) = failed?.phase { end.rawValue } else { Event.Target.Settlement.refused.rawValue }
        let verdict: EventVerdict
        if event.isPlanned, accepted == event.targets.count {
            verdict = EventVerdict(.sent)
        } else if accepted > 0 {
            verdict = EventVerdict(
                .partial,
                cancelled?.reason ?? "partial.\(reason)",
                cancelled?.detail ?? failed?.report.error
            )
        } else {
            verdict = cancelled ?? EventVerdict(.failed, "failed.\(reason)", failed?.report.error)
        }
        end(id, verdict, stage: .send, now: now)
    }

    /// Ends an event: its story takes note, its records are written, and the event that follows has its turn.
    mutating func end(_ id: EventID, _ verdict: EventVerdict, stage: DeadLetter.Stage, now: Moment) {
        guard let event = events[id] else { return }
        events.update(id) { $0.phase = .writing(verdict) }
        let outcome = outcomeRecord(of: event, verdict, now: now)
        let lowestOpen = lowestOpen(of: event.story, without: id)
        stories.update(event.story) { story in
            story.record.take(event, verdict, now: now.wall)
            story.record.done.finish(event.place.offset, lowestOpen: lowestOpen)
            let isFirstWord = event.mayHaveBeenSent && story.toldText.isEmpty
            if verdict.isTold || isFirstWord, !event.news.text.isEmpty { story.text = event.news.text }
        }
        actions.append(.report(.ended(outcome)))
        writeStory(
            .end(id),
            event.story,
            outcome: outcome,
            deadLetter: verdict.isDeadLetter ? stage : nil,
            original: event.original,
            now: now
        )
        passTurn(from: id, of: event.story, now: now)
    }

    /// Lets the next event of a story have its turn, if it was this one's.
    private mutating func passTurn(from id: EventID, of story: StoryID, now: Moment) {
        let next = stories.update(story) { story -> EventID? in
            guard story.current == id else { return nil }
            story.current = story.next
            story.next = nil
            return story.current
        }
        if case .some(.some(let next)) = next { takeTurn(next, now: now) }
    }

    /// Writes the outcome once more of an event that the ledger knows as ended.
    mutating func endAgain(_ id: EventID, _ verdict: EventVerdict, sent: [StoryRecord.Sent], now: Moment) {
        guard let event = events[id] else { return }
        events.update(id) { $0.phase = .writing(verdict) }
        var outcome = outcomeRecord(of: event, verdict, now: now)
        outcome.timing = OutcomeRecord.Timing()
        outcome.warnings.append("ledger.recognized")
        outcome.targets = sent.filter { $0.revision == event.news.revision }.map(OutcomeRecord.Target.init)
        write(
            .end(id),
            of: event.place.partition,
            story: event.story,
            nil,
            outcome: outcome,
            deadLetter: verdict.isDeadLetter ? .send : nil,
            original: event.original,
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
        story: StoryID?,
        now: Moment
    ) {
        let outcome = OutcomeRecord(of: rejection, origin: origin(of: place), config: rules.digest, at: now.wall)
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
        var outcome = OutcomeRecord(
            of: event.news,
            verdict: verdict,
            origin: origin(of: event.place),
            config: event.rules.digest,
            at: now.wall
        )
        func milliseconds(_ instant: Timestamp?) -> Double? {
            instant.map { ($0 - event.news.published).inSeconds * 1000 }
        }
        outcome.timing.consumed = milliseconds(event.consumedAt)
        outcome.timing.firstSend = milliseconds(event.firstSendAt)
        outcome.timing.firstAccept = milliseconds(event.firstAcceptAt)
        outcome.timing.lastAccept = milliseconds(event.lastAcceptAt)
        outcome.targets = event.targets.map { OutcomeRecord.Target($0) }
        outcome.warnings = event.warnings + event.planWarnings
        return outcome
    }

    /// The lowest source offset of a story that is begun and not done, or may not have been read yet.
    func lowestOpen(of id: StoryID, without ended: EventID) -> Int64? {
        guard let story = stories[id] else { return nil }
        let frontier = partitions.frontier(of: story.partition)
        var lowest = frontier
        func consider(_ id: EventID?) {
            guard let id, id != ended, let offset = events.openOffset(of: id) else { return }
            lowest = min(lowest, offset)
        }
        consider(story.current)
        consider(story.next)
        story.arrivals?.forEach(consider)
        return lowest
    }

    // MARK: - Writing

    /// Writes a story's record together with what ends or parks an event of it.
    mutating func writeStory(
        _ purpose: Writes.Purpose,
        _ id: StoryID,
        outcome: OutcomeRecord?,
        deadLetter: DeadLetter.Stage? = nil,
        original: (any OriginalRecord)? = nil,
        now: Moment
    ) {
        stories.update(id) { [partitions] in
            $0.record.forgetClosings(below: partitions.watermark(of: $0.partition) ?? 0)
        }
        guard let story = stories[id] else { return }
        let ledger = configuration.keepsLedger ? LedgerWrite(story: story.name, record: story.record) : nil
        write(
            purpose,
            of: story.partition,
            story: id,
            ledger,
            outcome: outcome,
            deadLetter: deadLetter,
            original: original,
            now: now
        )
    }

    mutating func write(
        _ purpose: Writes.Purpose,
        of partition: PartitionID,
        story: StoryID?,
        _ ledger: LedgerWrite?,
        outcome: OutcomeRecord? = nil,
        deadLetter: DeadLetter.Stage? = nil,
        original: (any OriginalRecord)? = nil,
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
        if let story { stories.update(story) { $0.writes += 1 } }
        var pending = Writes.Pending(
            purpose: purpose,
            partition: partition,
            story: story,
            order: order,
            since: now.instant
        )
        if case .end(let id) = purpose { pending.isAtRisk = events[id]?.mayHaveBeenSent == true }
        writes.insert(pending)
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
    package mutating func areRemembered(_ orders: [WriteID]) {
        for id in orders { writes.isRemembered(id) }
    }

    /// Takes the broker's confirmations.
    package mutating func writesEnded(_ results: [WriteResult], now: Moment) {
        for result in results {
            guard let write = writes[result.id] else { continue }
            if let failure = result.failure {
                writeFailed(write, failure, now: now)
            } else {
                _ = writes.remove(result.id)
                confirmed(write, ledgerOffset: result.ledgerOffset, now: now)
            }
        }
        pump(now)
        commitIfDue(now)
    }

    private mutating func writeFailed(_ write: Writes.Pending, _ failure: String, now: Moment) {
        let failures = writes.failed(write.order.id)
        let delay = configuration.retry.delay(afterFailures: failures, using: &random)
        delays.set(.rewrite(write.order.id), at: now.instant + delay)
        let event = write.order.outcome?.event ?? ""
        actions.append(.report(.writeFailed(event: event, detail: failure, at: now.wall + delay)))
    }

    private mutating func confirmed(_ write: Writes.Pending, ledgerOffset: Int64?, now: Moment) {
        if let story = write.story {
            stories.update(story) { story in
                story.writes -= 1
                story.ledgerOffset = max(story.ledgerOffset, ledgerOffset ?? -1)
            }
        }
        switch write.purpose {
        case .end(let id):
            if let event = events[id] {
                // An event that had waited lies in the ledger until its end is told: its offset is done already, so after a
                // crash nothing else would bring it back.
                let isKept = stories.update(event.story) { $0.record.close(event.place.offset, now: now.wall) }
                if isKept == true { writeStory(.ledger, event.story, outcome: nil, now: now) }
                // The offset of a parked event was done when the ledger had it.
                if !event.isParked { partitions.complete(event.place) }
                if event.isAhead { ahead.remove(event.place.offset, of: event.place.partition) }
                events.remove(id)
            }
        case .park(let place), .unreadable(let place):
            partitions.complete(place)
        case .ledger:
            break
        }
        if let story = write.story { stories.closeIfIdle(story) }
    }

    /// Whether the records of an order are still to be confirmed.
    package func isAwaited(_ id: WriteID) -> Bool {
        writes.contains(id)
    }
}
