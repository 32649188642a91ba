#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// How much later a fault answers.
package enum FaultLatency: Sendable, Equatable {
    /// Always the same.
    case fixed(Duration)
    /// Different each time, as with real services: most answers quick, a few slow.
    ///
    /// Drawn from the log-normal distribution that has these two percentiles: `exp(µ + σ·z)`, with `z` from the standard
    /// normal distribution (Box and Muller's method), `µ = ln(p50)` and `σ = (ln(p99) - ln(p50)) / 2.3263478740408408`,
    /// which is the normal distribution's 99th percentile. One draw in a hundred is above `p99`, one in ten thousand
    /// above `p50 · (p99 / p50)^1.6`.
    case percentiles(p50: Duration, p99: Duration)

    /// No latency.
    static let none = FaultLatency.fixed(.zero)

    /// The longest latency that there is, also of several faults together.
    static let longest = Duration.seconds(31_536_000)

    private static let standardNormal99 = 2.3263478740408408

    /// Draws a latency.
    ///
    /// - Parameter generator: Not asked by a fixed one.
    /// - Returns: Zero or more.
    func draw(using generator: inout some RandomNumberGenerator) -> Duration {
        switch self {
        case .fixed(let latency): return latency
        case .percentiles(let p50, let p99):
            let median = p50 / .seconds(1)
            let sigma = log(p99 / p50) / Self.standardNormal99
            // From above zero, which has no logarithm.
            let radius = (-2 * log(1 - Double.random(in: 0..<1, using: &generator))).squareRoot()
            let angle = 2 * Double.pi * Double.random(in: 0..<1, using: &generator)
            let seconds = median * exp(sigma * radius * cos(angle))
            return seconds < Self.longest / .seconds(1) ? .seconds(seconds) : Self.longest
        }
    }
}
