import Timestamps

/// When outcomes and dead letters go to the producer: all that comes within a moment together, once what went before was
/// reported.
///
/// People can wait a moment for outcomes, and brokers have less to do. The producer's own `linger.ms` would cost more than it
/// spares: librdkafka polls without a pause through the last millisecond of each wait, and while more than five records of a
/// partition are in flight (see ``LedgerWriter``). Seen with 2.0.2: 47,000 polls a second.
struct OutcomePace {
    /// How long a record waits for others.
    static let moment = Duration.milliseconds(20)
    /// How long for reports on those before: the leader of one partition may have died, and the others take records.
    static let patience = Duration.milliseconds(100)

    /// When it was first seen that something waits.
    private var waitingSince: Instant?
    /// When something went last.
    private var wentAt: Instant?
    /// Records that have gone and were not reported.
    private var underWay = 0

    /// When what waits may go, if nothing is reported before; `nil` where nothing waits.
    var due: Instant? {
        guard let waitingSince else { return nil }
        let ready = waitingSince + Self.moment
        guard underWay > 0, let wentAt else { return ready }
        return max(ready, wentAt + Self.patience)
    }

    /// Looks whether what waits goes now.
    ///
    /// - Parameters:
    ///   - count: How many records wait.
    ///   - now: The present.
    ///   - isLast: Whether nothing will follow, so that nothing may stay behind.
    /// - Returns: Whether all of it goes.
    mutating func letsGo(_ count: Int, now: Instant, isLast: Bool) -> Bool {
        guard count > 0 else { return false }
        waitingSince = waitingSince ?? now
        guard isLast || due.map({ $0 <= now }) ?? true else { return false }
        underWay += count
        wentAt = now
        waitingSince = nil
        return true
    }

    /// Counts a report, also of a write that nobody waits for any more.
    mutating func reported() { underWay = max(0, underWay - 1) }
}
