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
        for sequence in queue.begin(now: now) { notices.sends.insert(sequence) }
        guard var fanOut = queue.next() else { return }
        let sequence = fanOut.message.sequence
        // Of a hub that was deleted meanwhile nobody is left.
        let registry = hubs[fanOut.hub]?.registry ?? DeviceRegistry()
        var found: [FanOut.Target] = []
        let isDone = fanOut.advance(limit: limit, registry: registry, now: now) { found.append($0) }
        for index in found.indices {
            strike(&found[index])
            deliveries.append(found[index].delivery)
        }
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
        if isDone { notices.sends.insert(sequence) } else { queue.append(fanOut) }
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
