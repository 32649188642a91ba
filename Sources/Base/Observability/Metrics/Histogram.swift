import Synchronization

/// Counts observations by size, for example the durations of requests.
///
/// Safe on any thread; costs two atomic additions. A concurrent scrape may count an observation that is not yet in the sum.
package final class Histogram: Sendable {
    /// Bounds for durations in seconds, from 5 ms to 60 s.
    package static let secondsBuckets: [Double] = [
        0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
    ]

    /// The upper bounds, ascending, without infinity.
    let bounds: [Double]
    /// One counter per bound, and one for larger values.
    private let counters: [Counter]
    private let total = AtomicDouble()

    init(bounds: [Double]) {
        self.bounds = bounds
        counters = (0...bounds.count).map { _ in Counter() }
    }

    /// Counts one observation.
    ///
    /// - Parameter value: Negative values count as zero, because two clocks may disagree; non-finite values are ignored.
    package func observe(_ value: Double) {
        guard value.isFinite else { return }
        let value = max(value, 0)
        let index = bounds.firstIndex { value <= $0 } ?? bounds.count
        counters[index].increment()
        total.add(value)
    }

    /// The sum of all observations.
    package var sum: Double { total.load() }

    /// The number of observations.
    package var count: UInt64 { cumulativeCounts.last ?? 0 }

    /// The cumulative counts: observations up to each bound, and then all observations.
    var cumulativeCounts: [UInt64] {
        var sum: UInt64 = 0
        return counters.map { counter in
            sum &+= counter.value
            return sum
        }
    }

    /// Returns the valid bounds: finite, positive, ascending, without duplicates.
    ///
    /// Negative bounds are omitted, because OpenMetrics does not allow a sum with them.
    static func checked(_ bounds: [Double]) -> [Double] {
        Set(bounds.filter { $0.isFinite && $0 > 0 }).sorted()
    }
}
