/// Whether the worker surely owns its partitions.
///
/// A process that was suspended (stopped, swapped out, on a sleeping machine) resumes with partitions that others may own by
/// now. It learns of it a moment later, when librdkafka has checked the time and asked the group. So after a suspension nothing
/// is sent or written until the consumer has confirmed its membership again. The same holds while that confirmation is about as
/// old as the session.
package struct Lease: Sendable {
    private enum State {
        case sure
        case unsure(since: ContinuousClock.Instant)
    }

    /// A longer pause between two checks counts as a suspension.
    private let longestPause: Duration
    /// An older confirmation does not count: the session less the time of a turn.
    private let longestSilence: Duration
    private var state = State.sure
    private var lastLook: ContinuousClock.Instant

    /// Starts with confirmed ownership.
    ///
    /// - Parameters:
    ///   - sessionTimeout: The session timeout of the group.
    ///   - now: The current time.
    package init(sessionTimeout: Duration, now: ContinuousClock.Instant) {
        // The publishing thread checks at least once a second.
        longestPause = max(.seconds(2), sessionTimeout / 2)
        longestSilence = sessionTimeout * 9 / 10
        lastLook = now
    }

    /// The time until which work decided after the latest check may begin, even if the process is suspended meanwhile.
    package var end: ContinuousClock.Instant { lastLook + longestPause }

    /// Checks the clock and the consumer.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - confirmed: The latest confirmation of the consumer's membership; the current time while it waits for our
    ///     response.
    /// - Returns: Whether our partitions may be processed.
    package mutating func isHeld(now: ContinuousClock.Instant, confirmed: ContinuousClock.Instant) -> Bool {
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
