import Timestamps

/// The wait after a hub said that it is asked too much. Refusals in a row double it; what is accepted ends it.
struct Backoff: Sendable {
    /// Refusals in a row, of requests that went after the wait for the one before.
    private(set) var refusals = 0
    /// When nothing is to go before; may lie in the past.
    private(set) var until: Instant?
    /// When the latest wait began.
    private var since: Instant?

    /// Whether an answer to a request says something new: it went after the latest wait began.
    func isNews(_ began: Instant) -> Bool {
        since.map { $0 <= began } ?? true
    }

    /// Counts a refusal that is news, and waits as long as the number of refusals in a row asks for.
    mutating func refused(now: Instant, wait: (Int) -> Duration) {
        refusals += 1
        since = now
        until = now + wait(refusals)
    }

    /// Ends the wait.
    mutating func end() {
        self = Backoff()
    }

    /// Whether something may go.
    func isOver(at now: Instant) -> Bool {
        until.map { $0 <= now } ?? true
    }

    /// A wait that doubles with each refusal.
    static func doubling(_ first: Duration, _ refusals: Int, atMost longest: Duration) -> Duration {
        min(longest, first * (1 << min(max(0, refusals - 1), 16)))
    }
}
