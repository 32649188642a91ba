import NewsEvents
import NotificationHubs
package import Timestamps

extension PublishingCore {
    /// Takes the hub's answers.
    package mutating func sendsEnded(_ results: [SendResult], now: Timestamp) {
        for result in results {
            guard let flight = flights.removeValue(forKey: result.id) else { continue }
            let change = governor.ended(result.reply, wasProbe: flight.permission == .probe, now: now)
            report(change)
            guard var work = takeForChange(flight.record) else { continue }
            settle(&work, flight.target, result.reply, change: change, now: now)
            works[work.record] = work
            guard !work.hasRequestInFlight else { continue }
            if work.isSettled || work.cancelled != nil { conclude(work, now: now) }
        }
        dropWhatNeedNotBeFinished(now)
        pump(now)
        commitIfDue(now)
    }

    private mutating func report(_ change: Governor.Change?) {
        switch change {
        case .held(let hold): actions.append(.report(.held(hold)))
        case .released(let reason, let after): actions.append(.report(.released(reason, after: after)))
        case .paused(let until): actions.append(.report(.paused(until: until)))
        case nil: break
        }
    }

    /// Writes an answer into its target, and plans another attempt where one is due.
    private mutating func settle(
        _ work: inout Work,
        _ target: Int,
        _ reply: HubReply,
        change: Governor.Change?,
        now: Timestamp
    ) {
        work.targets[target].record.httpStatus = reply.status
        work.targets[target].record.trackingID = reply.trackingID
        switch reply.verdict {
        case .accepted:
            accepted(&work, target, reply, now: now)
        case .refused where governor.hold?.reason != .refusals:
            work.targets[target].phase = .settled
            work.targets[target].record.status = .rejected
            work.targets[target].record.error = reply.detail
        case .throttled, .unauthorized, .forbidden, .notFound, .gone, .refused:
            // No fault of the event, or not known to be: it waits for the line at no cost.
            work.targets[target].record.error = reply.detail
            waitForLine(&work, target, now: now)
        case .unavailable, .unknown:
            work.targets[target].record.error = reply.detail
            if reply.mayHaveBeenAccepted { work.targets[target].record.status = .unknown }
            work.targets[target].failures += 1
            guard governor.hold == nil else { return waitForLine(&work, target, now: now) }
            retryLater(&work, target, reply, now: now)
        }
    }

    private mutating func accepted(_ work: inout Work, _ target: Int, _ reply: HubReply, now: Timestamp) {
        work.targets[target].phase = .settled
        work.targets[target].record.status = .accepted
        work.targets[target].record.notificationID = reply.notificationID
        work.targets[target].record.acceptedAt = now
        work.targets[target].record.error = nil
        work.firstAcceptAt = work.firstAcceptAt ?? now
        work.lastAcceptAt = now
        let sent = StoryState.Sent(
            expression: work.targets[target].send.expression,
            locale: work.targets[target].send.locale,
            categories: work.targets[target].send.categories,
            revision: work.event.revision,
            acceptedAt: now
        )
        memory.update(work.event.story) { $0.recordSent(sent) }
    }

    /// Puts a target back into its lane, where it goes again when the governor allows.
    private mutating func waitForLine(_ work: inout Work, _ target: Int, now: Timestamp) {
        work.targets[target].phase = .ready
        queue.append(Job(record: work.record, target: target), to: work.lane == .express ? .express : .retry)
    }

    private mutating func retryLater(_ work: inout Work, _ target: Int, _ reply: HubReply, now: Timestamp) {
        let due = now + configuration.retry.delay(afterFailures: work.targets[target].failures, using: &random)
        work.targets[target].phase = .waiting
        timers.set(.retry(work.record, target: target), at: due)
        actions.append(
            .report(
                .retrying(
                    event: work.event.id,
                    attempt: work.targets[target].record.attempts,
                    label: reply.label,
                    detail: reply.detail,
                    at: due
                )
            )
        )
    }
}
