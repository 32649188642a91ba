/// Whether the worker may still take its partitions for its own.
///
/// A process that stood still (stopped, swapped out, a machine that slept) wakes up with partitions that others may own by
/// now, and learns of it only a moment later, when librdkafka has looked at the time and asked the group. So after a
/// standstill nothing is sent and nothing written until the consumer has confirmed its membership anew. Nor is anything
/// while that confirmation is about as old as the session.
struct Lease: Sendable {
    private enum State {
        case sure
        case unsure(since: ContinuousClock.Instant)
    }

    /// A pause between two looks that is longer is a standstill.
    let longestPause: Duration
    /// A confirmation that is older counts no more: a session less what a turn may take.
    let longestSilence: Duration
    private var state = State.sure
    private var lastLook: ContinuousClock.Instant

    /// Begins sure.
    ///
    /// - Parameters:
    ///   - sessionTimeout: How long the group waits for a sign of life.
    ///   - now: The present.
    init(sessionTimeout: Duration, now: ContinuousClock.Instant) {
        // The loop looks once a second at least.
        longestPause = max(.seconds(2), sessionTimeout / 2)
        longestSilence = sessionTimeout * 9 / 10
        lastLook = now
    }

    /// Until when what was decided after the latest look may begin, should the process stand still meanwhile.
    var end: ContinuousClock.Instant { lastLook + longestPause }

    /// Looks at the clock and at the consumer.
    ///
    /// - Parameters:
    ///   - now: The present.
    ///   - confirmed: When the consumer's membership was confirmed last; the present while it waits for an answer of ours.
    /// - Returns: Whether the partitions that are ours may be worked on.
    mutating func isHeld(now: ContinuousClock.Instant, confirmed: ContinuousClock.Instant) -> Bool {
        defer { lastLook = now }
        if now - lastLook > longestPause || now - confirmed > longestSilence {
            state = .unsure(since: now)
            return false
        }
        guard case .unsure(let since) = state else { return true }
        guard confirmed > since else { return false }
        state = .sure
        return true
    }
}
