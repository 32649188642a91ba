import NewsflashEvents
import NewsflashTimestamps

extension PublishingCore {
    // MARK: - Ends

    /// Ends an event as soon as none of its requests is in flight.
    mutating func cancel(_ event: Event, by verdict: EventVerdict, now: Moment) {
        guard event.isAlive else { return }
        planIfBegun(event, now: now)
        let requestCounts = event.requestCounts
        if requestCounts.inFlight > 0 {
            event.move(.cancel(verdict))
        } else {
            conclude(event, requestCounts, cancelledBy: verdict, now: now)
        }
    }

    /// Plans an event whose requests began before it was removed from memory, so that its outcome contains their results.
    func planIfBegun(_ event: Event, now: Moment) {
        let facts = event.story.facts
        guard !event.isPlanned,
            facts.audiences.contains(where: { $0.act.id == event.news.act && $0.isNotified }),
            case .send(let sends, _) = plan(event, facts: event.story.known, loudness: .usual, now: now)
        else { return }
        event.requests = requests(for: sends, of: event, facts: facts)
        event.acceptedBefore = facts.accepted(event.news, besides: sends)
    }

    /// Ends an event without a request in flight: by its requests, or by the verdict that cancelled it.
    mutating func conclude(
        _ event: Event,
        _ requestCounts: Event.RequestCounts,
        cancelledBy verdict: EventVerdict? = nil,
        now: Moment
    ) {
        if requestCounts.isAccepted { return end(event, EventVerdict(.sent), stage: .send, now: now) }
        var cancelled = verdict
        if case .ending(let verdict) = event.state { cancelled = verdict }
        let failed = event.requests.first { $0.isSettled && !$0.isAccepted }
        // A missing hub must be configured again by a person, so this reason goes before others.
        let lacksHub = !event.unreachable.isEmpty || event.requests.contains { $0.state == .settled(.hubRemoved) }
        var settlement = lacksHub ? Request.Settlement.hubRemoved : .refused
        if !lacksHub, case .settled(let other) = failed?.state { settlement = other }
        let reason = settlement.rawValue
        let isSuperseded = cancelled?.reason == "superseded.revision"
        if requestCounts.accepted > 0 {
            let verdict = EventVerdict(
                .partial,
                cancelled?.reason ?? "partial.\(reason)",
                cancelled?.detail ?? failed?.report.error
            )
            end(event, verdict, stage: .send, owes: isSuperseded, now: now)
        } else if let cancelled {
            end(event, cancelled, stage: .send, owes: isSuperseded && requestCounts.mayHaveBeenSent, now: now)
        } else {
            end(event, EventVerdict(.failed, "failed.\(reason)", failed?.report.error), stage: .send, now: now)
        }
    }

