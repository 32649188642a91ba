import Timestamps

/// Finding the targets of accepted sends, a portion at a time.
extension EmulatedHub {
    /// Whether a send has targets to find now.
    func hasWork(now: Timestamp) -> Bool {
        queue.count > 0 || queue.nextDue.map { $0 <= now } ?? false
    }

    /// Goes on with the send whose turn it is.
    ///
    /// - Parameters:
    ///   - limit: How many registrations to ask at most.
    ///   - now: The present instant.
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

    /// On its own, so that the registry is not copied when it changes afterwards.
    private func targets(of fanOut: inout FanOut, limit: Int, now: Timestamp) -> (found: [FanOut.Target], isDone: Bool)
    {
        guard let registry = hubs[fanOut.hub]?.registry else { return ([], true) }
        var found: [FanOut.Target] = []
        let isDone = fanOut.advance(limit: limit, registry: registry, now: now) { found.append($0) }
        return (found, isDone)
    }

    /// Ends sends whose targets were not found in time.
    private mutating func abandon(_ sequences: [Int64], now: Timestamp) {
        for sequence in sequences {
            log.update(sequence) { $0.progress.abandon(now: now) }
            notices.sends.insert(sequence)
        }
    }

    /// Ends the sends that look for targets in a hub whose devices have all gone: nobody who comes now was meant.
    mutating func endFanOuts(of hub: String, now: Timestamp) {
        for sequence in queue.removeAll(of: hub) {
            log.update(sequence) { $0.progress.end(now: now) }
            notices.sends.insert(sequence)
        }
    }

    /// Takes back the sends of a hub that wait for their time.
    mutating func cancelScheduledSends(of hub: String, now: Timestamp) {
        for sequence in queue.cancelAll(of: hub) {
            log.update(sequence) { $0.progress.cancel(now: now) }
            notices.sends.insert(sequence)
        }
    }

    /// Lets a fault decide the outcome, where one strikes.
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
