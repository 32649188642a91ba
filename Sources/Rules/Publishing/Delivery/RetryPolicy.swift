/// The delay before an attempt after the first.
///
/// Exponential backoff with full jitter: the delay is a uniform random value from zero to the current maximum, so that workers
/// that failed together do not retry together.
package struct RetryPolicy: Sendable, Equatable {
    /// The maximum of the first delay.
    package var base: Duration
    /// The maximum of every later delay.
    package var cap: Duration

    package init(base: Duration = .milliseconds(250), cap: Duration = .seconds(30)) {
        self.base = base
        self.cap = cap
    }

    /// The delay before the next attempt. `failures` begins at 1.
    package func delay(afterFailures failures: Int, using random: inout some RandomNumberGenerator) -> Duration {
        let doublings = min(max(failures - 1, 0), 30)
        let ceiling = min(cap, base * (1 << doublings))
        let nanoseconds = ceiling.components.seconds * 1_000_000_000 + ceiling.components.attoseconds / 1_000_000_000
        return .nanoseconds(Int64.random(in: 0...max(nanoseconds, 0), using: &random))
    }
}
