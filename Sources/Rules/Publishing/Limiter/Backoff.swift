import NewsflashTimestamps

/// The wait after a hub has answered that there are too many requests. Consecutive refusals double it; an accepted request ends
/// it.
struct Backoff: Sendable {
    /// Consecutive refusals of requests that were sent after the wait for the one before.
    private(set) var refusals = 0
    /// The end of the wait; may be in the past.
    private(set) var until: Instant?
    /// When the latest wait began.
    private var since: Instant?

    /// Whether the answer is to a request that was sent after the latest wait began.
    func isNews(_ began: Instant) -> Bool {
        since.map { $0 <= began } ?? true
    }

    /// Counts such a refusal, and waits as long as the number of consecutive refusals requires.
    mutating func refused(now: Instant, wait: (Int) -> Duration) {
        refusals += 1
        since = now
        until = now + wait(refusals)
    }

    /// Ends the wait.
    mutating func end() {
        self = Backoff()
    }

    /// Whether requests may be sent.
    func isOver(at now: Instant) -> Bool {
        until.map { $0 <= now } ?? true
    }

    /// A wait that doubles with each refusal.
    static func doubling(_ first: Duration, _ refusals: Int, atMost longest: Duration) -> Duration {
        min(longest, first * (1 << min(max(0, refusals - 1), 16)))
    }
}
