import Synchronization

/// Counts observations by size, such as how long requests took.
///
/// Any thread; two atomic additions. A scrape in between may see an observation counted whose amount is not yet in the
/// sum.
package final class Histogram: Sendable {
    /// Bounds for durations in seconds, from 5 ms to 60 s.
    package static let secondsBuckets: [Double] = [
        0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
    ]

    /// The upper bounds, rising, without the infinite one.
    let bounds: [Double]
    /// One for each bound and one for all above.
    private let counters: [Counter]
    private let total = AtomicDouble()

    init(bounds: [Double]) {
        self.bounds = bounds
        counters = (0...bounds.count).map { _ in Counter() }
    }

    /// Counts one observation.
    ///
    /// - Parameter value: Less than zero counts as zero, as two clocks may disagree; what is not finite is ignored.
    package func observe(_ value: Double) {
        guard value.isFinite else { return }
        let value = max(value, 0)
        let index = bounds.firstIndex { value <= $0 } ?? bounds.count
        counters[index].increment()
        total.add(value)
    }

    /// The sum of all observations.
    package var sum: Double { total.load() }

    /// How many observations there were.
    package var count: UInt64 { cumulativeCounts.last ?? 0 }

    /// For each bound, then for infinity, how many observations were not above.
    var cumulativeCounts: [UInt64] {
        var sum: UInt64 = 0
        return counters.map { counter in
            sum &+= counter.value
            return sum
        }
    }

    /// The bounds that can be shown: finite, above zero, rising, each once.
    ///
    /// Negative ones are left out: OpenMetrics allows no sum beside them.
    static func checked(_ bounds: [Double]) -> [Double] {
        Set(bounds.filter { $0.isFinite && $0 > 0 }).sorted()
    }
}