    /// Ends an event: the facts of its story change, its outcome is written when the ledger has them, and the next event of the
    /// story gets its turn.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - verdict: Its outcome.
    ///   - stage: The stage at which the outcome was decided.
    ///   - owes: Whether the next event must notify the audiences that this one did not reach.
    ///   - now: The current time.
    mutating func end(
        _ event: Event,
        _ verdict: EventVerdict,
        stage: DeadLetter.Stage,
        owes: Bool = false,
        now: Moment
    ) {
        let story = event.story
        var verdict = verdict
        let hasSuspects = verdict.outcome != .duplicate && recordIfSentBefore(event, now: now)
        if !event.isPlanned, verdict.outcome != .duplicate {
            // Hubs accepted requests of it before a stop or a crash, and now it cannot be planned any more.
            event.acceptedBefore = story.facts.accepted(event.news, besides: [])
            if event.isPlanned { verdict = verdict.afterNotification }
        }
        // The facts record this end; the outcome also contains that subscribers were notified before a stop or a crash.
        let ownVerdict = verdict
        if !verdict.isNotified, verdict.outcome != .duplicate, story.facts.begun.contains(event.news.act) {
            verdict = verdict.afterNotification
        }
        let outcome = outcomeRecord(of: event, verdict, now: now)
        let wasAdmitted = event.state != .undecided
        finishOffset(of: event)
        let isChanged = story.facts.recordEnd(of: event, ownVerdict, wasAdmitted: wasAdmitted, now: now.wall)
        if story.facts.withdrawalOffset == event.place.offset {
            story.facts.isWithdrawalEarly = hasUnreadExposed(story.partition)
        }
        settleDebts(of: event, owes: owes, now: now)
        story.facts.close(
            StoryFacts.Closing(offset: event.place.offset, event: event.news.id, verdict: verdict, stage: stage)
        )
        if !event.news.text.isEmpty, event.requestCounts.mayHaveBeenSent, verdict.isNotified || story.knownText.isEmpty
        {
            story.text = event.news.text
        }
        event.move(.end(verdict))
        story.holders += 1
        actions.append(.report(.ended(outcome)))
        let write = OutcomeWrite(
            id: WriteID(nextNumber()),
            partition: story.partition,
            outcome: outcome,
            deadLetter: verdict.isDeadLetter ? stage : nil,
            original: verdict.isDeadLetter ? event.original : nil
        )
        if configuration.keepsLedger {
            // A duplicate and an event that came too late change nothing, so they can wait for others; but they must not end in
            // another way when they are read again.
            ledger.changed(
                story,
                by: isChanged ? now.instant : now.instant + configuration.ledgerInterval * Self.patience
            )
            story.versions.add(.end(event.id, write))
            // The next event of the story must not be sent before the ledger has recorded that this one will not be. If some
            // audiences got this one, it could reach the others after a crash, later than the next one; withdrawals do not wait
            // for that.
            let requestCounts = event.requestCounts
            if wasAdmitted, !requestCounts.mayHaveBeenSent { story.versions.raiseBarrier() }
            if wasAdmitted, !requestCounts.isSettled { story.versions.raiseNewsBarrier() }
        } else {
            writeOutcome(write, .event(event.id), now: now)
        }
        if hasSuspects { goOnWithWithdrawal(after: event, now: now) }
        passTurn(from: event, now: now)
    }

    /// Marks the offset of an event as processed in the facts of its story.
    func finishOffset(of event: Event) {
        let story = event.story
        let frontier = partitions[story.partition].frontier
        story.facts.processed.finish(
            event.place.offset,
            begun: begunOffsets(of: story, besides: event),
            frontier: frontier
        )
    }

    /// The offsets of a story that were read and are not processed.
    private func begunOffsets(of story: Story, besides event: Event? = nil) -> [Int64] {
        var offsets = story.dropped
        story.forEachBegun { if $0 != event?.id, let offset = events[$0]?.openOffset { offsets.append(offset) } }
        return offsets
    }

    /// Marks the facts of a story as this owner's: this owner determines the state of all records that it has read.
    func markAsOurs(_ story: Story) {
        story.facts.term = partitions[story.partition].term
        story.facts.processed.begin(begunOffsets(of: story), frontier: partitions[story.partition].frontier)
    }

    /// Records the audiences that an event leaves to the next one, and removes those that it has notified for earlier events.
    private func settleDebts(of event: Event, owes: Bool, now: Moment) {
        let story = event.story
        if event.news.kind == .kill { story.facts.audiences.removeAll { $0.certainty == .owed } }
        guard event.isPlanned else { return }
        if story.facts.audiences.contains(where: { $0.certainty == .owed }) {
            story.facts.audiences.removeAll { fact in
                fact.certainty == .owed
                    && event.requests.contains { pays($0) && $0.plan.audience.areSame(as: fact.audience) }
            }
        }
        guard owes else { return }
        for request in event.requests where !request.isSettled && request.report.status == .skipped {
            story.facts.recordOwed(request.plan.audience, AudienceFact.Act(of: event.news, at: now.wall))
        }
    }

    /// Whether its audience was notified, or may have been, or cannot be because its hub is not configured any more.
    private func pays(_ request: Request) -> Bool {
        switch request.report.status {
        case .accepted, .unknown: request.isSettled
        case .rejected, .skipped: request.isSettled && hub(of: request.plan) == nil
        }
    }

