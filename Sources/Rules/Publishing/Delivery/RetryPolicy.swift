/// How long to wait before an attempt after the first.
///
/// Exponential back-off with full jitter: the wait is drawn evenly from zero to the present ceiling, so that copies of the
/// worker that failed together do not come back together.
package struct RetryPolicy: Sendable, Equatable {
    /// The ceiling of the first wait.
    package var base: Duration
    /// The ceiling of every later one.
    package var cap: Duration

    package init(base: Duration = .milliseconds(250), cap: Duration = .seconds(30)) {
        self.base = base
        self.cap = cap
    }

    /// The wait before the next attempt, after a number of failures from 1.
    package func delay(afterFailures failures: Int, using random: inout some RandomNumberGenerator) -> Duration {
        let doublings = min(max(failures - 1, 0), 30)
        let ceiling = min(cap, base * (1 << doublings))
        let nanoseconds = ceiling.components.seconds * 1_000_000_000 + ceiling.components.attoseconds / 1_000_000_000
        return .nanoseconds(Int64.random(in: 0...max(nanoseconds, 0), using: &random))
    }
}
