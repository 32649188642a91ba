import Timestamps

/// Finding the targets of accepted sends, in portions.
extension EmulatedHub {
    /// Whether the fan-out of a send can continue now.
    func hasWork(now: Timestamp) -> Bool {
        queue.count > 0 || queue.nextDue.map { $0 <= now } ?? false
    }

    /// Processes a portion of the next send.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of registrations to check.
    ///   - now: The current time.
    mutating func advance(limit: Int, now: Timestamp) {
        for sequence in queue.begin(now: now, limit: limit) { notices.sends.insert(sequence) }
        abandon(queue.abandon(now: now, limit: limit), now: now)
        guard var fanOut = queue.next() else { return }
        let sequence = fanOut.message.sequence
        guard !fanOut.isOverdue(at: now) else { return abandon([sequence], now: now) }
        var (found, isDone) = targets(of: &fanOut, limit: limit, now: now)
        for index in found.indices {
            strike(&found[index])
            deliveries.append(found[index].delivery)
        }
        dropDeadChannels(of: found, hub: fanOut.hub)
        if !found.isEmpty { notices.deliveries = true }
        log.update(sequence) { record in
            record.progress.begin(now: now)
            for target in found {
                record.progress.count(
                    target.delivery.outcome,
                    SendProgress.TargetKind(platform: target.delivery.platform, isTemplate: target.isTemplate)
                )
            }
            if isDone { record.progress.end(now: now) }
        }
        if isDone { notices.sends.insert(sequence) } else { queue.goOn(fanOut) }
    }

    /// A separate function, so that the registry is not copied when it changes afterwards.
    private func targets(of fanOut: inout FanOut, limit: Int, now: Timestamp) -> (found: [FanOut.Target], isDone: Bool)
    {
        guard let registry = hubs[fanOut.hub]?.registry else { return ([], true) }
        var found: [FanOut.Target] = []
        let isDone = fanOut.advance(limit: limit, registry: registry, now: now) { found.append($0) }
        return (found, isDone)
    }

    /// Ends sends whose fan-out took too long.
    private mutating func abandon(_ sequences: [Int64], now: Timestamp) {
        for sequence in sequences {
            log.update(sequence) { $0.progress.abandon(now: now) }
            notices.sends.insert(sequence)
        }
    }

    /// Ends the fan-outs of a hub whose devices were all removed, so that devices registered later receive nothing.
    mutating func endFanOuts(of hub: String, now: Timestamp) {
        for sequence in queue.removeAll(of: hub) {
            log.update(sequence) { $0.progress.end(now: now) }
            notices.sends.insert(sequence)
        }
    }

    /// Cancels the scheduled sends of a hub.
    mutating func cancelScheduledSends(of hub: String, now: Timestamp) {
        for sequence in queue.cancelAll(of: hub) {
            log.update(sequence) { $0.progress.cancel(now: now) }
            notices.sends.insert(sequence)
        }
    }

    /// Replaces the outcome if a fault applies.
    mutating func strike(_ target: inout FanOut.Target) {
        guard !deliveryFaults.list.isEmpty else { return }
        let outcome = deliveryFaults.outcome(
            platform: target.delivery.platform,
            handle: target.delivery.handle,
            using: &generator
        )
        if let outcome { target.delivery.outcome = DeliveryOutcome(rawValue: outcome) }
    }
}
