import NewsflashTimestamps
import NotificationHubs

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
        for fanOut in queue.abandon(now: now, limit: limit) { end(fanOut) { $0.abandon(now: now) } }
        guard var fanOut = queue.next() else { return }
        guard !fanOut.isOverdue(at: now) else { return end(fanOut) { $0.abandon(now: now) } }
        var (found, isDone) = targets(of: &fanOut, limit: limit, now: now)
        for index in found.indices {
            applyFaults(to: &found[index])
            deliveries.append(found[index].delivery)
        }
        dropDeadChannels(of: found, hub: fanOut.hub)
        if !found.isEmpty { notices.deliveries = true }
        log.update(fanOut.message.sequence) { record in
            record.progress.begin(now: now)
            for target in found {
                record.progress.count(
                    target.delivery.outcome,
                    SendProgress.TargetKind(platform: target.delivery.platform, isTemplate: target.isTemplate)
                )
            }
        }
        if isDone { end(fanOut) { $0.end(now: now) } } else { queue.goOn(fanOut) }
    }

    /// A separate function, so that the registry is not copied when it changes afterwards.
    private func targets(of fanOut: inout FanOut, limit: Int, now: Timestamp) -> (found: [FanOut.Target], isDone: Bool)
    {
        guard let registry = hubs[fanOut.hub]?.registry else { return ([], true) }
        var found: [FanOut.Target] = []
        let isDone = fanOut.advance(limit: limit, registry: registry, now: now) { found.append($0) }
        return (found, isDone)
    }

    /// Ends the fan-outs of a hub whose devices were all removed, so that devices registered later receive nothing.
    mutating func endFanOuts(of hub: String, now: Timestamp) {
        for fanOut in queue.removeAll(of: hub) { end(fanOut) { $0.end(now: now) } }
    }

    /// Cancels the scheduled sends of a hub.
    mutating func cancelScheduledSends(of hub: String, now: Timestamp) {
        for fanOut in queue.cancelAll(of: hub) { end(fanOut) { $0.cancel(now: now) } }
    }

    /// Records the final state of a send. A scheduled one need not be stored any more; until now, a restart repeats it.
    mutating func end(_ fanOut: FanOut, _ change: (inout SendProgress) -> Void) {
        log.update(fanOut.message.sequence) { change(&$0.progress) }
        notices.sends.insert(fanOut.message.sequence)
        if fanOut.isScheduled { changes.append(.removeSend(notificationID: fanOut.message.id)) }
    }

    /// Replaces the outcome if a fault applies. The fault `Success` only exempts from the others, so the outcome of a payload
    /// that the platform would refuse remains.
    mutating func applyFaults(to target: inout FanOut.Target) {
        guard !deliveryFaults.list.isEmpty else { return }
        let outcome = deliveryFaults.outcome(
            platform: target.delivery.platform,
            handle: target.delivery.handle,
            using: &generator
        )
        guard let outcome, outcome != DeliveryOutcome.success.rawValue else { return }
        target.delivery.outcome = DeliveryOutcome(rawValue: outcome)
    }
}

/// Handling of handles that a push service reports as invalid.
extension EmulatedHub {
    /// Removes the registrations of handles that a push service rejected permanently. An installation with such a handle is
    /// marked until it is written with another one.
    ///
    /// Source: https://learn.microsoft.com/azure/notification-hubs/notification-hubs-push-notification-faq
    mutating func dropDeadChannels(of targets: [FanOut.Target], hub: String) {
        var dropped: Set<String> = []
        for target in targets where target.delivery.outcome.isOfDeadChannel {
            let (platform, handle) = (target.delivery.platform, target.delivery.handle)
            guard dropped.insert("\(platform.rawValue) \(handle)").inserted else { continue }
            guard let left = hubs[hub]?.registry.drop(handle: handle, of: platform) else { continue }
            for name in left.removed { changes.append(.remove(registrationID: name.description, hub: hub)) }
            for installation in left.expired { changes.append(.putInstallation(installation, hub: hub)) }
        }
    }
}