    /// Gives the next event of a story its turn, and goes on with its inbox.
    private mutating func passTurn(from event: Event, now: Moment) {
        let story = event.story
        let wasCurrent = story.current == event.id
        story.remove(event.id)
        guard wasCurrent else { return }
        if !story.queue.isEmpty {
            story.current = story.queue.removeFirst()
        } else if !story.aside.isEmpty {
            story.current = story.aside.removeFirst()
        }
        if let next = story.current.flatMap({ events[$0] }) { enqueueOrWait(next, now: now) }
        if !story.inbox.waiting.isEmpty { decideNext(of: story, now: now) }
    }

    /// Records the audiences that an event did not reach, if an earlier owner may have sent it just before its crash: a
    /// withdrawal has to go to them.
    ///
    /// - Returns: Whether facts were added.
    private mutating func recordIfSentBefore(_ event: Event, now: Moment) -> Bool {
        guard event.mayHaveBeenSentBefore, event.news.isNews else { return false }
        var sends = event.requests.map(\.plan)
        if !event.isPlanned {
            let known = event.story.known
            guard case .send(let planned, _) = plan(event, facts: known, loudness: .usual, now: now) else {
                return false
            }
            sends = planned
        }
        // If nobody had been notified of the story then, a correction went to its own audiences.
        if event.news.kind == .correction,
            case .send(let own, _) = plan(event, facts: nil, loudness: .usual, now: now)
        {
            sends += own
        }
        event.story.facts.keepTextIfMissing(of: event)
        if event.story.text.isEmpty { event.story.text = event.news.text }
        let known = event.story.facts.audiences.count
        for send in sends where event.story.facts.isAccepted(event.news, by: send.audience) == nil {
            event.story.facts.recordSuspected(send.audience, AudienceFact.Act(of: event.news, at: now.wall))
        }
        return event.story.facts.audiences.count > known
    }

    /// Writes the outcome of an event again that has ended according to the ledger.
    mutating func endAgain(_ event: Event, _ closing: StoryFacts.Closing, now: Moment) {
        let verdict = closing.verdict
        let facts = event.story.facts
        event.move(.end(verdict))
        event.story.holders += 1
        var outcome = outcomeRecord(of: event, verdict, now: now)
        outcome.timing = OutcomeRecord.Timing()
        outcome.warnings.append("ledger.recognized")
        // The ledger has only the latest act of each audience, which may be a later one by now.
        let accepted = facts.audiences.filter { $0.certainty == .accepted }
        let own = accepted.filter { $0.act.id == event.news.act }
        let later = verdict.isNotified && own.isEmpty ? accepted : []
        outcome.targets = (own + later).map { OutcomeRecord.Target($0) }
        let write = OutcomeWrite(
            id: WriteID(nextNumber()),
            partition: event.place.partition,
            outcome: outcome,
            deadLetter: verdict.isDeadLetter ? closing.stage : nil,
            original: verdict.isDeadLetter ? event.original : nil
        )
        writeOutcome(write, .event(event.id), now: now)
    }

    /// Ends a record that could not be decoded.
    mutating func endUnreadable(
        _ rejection: EventRejection,
        at place: RecordPosition,
        _ original: any OriginalRecord,
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
        let write = OutcomeWrite(
            id: WriteID(nextNumber()),
            partition: place.partition,
            outcome: outcome,
            deadLetter: .decode,
            original: original
        )
        writeOutcome(write, .record(place), now: now)
    }

