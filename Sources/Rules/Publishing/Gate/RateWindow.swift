package import Timestamps

/// A sliding window that ends with the present, and the latest events in it, compared with a rate.
///
/// It keeps as many instants as the rate allows and no more, because older ones decide nothing. They are of the monotonic
/// clock, so setting the civil clock neither empties nor fills a window.
package struct RateWindow: Sendable, Equatable {
    package let rate: Rate
    /// When the latest events happened, ascending; enough to make the window again.
    package private(set) var latest: [Instant]

    /// Makes a window of what happened before, in any order.
    package init(_ rate: Rate, _ instants: some Sequence<Instant> = []) {
        self.rate = rate
        self.latest = instants.sorted().suffix(rate.count)
    }

    /// The same past held to another rate. If that allows more than the one before, older instants are not known.
    func held(to rate: Rate) -> RateWindow { RateWindow(rate, latest) }

    /// Whether one more would be more than the rate allows; what is exactly as old as the rate's time does not count.
    package func isFull(at now: Instant) -> Bool {
        latest.count >= rate.count && latest[latest.count - rate.count] > now - rate.per
    }

    /// Takes note that something happened.
    package mutating func note(at now: Instant) {
        latest.insert(now, at: latest.lastIndex { $0 <= now }.map { $0 + 1 } ?? 0)
        let excess = max(latest.count - rate.count, 0)
        latest.removeFirst(latest[excess...].firstIndex { $0 > now - rate.per } ?? latest.count)
    }
}
