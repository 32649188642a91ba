#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The delay that a fault adds.
package enum FaultLatency: Sendable, Equatable {
    /// A constant delay.
    case fixed(Duration)
    /// A random delay as in real services: most responses are fast, a few are slow.
    ///
    /// Drawn from the log-normal distribution with these two percentiles: `exp(µ + σ·z)`, with `z` from the standard normal
    /// distribution (Box–Muller method), `µ = ln(p50)` and `σ = (ln(p99) - ln(p50)) / 2.3263478740408408`; the constant is the
    /// 99th percentile of the standard normal distribution. One draw in 100 is above `p99`, one in 10,000 above
    /// `p50 · (p99 / p50)^1.6`.
    case percentiles(p50: Duration, p99: Duration)

    /// No delay.
    static let none = FaultLatency.fixed(.zero)

    /// The maximum delay, also for the sum of several faults.
    static let longest = Duration.seconds(31_536_000)

    private static let standardNormal99 = 2.3263478740408408

    /// Draws a delay.
    ///
    /// - Parameter generator: Not used for a constant delay.
    /// - Returns: A delay of zero or more.
    func draw(using generator: inout some RandomNumberGenerator) -> Duration {
        switch self {
        case .fixed(let latency): return latency
        case .percentiles(let p50, let p99):
            let median = p50 / .seconds(1)
            let sigma = log(p99 / p50) / Self.standardNormal99
            // In (0, 1], because zero has no logarithm.
            let radius = (-2 * log(1 - Double.random(in: 0..<1, using: &generator))).squareRoot()
            let angle = 2 * Double.pi * Double.random(in: 0..<1, using: &generator)
            let seconds = median * exp(sigma * radius * cos(angle))
            return seconds < Self.longest / .seconds(1) ? .seconds(seconds) : Self.longest
        }
    }
}