    func origin(of place: RecordPosition) -> RecordOrigin {
        RecordOrigin(
            partition: partitions[place.partition].source,
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
        var verdict = verdict
        if let forgiven = event.forgiven { verdict.detail = verdict.detail ?? forgiven }
        return OutcomeRecord(
            of: event.news,
            verdict: verdict,
            origin: origin(of: event.place),
            config: event.rules.digest,
            at: now.wall,
            timing: event.timing,
            targets: event.outcomeTargets,
            warnings: event.allWarnings,
            isSecure: event.story.facts.isSecure,
            traceparent: event.original.traceparent
        )
    }

    // MARK: - The ledger

    /// The number of batch intervals for which an end that changes nothing waits for others of its partition.
    private static let patience = 20

    /// How long a request is in flight before the ledger records that it may have been accepted.
    static let intentInterval = Duration.milliseconds(250)

    /// Makes the batches of the ledger that are due: each changed story once, with its newest facts.
    ///
    /// - Parameter now: The current time.
    package mutating func recordFacts(now: Moment) {
        for partition in ledger.ready(now: now.instant) { writeBatch(of: partition, now: now) }
    }

    /// Makes the next batch of a partition.
    mutating func writeBatch(of partition: PartitionID, now: Moment) {
        let id = WriteID(nextNumber())
        let changes = ledger.beginBatch(of: partition, id: id, now: now.instant)
        var records: [LedgerWrite] = []
        records.reserveCapacity(changes.entries.count + changes.forgotten.count + 1)
        if let owner = changes.owner { records.append(.owner(owner)) }
        // Tombstones come first, because a story of that name may have begun again.
        for name in changes.forgotten { records.append(.forgotten(name)) }
        for entry in changes.entries { records.append(.facts(snapshot(entry.story, now), of: entry.story.name)) }
        let batch = LedgerBatch(id: id, partition: partition, writes: records)
        guard configuration.keepsLedger else {
            return ledgerWritten([LedgerResult(id: id, partition: partition, result: .success([]))], now: now)
        }
        actions.append(.writeLedger(batch))
    }

    /// The facts of a story, with requests in flight as possibly accepted.
    private func snapshot(_ story: Story, _ now: Moment) -> StoryFacts {
        story.facts.forgetClosings(below: partitions[story.partition].watermark ?? 0)
        markAsOurs(story)
        story.forEachBegun { id in
            if let event = events[id], event.requestCounts.accepted > 0 { story.facts.recordBegun(event.news.act) }
        }
        story.versions.hasIntents = false
        story.versions.missesIntents = false
        guard let current = story.current.flatMap({ events[$0] }), current.isInFlight else { return story.facts }
        story.versions.hasIntents = true
        var facts = story.facts
        facts.keepTextIfMissing(of: current)
        for request in current.requests where request.state == .inFlight {
            facts.recordPossible(
                request.plan.audience,
                AudienceFact.Act(of: current.news, at: now.wall),
                unanswered: request.unknowns + 1
            )
        }
        return facts
    }

    /// Lists the stories of requests that have been in flight for ``intentInterval``, so that the ledger records them before
    /// the answer.
    mutating func recordIntents(_ now: Moment) {
        nextIntents = nil
        guard configuration.keepsLedger else { return }
        for hub in hubs.indices {
            for request in hubs[hub].requests {
                guard let event = events[request.event] else { continue }
                guard now.instant - request.facts.began >= Self.intentInterval else {
                    nextIntents = now.instant + Self.intentInterval
                    continue
                }
                if event.story.versions.missesIntents { ledger.changed(event.story) }
            }
        }
    }

    /// Receives the results of ledger batches.
    package mutating func ledgerWritten(_ results: [LedgerResult], now: Moment) {
        for result in results {
            switch result.result {
            case .success(let offsets): ledgerConfirmed(result.id, result.partition, offsets, now: now)
            case .failure(let failure): ledgerFailed(result.id, result.partition, failure, now: now)
            }
        }
        dropWhatLeaves()
    }

    private mutating func ledgerConfirmed(_ id: WriteID, _ partition: PartitionID, _ offsets: [Int64], now: Moment) {
        guard let batch = ledger.confirm(id, of: partition) else { return }
        exposure.confirmed(batch.entries.reduce(0) { $0 + $1.atRisk }, in: partition, now: now.instant)
        if batch.owner != nil { workIfOwned(partition, ledgerOffset: offsets.first ?? 0, now: now) }
        let first = (batch.owner == nil ? 0 : 1) + batch.forgotten.count
        for (index, entry) in batch.entries.enumerated() {
            let story = entry.story
            if first + index < offsets.count { story.ledgerOffset = offsets[first + index] }
            for (_, consequence) in story.versions.confirm(entry.version) { follow(consequence, of: story, now: now) }
            if let current = story.current.flatMap({ events[$0] }), current.state == .waiting(.ledger),
                story.versions.isPastBarrier(isNews: current.news.isNews)
            {
                enqueueOrWait(current, now: now)
            }
            if !stories.releaseIfIdle(story) { unload(story, now: now) }
        }
    }

    private mutating func follow(_ consequence: Versions.Consequence, of story: Story, now: Moment) {
        switch consequence {
        case .end(let id, let write):
            guard let event = events[id] else { return }
            // The new owner of the partition writes the outcome.
            guard !partitions[story.partition].isLost else { return drop(event) }
            writeOutcome(write, .event(id), now: now)
        case .wait(let place):
            if !ahead.contains(place.offset, of: place.partition) { partitions.complete(place) }
        case .announce(let outcome), .outcome(let outcome, _, _):
            var stage: DeadLetter.Stage?
            var original: (any OriginalRecord)?
            if case .outcome(_, let found, let record) = consequence { (stage, original) = (found, record) }
            let write = OutcomeWrite(
                id: WriteID(nextNumber()),
                partition: story.partition,
                outcome: outcome,
                deadLetter: stage,
                original: original
            )
            writeOutcome(write, .none, now: now)
        }
    }

    private mutating func ledgerFailed(_ id: WriteID, _ partition: PartitionID, _ failure: WriteFailure, now: Moment) {
        guard let failures = ledger.failed(id, of: partition) else { return }
        let delay = configuration.retry.delay(afterFailures: failures, using: &random)
        ledger.holdBack(partition, until: now.instant + delay)
        actions.append(.report(.writeFailed(event: "", detail: failure.detail, at: now.wall + delay)))
    }

    // MARK: - Outcomes

    private mutating func writeOutcome(_ write: OutcomeWrite, _ subject: PendingWrites.Pending.Subject, now: Moment) {
        writes.insert(PendingWrites.Pending(subject: subject, write: write, since: now.instant))
        actions.append(.writeOutcome(write))
    }

    /// Receives the results of writing outcomes and dead letters.
    package mutating func outcomesWritten(_ results: [WriteResult], now: Moment) {
        for result in results {
            if let failure = result.failure {
                outcomeFailed(result.id, failure, now: now)
            } else if let write = writes.remove(result.id) {
                switch write.subject {
                case .event(let id): if let event = events.removeValue(forKey: id) { isProcessed(event, now: now) }
                case .record(let place):
                    partitions.complete(place)
                    partitions[place.partition].recordBare(place)
                case .none: break
                }
            }
        }
        dropWhatLeaves()
    }

    private mutating func outcomeFailed(_ id: WriteID, _ failure: String, now: Moment) {
        guard let failures = writes.failed(id) else { return }
        let delay = configuration.retry.delay(afterFailures: failures, using: &random)
        delays.set(.rewrite(id), at: now.instant + delay)
        let event = writes[id]?.write.outcome.event ?? ""
        actions.append(.report(.writeFailed(event: event, detail: failure, at: now.wall + delay)))
    }

    /// Completes an event whose outcome is confirmed: its record is processed.
    private mutating func isProcessed(_ event: Event, now: Moment) {
        let story = event.story
        // An event that had waited is in the ledger until its outcome is confirmed: its offset was processed before, so nothing
        // else would bring it back after a crash.
        if story.facts.closed(event.place.offset, now: now.wall) { ledger.changed(story) }
        if !event.isInLedger { partitions.complete(event.place) }
        if event.isAhead { ahead.finish(event.place) }
        tally.forgetExemption(of: event.place)
        story.holders -= 1
        if !stories.releaseIfIdle(story) { unload(story, now: now) }
    }

    /// Whether the outcome of a write is not confirmed yet.
    package func isAwaited(_ id: WriteID) -> Bool { writes[id] != nil }
}
