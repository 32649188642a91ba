import NewsflashTimestamps

/// The reason for which the next request to a hub waits.
package enum SendingLimit: String, Sendable, CaseIterable {
    /// Nothing waits for the hub, or what waits is sent at this moment.
    case idle
    /// The circuit is open, or it has just closed and express events are being read from the ledger.
    case circuit
    /// The hub asked for a pause, or throttled a moment ago.
    case throttling
    /// As many requests are in flight as the hub handles well.
    case concurrency
    /// The hub accepts no more requests a second.
    case rate
    /// Only repeated requests wait, and their budget is used up.
    case retries
    /// Too many requests are in flight or accepted and not yet in a confirmed record of the ledger; see ``RiskLimit``.
    case unconfirmed
}

extension HubScheduler {
    /// Returns the reason for which the next request waits.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - isOpen: Whether a lane may send, apart from the state of the hub.
    /// - Returns: The first reason that applies.
    func limit(now: Instant, where isOpen: (Lane) -> Bool) -> SendingLimit {
        if isOpenCircuit { return .circuit }
        guard let lane = Lane.allCases.first(where: { !lanes[$0].isEmpty }) else {
            // The waiting events are of partitions whose broker confirms nothing.
            return Lane.allCases.contains { lanes[$0].count > 0 } ? .unconfirmed : .idle
        }
        if let limit = governor.limit(of: lane, now: now) { return limit }
        guard !isOpen(lane) else { return .idle }
        return expressOnlyUntil.map { $0 > now } == true && lane != .express ? .circuit : .unconfirmed
    }
}
