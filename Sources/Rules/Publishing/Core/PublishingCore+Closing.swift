import NewsEvents
package import Timestamps

extension PublishingCore {
    /// Ends an event of which nothing is in flight: by its targets, or by what cancelled it.
    mutating func conclude(_ work: Work, now: Timestamp) {
        let accepted = work.targets.count { $0.record.status == .accepted }
        let verdict: EventVerdict
        if work.isPlanned, accepted == work.targets.count {
            verdict = EventVerdict(.sent)
        } else if accepted > 0 {
            let rejected = work.targets.first { $0.record.status == .rejected }
            verdict = EventVerdict(
                .partial,
                work.cancelled?.reason ?? "partial.refused",
                work.cancelled?.detail ?? rejected?.record.error
            )
        } else if let cancelled = work.cancelled {
            verdict = cancelled
        } else {
            let rejected = work.targets.first { $0.record.status == .rejected }
            verdict = EventVerdict(.failed, "failed.refused", rejected?.record.error)
        }
        end(work, verdict, stage: .send, now: now)
    }

    /// Ends the story's current event, and lets the next have its turn.
    mutating func end(_ work: Work, _ verdict: EventVerdict, stage: DeadLetter.Stage, now: Timestamp) {
        finish(work, verdict, stage: stage, now: now)
        leaveLine(work, now: now)
    }

    mutating func leaveLine(_ work: Work, now: Timestamp) {
        guard let line = lines[work.event.story], line.current == work.record else { return }
        guard let next = line.next, let follower = works[next] else {
            lines[work.event.story] = nil
            return
        }
        lines[work.event.story] = StoryLine(current: next)
        enqueueCurrent(follower, now: now)
    }

    /// Writes the final outcome of an event; its offset is done when that is confirmed.
    mutating func finish(_ work: Work, _ verdict: EventVerdict, stage: DeadLetter.Stage, now: Timestamp) {
        works[work.record] = nil
        close(
            work.record,
            byteCount: work.byteCount,
            outcome: outcomeRecord(of: work, verdict, now: now),
            stage: stage
        )
    }

    func outcomeRecord(of work: Work, _ verdict: EventVerdict, now: Timestamp) -> OutcomeRecord {
        var outcome = OutcomeRecord(
            of: work.event,
            verdict: verdict,
            origin: work.origin,
            config: configuration.digest,
            at: now
        )
        func milliseconds(_ instant: Timestamp?) -> Double? {
            instant.map { ($0 - work.event.published).inSeconds * 1000 }
        }
        outcome.timing.consumed = milliseconds(work.consumedAt)
        outcome.timing.firstSend = milliseconds(work.firstSendAt)
        outcome.timing.firstAccept = milliseconds(work.firstAcceptAt)
        outcome.timing.lastAccept = milliseconds(work.lastAcceptAt)
        outcome.targets = work.targets.map(\.record)
        outcome.warnings = work.warnings + work.planWarnings
        return outcome
    }

    mutating func close(_ record: RecordID, byteCount: Int, outcome: OutcomeRecord, stage: DeadLetter.Stage) {
        let order = WriteOrder(
            id: WriteID(nextNumber()),
            record: record,
            outcome: outcome,
            deadLetter: outcome.verdict.isDeadLetter ? DeadLetter(outcome, stage: stage) : nil
        )
        closings[order.id] = Closing(order: order, origin: outcome.origin, byteCount: byteCount)
        actions.append(.report(.ended(outcome)))
        actions.append(.write(order))
    }

    /// Takes the broker's confirmations.
    package mutating func writesEnded(_ results: [WriteResult], now: Timestamp) {
        for result in results {
            guard let closing = closings[result.id] else { continue }
            guard let failure = result.failure else {
                closings[result.id] = nil
                complete(closing.origin, record: closing.order.record, byteCount: closing.byteCount)
                continue
            }
            closings[result.id]?.failures += 1
            let due = now + configuration.retry.delay(afterFailures: closing.failures + 1, using: &random)
            timers.set(.rewrite(result.id), at: due)
            actions.append(
                .report(.writeFailed(event: closing.order.outcome.event, detail: failure, at: due))
            )
        }
        commitIfDue(now)
        balanceReading()
    }

    /// Whether the records of an order are still to be confirmed.
    package func isClosing(_ id: WriteID) -> Bool {
        closings[id] != nil
    }

    /// A record is done: its bytes can go and the watermark may move.
    mutating func complete(_ origin: RecordOrigin, record: RecordID, byteCount: Int) {
        heldBytes -= byteCount
        actions.append(.release(record))
        trackers[origin.partition]?.complete(origin.offset)
        hasUncommitted = true
    }

    mutating func commitIfDue(_ now: Timestamp) {
        guard hasUncommitted, !isCommitting else { return }
        if let nextCommit, nextCommit > now { return }
        hasUncommitted = false
        var offsets: [SourcePartition: Int64] = [:]
        for partition in trackers.keys where !draining.contains(partition) {
            offsets[partition] = trackers[partition]?.takeCommit()
        }
        guard !offsets.isEmpty else { return }
        isCommitting = true
        nextCommit = now + configuration.commitInterval
        actions.append(.commit(offsets))
    }

    /// Takes the broker's answer to a commit; one that failed is tried again with the next.
    package mutating func commitEnded(_ partitions: [SourcePartition], succeeded: Bool, now: Timestamp) {
        isCommitting = false
        if !succeeded {
            for partition in partitions { trackers[partition]?.forgetCommit() }
            hasUncommitted = true
        }
        commitIfDue(now)
    }
}
